package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"recollect"
	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/imports/database"
	"recollect/internal/api"
	"recollect/internal/daemon"
	"recollect/internal/hook"
)

// With -race each process would sleep for a second before it ends.
const noRaceSleep = "atexit_sleep_ms=0"

// hookPatience is added to the deadlines of the hooks in scripts, which are about what a
// hook says. Package hook's own tests are about when.
const hookPatience = 20 * time.Second

func TestMain(m *testing.M) {
	os.Setenv("GORACE", noRaceSleep)
	testscript.Main(m, map[string]func(){
		"recollect": main,
		"recollect-import": func() {
			os.Exit(database.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		"recollect-hook": func() {
			// It began in the future, which leaves it time on a machine under load.
			hook.Main(time.Now().Add(hookPatience), recollect.Version(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, func() { os.Exit(0) })
		},
	})
}

func TestScripts(t *testing.T) {
	skipIfShort(t, "takes 80 s")
	samples, err := filepath.Abs("../../testdata/transcripts")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("RECOLLECT_HOME", filepath.Join(home, "r"))
			env.Setenv("SAMPLES", samples)
			env.Setenv("FOREIGN", filepath.Join(filepath.Dir(filepath.Dir(samples)), "internal", "agents", "imports", "testdata"))
			env.Setenv("AGENTS", filepath.Join(filepath.Dir(filepath.Dir(samples)), "internal", "agents", "testdata"))
			env.Setenv("GORACE", noRaceSleep)
			env.Defer(func() { stopDaemon(filepath.Join(home, "r")) })
			env.Defer(func() { stopDaemon(filepath.Join(home, "r2")) }) // of a second user, see team.txtar
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"until":  until,
			"daemon": daemonPID,
			"event":  event,
			"browse": browse,
			"status": status,
			"speak":  speak,
			"fits":   fits,

			"refuse-restore": refuseRestore,

			"show-of":       showOf,
			"sessions":      sessions,
			"forget-id":     forgetID,
			"forget-first":  forgetFirst,
			"same-memories": sameMemories,
			"install":       install,
			"replace":       replace,
			"append":        appendFile,
			"edit-shared":   editShared,
			"status-line":   statusLine,
			"mode":          mode,
			"say":           say,
			"id-of":         idOf,
			"bert-model":    bertModel,
			"ollama":        ollamaServer,
			"team-server":   teamServer,
		},
	})
}

// stopDaemon ends whatever a script left behind.
func stopDaemon(home string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c := &api.Client{Home: home}
	if c.Shutdown(ctx) == nil {
		daemon.WaitForEnd(ctx, home)
	}
}

// until runs a command again and again until its output holds a text:
//
//	until TEXT COMMAND [ARG ...]
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until TEXT COMMAND [ARG ...]")
	}
	var out string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		err := ts.Exec(args[1], args[2:]...)
		out = ts.ReadFile("stdout")
		if err == nil && strings.Contains(out, args[0]) {
			return
		}
	}
	ts.Fatalf("%v never said %q; last:\n%s", args[1:], args[0], out)
}

// daemonPID stores the running daemon's process id in a variable, kills it,
// or checks that it is still the same:
//
//	daemon is VAR | daemon kill | daemon same VAR
func daemonPID(ts *testscript.TestScript, neg bool, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	h, err := (&api.Client{Home: ts.Getenv("RECOLLECT_HOME")}).Health(ctx)
	ts.Check(err)
	switch {
	case len(args) == 2 && args[0] == "is":
		ts.Setenv(args[1], strconv.Itoa(h.PID))
	case len(args) == 2 && args[0] == "same":
		if same := ts.Getenv(args[1]) == strconv.Itoa(h.PID); same == neg {
			ts.Fatalf("daemon %d, was %s", h.PID, ts.Getenv(args[1]))
		}
	case len(args) == 1 && args[0] == "kill":
		p, err := os.FindProcess(h.PID)
		ts.Check(err)
		ts.Check(p.Signal(syscall.SIGKILL))
	default:
		ts.Fatalf("usage: daemon is VAR | daemon kill | daemon same VAR")
	}
}

