package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"recollect"
	"recollect/internal/api"
	"recollect/internal/memory"
)

// stressHome makes a data folder that the executables of this test use, and
// stops what runs there in the end.
func stressHome(t *testing.T) (string, *api.Client) {
	t.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RECOLLECT_HOME", home)
	t.Setenv("RECOLLECT_DISABLE", "")
	t.Cleanup(func() {
		stopDaemon(home)
		os.RemoveAll(home)
	})
	return home, &api.Client{Home: home}
}

// recollectCmd runs a command line to its end and returns what it printed.
func recollectCmd(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "recollect", args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// awake starts the daemon if none runs, and returns its process.
func awake(t *testing.T) *os.Process {
	t.Helper()
	out, errs, err := recollectCmd(t, "status", "--json")
	var h api.Health
	if err != nil || json.Unmarshal([]byte(out), &h) != nil {
		t.Fatalf("recollect status: %v\n%s%s", err, out, errs)
	}
	p, err := os.FindProcess(h.PID)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// skipIfShort skips a test that starts processes again and again, and says how long it takes.
func skipIfShort(t *testing.T, takes string) {
	t.Helper()
	if testing.Short() {
		t.Skip(takes)
	}
}

// rounds is how often a stress is repeated.
func rounds(t *testing.T, standard int) int {
	t.Helper()
	text := os.Getenv("RECOLLECT_STRESS")
	if text == "" {
		return standard
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("RECOLLECT_STRESS: %v", err)
	}
	return n
}

// Whatever was acknowledged before the daemon was killed is there afterwards,
// and is found.
func TestKillWhileRemembering(t *testing.T) {
	skipIfShort(t, "takes 4 s")
	_, client := stressHome(t)
	acked := map[string]string{} // id to the word that finds it
	for round := range rounds(t, 3) {
		daemon := awake(t)
		got := rememberUntilKilled(t, client, daemon, round)
		for id, word := range got {
			acked[id] = word
		}
		awake(t)
		for id, word := range acked {
			if m, err := client.Memory(t.Context(), id); err != nil || !strings.Contains(m.Text, word) {
				t.Fatalf("round %d: acknowledged %s is lost: %v, %v", round, id, m, err)
			}
		}
		searchSample(t, client, got)
	}
}

// rememberUntilKilled stores from four goroutines, kills the daemon somewhere
// on the way, and returns what was acknowledged.
func rememberUntilKilled(t *testing.T, client *api.Client, daemon *os.Process, round int) map[string]string {
	t.Helper()
	const writers, calls = 4, 1000
	killAt := int32(100 + rand.IntN(calls-200))
	var mu sync.Mutex
	var done atomic.Int32
	acked := map[string]string{}
	sources := slices.DeleteFunc(slices.Clone(memory.Sources), func(s memory.Source) bool { return s == memory.Team })
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range calls / writers {
				word := fmt.Sprintf("kestrel%dx%dx%d", round, w, i)
				m := memory.Memory{Source: sources[i%len(sources)], Text: word + " " + strings.Repeat("and so on ", i)}
				stored, err := client.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m)})
				if errors.Is(err, api.ErrNoDaemon) {
					return // killed
				}
				if err != nil {
					t.Errorf("Remember() = %v", err)
					return
				}
				mu.Lock()
				acked[stored.IDs[0]] = word
				mu.Unlock()
				if done.Add(1) == killAt {
					if err := daemon.Kill(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if len(acked) < int(killAt) || len(acked) == calls {
		t.Errorf("%d acknowledged, killed at %d of %d", len(acked), killAt, calls)
	}
	return acked
}

// searchSample looks for 20 of what was acknowledged, by words.
func searchSample(t *testing.T, client *api.Client, acked map[string]string) {
	t.Helper()
	sample := 20
	for id, word := range acked {
		if sample--; sample < 0 {
			return
		}
		found, err := client.Search(t.Context(), api.Search{Query: word, Limit: 5})
		if err != nil || len(found.Results) == 0 || found.Results[0].Memory.ID != id {
			t.Errorf("search for %s (%s): %v, %v", word, id, found.Results, err)
		}
	}
}

// fireHook runs the hook executable on one event of a session without a transcript.
func fireHook(ctx context.Context, event, session, prompt string) (stdout, stderr string, err error) {
	return fireHookAt(ctx, event, session, prompt, "/none/"+session+".jsonl")
}

// fireHookAt is fireHook for a session with a transcript.
func fireHookAt(ctx context.Context, event, session, prompt, transcript string) (stdout, stderr string, err error) {
	b, err := json.Marshal(map[string]string{
		"hook_event_name": event, "session_id": session, "cwd": "/home/dev/src/app", "prompt": prompt, "source": "startup",
		"transcript_path": transcript,
	})
	if err != nil {
		return "", "", err
	}
	cmd := exec.CommandContext(ctx, "recollect-hook")
	var out, errs strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(b)), &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// Fifty sessions that begin at once on a machine where nothing runs end with
// one daemon.
func TestManyHooksAtOnce(t *testing.T) {
	skipIfShort(t, "takes 7 s")
	tests := []struct {
		name    string
		prepare func(t *testing.T, home string)
	}{
		{"cold", func(*testing.T, string) {}},
		{"stale socket", func(t *testing.T, _ string) {
			p := awake(t)
			if err := p.Kill(); err != nil {
				t.Fatal(err)
			}
		}},
		{"guard of a start that failed", func(t *testing.T, home string) {
			old := time.Now().Add(-time.Hour)
			if err := errors.Join(os.WriteFile(api.GuardPath(home), nil, 0o600), os.Chtimes(api.GuardPath(home), old, old)); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home, client := stressHome(t)
			tt.prepare(t, home)
			before := served(t, home)
			pids := map[int]bool{}
			var mu sync.Mutex
			var wg sync.WaitGroup
			for i := range 50 {
				wg.Go(func() {
					stdout, stderr, err := fireHook(t.Context(), []string{"SessionStart", "UserPromptSubmit", "Stop"}[i%3], fmt.Sprint("s", i), "how big is the pool?")
					if err != nil || stdout != "" || strings.Count(stderr, "\n") > 1 {
						t.Errorf("hook %d: %v, stdout %q, stderr %q", i, err, stdout, stderr)
					}
					if h, err := client.Health(t.Context()); err == nil {
						mu.Lock()
						pids[h.PID] = true
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			pids[awake(t).Pid] = true
			if len(pids) != 1 {
				t.Errorf("daemons %v answered, want one", pids)
			}
			if n := served(t, home) - before; n != 1 {
				t.Errorf("%d daemons served, want one", n)
			}
		})
	}
}

// A client that was killed on its way to start a daemon must not keep the
// others from it.
func TestStarterThatDied(t *testing.T) {
	home, _ := stressHome(t)
	if err := os.WriteFile(api.GuardPath(home), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	awake(t)
}

// served counts the daemons that ever listened in home.
func served(t *testing.T, home string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(home, "daemon.log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(b), "msg=serving")
}

// Hooks and daemons that are killed at random leave a home that works.
func TestKillAtRandom(t *testing.T) {
	skipIfShort(t, "takes 1 s")
	_, client := stressHome(t)
	id := rememberCmd(t, "the pool has 40 connections")
	for range rounds(t, 3) {
		var wg sync.WaitGroup
		for i := range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(40))*time.Millisecond)
			wg.Go(func() {
				defer cancel()
				stdout, _, _ := fireHook(ctx, []string{"UserPromptSubmit", "SessionStart", "Stop"}[i%3], fmt.Sprint("s", i), "how many connections has the pool?")
				if stdout != "" && !json.Valid([]byte(stdout)) {
					t.Errorf("half an answer: %q", stdout)
				}
			})
		}
		if h, err := client.Health(t.Context()); err == nil {
			if p, err := os.FindProcess(h.PID); err == nil {
				p.Kill() // it may be gone by itself
			}
		}
		wg.Wait()
	}
	awake(t)
	if m, err := client.Memory(t.Context(), id); err != nil || m.Text != "the pool has 40 connections" {
		t.Errorf("Memory() = %v, %v", m, err)
	}
	stdout, stderr, err := fireHook(t.Context(), "UserPromptSubmit", "fresh", "how many connections has the pool?")
	if err != nil || !strings.Contains(stdout, "40 connections") {
		t.Errorf("hook afterwards: %v, stdout %q, stderr %q", err, stdout, stderr)
	}
}

// A session that is killed in its first turn, with the daemon, is captured by the next
// daemon: its prompt was the only event.
func TestKillInFirstTurn(t *testing.T) {
	skipIfShort(t, "takes 2 s")
	home, client := stressHome(t)
	daemon := awake(t)
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	eventually(t, "the hook is answered", func() bool {
		_, stderr, err := fireHookAt(t.Context(), "UserPromptSubmit", "s1", "why do the trains arrive late?", path)
		return err == nil && stderr == ""
	})
	const first = `{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/home/dev/src/app","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"why do the trains arrive late?"}}
{"type":"assistant","uuid":"a1","sessionId":"s1","cwd":"/home/dev/src/app","timestamp":"2026-03-01T10:00:05Z","message":{"id":"a1","role":"assistant","content":[{"type":"text","text":"The signals fail in the cold."}]}}
`
	if err := os.WriteFile(path, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the transcript is expected", func() bool {
		records, err := filepath.Glob(filepath.Join(home, "sessions", "offset-*.json"))
		return err == nil && len(records) == 1
	})
	if err := daemon.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the daemon is gone", func() bool { _, err := client.Health(t.Context()); return err != nil })
	awake(t)
	eventually(t, "the first turn is captured", func() bool {
		found, err := client.Search(t.Context(), api.Search{Query: "trains late", Limit: 1})
		return err == nil && len(found.Results) == 1 && found.Results[0].Memory.Title == "why do the trains arrive late?"
	})
}

// eventually waits for what the daemon does by itself.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(10 * time.Second); !done(); {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("not in time: %s", what)
		}
	}
}

func rememberCmd(t *testing.T, text string) string {
	t.Helper()
	out, errs, err := recollectCmd(t, "remember", text)
	if err != nil {
		t.Fatalf("recollect remember: %v\n%s", err, errs)
	}
	return strings.TrimSpace(out)
}

// The executables of one build are of one version, else every hook would
// replace the daemon.
func TestVersions(t *testing.T) {
	_, client := stressHome(t)
	awake(t)
	h, err := client.Health(t.Context())
	if err != nil || h.Version != recollect.Version() {
		t.Errorf("Health() = version %q, %v, want %q", h.Version, err, recollect.Version())
	}
}