// event writes a hook event to the file "event", for the hook's stdin:
//
//	event NAME SESSION FIELD VALUE [FIELD VALUE ...]
func event(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || len(args)%2 != 0 {
		ts.Fatalf("usage: event NAME SESSION FIELD VALUE [FIELD VALUE ...]")
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"hook_event_name":%q,"session_id":%q`, args[0], args[1])
	for i := 2; i < len(args); i += 2 {
		fmt.Fprintf(&b, `,%q:%q`, args[i], args[i+1])
	}
	b.WriteString("}\n")
	ts.Check(os.WriteFile(ts.MkAbs("event"), []byte(b.String()), 0o600))
}

// status runs a command that must end with a given status:
//
//	status N COMMAND [ARG ...]
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARG ...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("%v ended with %v, want status %s", args[1:], err, args[0])
	}
}

// forgetID forgets the memory whose id a file holds: forget-id FILE.
func forgetID(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("recollect", "forget", strings.TrimSpace(ts.ReadFile(args[0]))))
}

// showOf shows the memory whose id a file holds: show-of SOURCE FILE.
func showOf(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("recollect", args[0], "show", strings.TrimSpace(ts.ReadFile(args[1]))))
}

// sessions puts the script's folder for {WORK} in all transcripts of a folder
// of Claude Code's: sessions FOLDER.
func sessions(ts *testscript.TestScript, _ bool, args []string) {
	paths, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "projects", "*", "*.jsonl"))
	ts.Check(err)
	for _, path := range paths {
		text := strings.ReplaceAll(ts.ReadFile(path), "{WORK}", filepath.ToSlash(ts.Getenv("WORK")))
		ts.Check(os.WriteFile(path, []byte(text), 0o600))
	}
}

// forgetFirst forgets the first result of a search in JSON: forget-first FILE.
func forgetFirst(ts *testscript.TestScript, _ bool, args []string) {
	var found api.SearchReply
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &found))
	ts.Check(ts.Exec("recollect", "forget", found.Results[0].Memory.ID))
}

// sameMemories compares two exports, whatever their order: same-memories A B.
func sameMemories(ts *testscript.TestScript, _ bool, args []string) {
	lines := func(name string) []string {
		out := strings.Split(strings.TrimSpace(ts.ReadFile(name)), "\n")
		slices.Sort(out)
		return out
	}
	if diff := cmp.Diff(lines(args[1]), lines(args[0])); diff != "" {
		ts.Fatalf("exports differ:\n%s", diff)
	}
}

// install puts one of the executables alone into a folder: install NAME FOLDER.
func install(ts *testscript.TestScript, _ bool, args []string) {
	from, err := exec.LookPath(args[0])
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[1]), 0o700))
	ts.Check(os.Link(from, filepath.Join(ts.MkAbs(args[1]), filepath.Base(from))))
}

// replace edits a file as a user would: replace OLD NEW FILE.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.ReplaceAll(ts.ReadFile(args[2]), args[0], args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o600))
}

// say puts a turn of now into a transcript, with its answer:
//
//	say FILE SESSION FOLDER PROMPT REPLY
func say(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 {
		ts.Fatalf("usage: say FILE SESSION FOLDER PROMPT REPLY")
	}
	now := time.Now().UTC()
	record := func(kind, content string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"%s-%d","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"id":"m-%s","role":%q,"content":%s}}`+"\n",
			kind, kind, now.UnixNano(), args[1], args[2], now.Format(time.RFC3339Nano), now, kind, content)
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	_, err = f.WriteString(record("user", strconv.Quote(args[3])) + record("assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, args[4])))
	ts.Check(errors.Join(err, f.Close()))
}

// idOf stores in a variable the first id in a file that has a prefix: id-of PREFIX FILE VAR.
func idOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: id-of PREFIX FILE VAR")
	}
	for _, word := range strings.Fields(ts.ReadFile(args[1])) {
		if strings.HasPrefix(word, args[0]) {
			ts.Setenv(args[2], word)
			return
		}
	}
	ts.Fatalf("no id %s… in %s", args[0], args[1])
}

// appendFile puts one file behind another: append FROM TO.
func appendFile(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[1]) + ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// refuseRestore checks that files cannot be restored: refuse-restore FILE ...
func refuseRestore(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		if ts.Exec("recollect", "restore", "--replace", name) == nil {
			ts.Fatalf("%s was restored", name)
		}
	}
}

// statusLine runs the status line command of Claude Code's settings, as Claude Code does:
// status-line FILE.
func statusLine(ts *testscript.TestScript, _ bool, args []string) {
	command, err := claudecode.StatusLineCommand(ts.ReadFile(args[0]))
	ts.Check(err)
	ts.Check(ts.Exec("sh", "-c", command))
}

// mode checks the permissions of a file: mode OCTAL FILE.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	fi, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := strconv.FormatInt(int64(fi.Mode().Perm()), 8); got != args[0] {
		ts.Fatalf("%s has mode %s, want %s", args[1], got, args[0])
	}
}

// editShared edits what the people of a clone share as one of them would: edit-shared CLONE OLD NEW.
func editShared(ts *testscript.TestScript, _ bool, args []string) {
	paths, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), ".recollect", "*.md"))
	ts.Check(err)
	for _, path := range paths {
		text := strings.ReplaceAll(ts.ReadFile(path), args[1], args[2])
		ts.Check(os.WriteFile(path, []byte(text), 0o600))
	}
}
