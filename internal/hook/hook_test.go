package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
)

const version = "1.0.0"

// patience bounds what should take milliseconds, on a machine under load.
const patience = 10 * time.Second

// newHome makes a data folder whose path leaves room for a socket's, and
// makes it the one that hooks use.
func newHome(t testing.TB) string {
	t.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	t.Setenv("RECOLLECT_HOME", home)
	t.Setenv("RECOLLECT_DISABLE", "")
	return home
}

// listen serves home with a daemon that does nothing but f.
func listen(t testing.TB, home string, f http.HandlerFunc) {
	t.Helper()
	l, err := net.Listen("unix", api.SocketPath(home))
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(api.VersionHeader, version)
		f(w, r)
	})}
	done := make(chan struct{})
	go func() { defer close(done); server.Serve(l) }() // until the cleanup
	t.Cleanup(func() { server.Close(); <-done })
}

// replying answers every request with the same body.
func replying(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// A buffer takes what a hook prints, which after its deadline may be while it
// is read.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// fire runs a hook on an event that is given as fields and values. It began
// in the future, which leaves it time on a machine under load.
func fire(t testing.TB, fields ...string) (stdout, stderr string) {
	t.Helper()
	return runMain(bytes.NewReader(event(t, fields)), time.Now().Add(patience))
}

// fireNow is fire with the deadline that Claude Code sees.
func fireNow(t testing.TB, fields ...string) (stdout, stderr string) {
	t.Helper()
	return runMain(bytes.NewReader(event(t, fields)), time.Now())
}

func event(t testing.TB, fields []string) []byte {
	t.Helper()
	m := map[string]string{"cwd": "/home/dev/src/app", "session_id": "s1"}
	for i := 0; i < len(fields); i += 2 {
		m[fields[i]] = fields[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// runMain returns what a hook has printed when it returns, or would end the process.
func runMain(stdin io.Reader, began time.Time) (stdout, stderr string) {
	var out, err buffer
	ended := make(chan struct{})
	end := sync.OnceFunc(func() { close(ended) })
	go func() { // ends with the test's daemon, or with the test executable
		Main(began, version, nil, stdin, &out, &err, end)
		end()
	}()
	<-ended
	return out.String(), err.String()
}

// prompt is a hook event with a prompt.
func prompt(text string) []string {
	return []string{"hook_event_name", "UserPromptSubmit", "prompt", text}
}

// injectedText returns the context in a hook's output, which must be one JSON
// object or nothing.
func injectedText(t testing.TB, event, stdout string) string {
	t.Helper()
	if stdout == "" {
		return ""
	}
	var out struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil {
		t.Fatalf("stdout is no JSON object: %v\n%s", err, stdout)
	}
	if got := out.HookSpecificOutput.HookEventName; got != event {
		t.Errorf("hookEventName = %q, want %q", got, event)
	}
	return out.HookSpecificOutput.AdditionalContext
}

func TestEvents(t *testing.T) {
	const reply = `{"context":"use max_open_conns","bites":[],"timestamp":"2026-03-01T10:00:00Z"}`
	tests := []struct {
		name     string
		event    []string
		route    string // "" where the daemon is not asked
		injected string
	}{
		{"start", []string{"hook_event_name", "SessionStart", "source", "startup"}, api.RouteOrient.Path, "use max_open_conns"},
		{"prompt", prompt("how big is the pool?"), api.RouteRecollect.Path, "use max_open_conns"},
		{"stop tells nothing whatever the daemon says", []string{"hook_event_name", "Stop", "transcript_path", "/t/s1.jsonl"}, api.RouteFlush.Path, ""},
		{"sub-agent", []string{"hook_event_name", "SubagentStop", "agent_type", "Explore", "agent_transcript_path", "/t/a.jsonl"}, api.RouteFlush.Path, ""},
		{"who writes the summary of a compaction", []string{"hook_event_name", "SubagentStop", "agent_type", "", "agent_transcript_path", "/t/a.jsonl"}, "", ""},
		{"compaction", []string{"hook_event_name", "PreCompact", "trigger", "auto", "transcript_path", "/t/s1.jsonl"}, api.RouteFlush.Path, ""},
		{"session end", []string{"hook_event_name", "SessionEnd", "reason", "clear", "transcript_path", "/t/s1.jsonl"}, api.RouteFlush.Path, ""},
		{"tool", []string{"hook_event_name", "PostToolUse", "tool_name", "Bash", "transcript_path", "/t/s1.jsonl"}, api.RouteObserve.Path, ""},
		{"tool that failed", []string{"hook_event_name", "PostToolUseFailure", "tool_name", "Bash", "error", "Exit code 3", "transcript_path", "/t/s1.jsonl"}, api.RouteObserve.Path, ""},
		{"tool that is about to run", []string{"hook_event_name", "PreToolUse", "tool_name", "Bash", "transcript_path", "/t/s1.jsonl"}, api.RouteTool.Path, "use max_open_conns"},
		{"sub-agent that starts", []string{"hook_event_name", "SubagentStart", "agent_id", "a1", "agent_type", "Explore"}, api.RouteAgent.Path, "use max_open_conns"},
		{"agent of no type that starts", []string{"hook_event_name", "SubagentStart", "agent_id", "a1", "agent_type", ""}, "", ""},
		{"empty prompt", prompt(" "), "", ""},
		{"slash command", prompt("/compact now"), "", ""},
		{"notification", prompt("<task-notification>done</task-notification>"), "", ""},
		{"prompt of our own", prompt("[RECOLLECT_INTERNAL] sum this up"), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := make(chan string, 10)
			listen(t, newHome(t), func(w http.ResponseWriter, r *http.Request) {
				asked <- r.URL.Path
				replying(http.StatusOK, reply)(w, r)
			})
			stdout, stderr := fire(t, tt.event...)
			if got := injectedText(t, tt.event[1], stdout); got != tt.injected || stderr != "" {
				t.Errorf("told %q and on stderr %q, want %q and nothing", got, stderr, tt.injected)
			}
			close(asked)
			if route := <-asked; route != tt.route {
				t.Errorf("asked %q, want %q", route, tt.route)
			}
		})
	}
}

func TestNoticeIsForTheUserOnly(t *testing.T) {
	listen(t, newHome(t), replying(200, `{"context":"","notice":"half_age: must be positive"}`))
	stdout, _ := fire(t, "hook_event_name", "SessionStart", "source", "startup")
	if want := `{"systemMessage":"half_age: must be positive"}` + "\n"; stdout != want {
		t.Errorf("stdout = %s, want %s", stdout, want)
	}
}

// Whatever goes wrong: nothing on stdout, one line on stderr.
func TestSilentOnErrors(t *testing.T) {
	event := `{"hook_event_name":"UserPromptSubmit","session_id":"s1","cwd":"/x","prompt":"how big is the pool?"}`
	start := `{"hook_event_name":"SessionStart","session_id":"s1","cwd":"/x","source":"startup"}`
	tests := []struct {
		name   string
		stdin  string
		answer http.HandlerFunc // nil for no daemon
	}{
		{"no daemon and none to start", event, nil},
		{"no daemon at a start", start, nil},
		{"refused", event, replying(500, `{"error":"two\nlines"}`)},
		{"refused without a reason", event, replying(404, "gone")},
		{"reply is no JSON", event, replying(200, "how big is what?")},
		{"reply of another form", event, replying(200, `{"context":7}`)},
		{"reply breaks off", event, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"context":"use max`)
		}},
		{"connection breaks off", event, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"empty input", "", nil},
		{"input is no JSON", `{"hook_event_name":`, nil},
		{"input is a list", `["UserPromptSubmit"]`, nil},
		{"no event", `{}`, nil},
		{"event of another kind", `{"hook_event_name":"Notification"}`, nil},
		{"event with lines in its name", `{"hook_event_name":"a\nb"}`, nil},
		{"end of a turn without a transcript", `{"hook_event_name":"Stop"}`, nil},
		{"end of a sub-agent without a transcript", `{"hook_event_name":"SubagentStop","agent_type":"Explore"}`, nil},
		{"end of a sub-agent of no type", `{"hook_event_name":"SubagentStop","agent_type":7,"agent_transcript_path":"/t/a.jsonl"}`, nil},
		{"compaction without a transcript", `{"hook_event_name":"PreCompact","trigger":"auto"}`, nil},
		{"session end for an odd reason", `{"hook_event_name":"SessionEnd","reason":{},"transcript_path":"/t/s1.jsonl"}`, nil},
		{"tool without a transcript", `{"hook_event_name":"PostToolUse","tool_name":"Bash"}`, nil},
		{"tool without a name", `{"hook_event_name":"PostToolUse","transcript_path":"/t/s1.jsonl"}`, nil},
		{"tool without a name that is about to run", `{"hook_event_name":"PreToolUse","tool_input":{}}`, nil},
		{"tool that the daemon cannot answer", `{"hook_event_name":"PreToolUse","tool_name":"Bash"}`, replying(500, `{"error":"no"}`)},
		{"tool of an odd name", `{"hook_event_name":"PostToolUse","tool_name":["Bash"],"transcript_path":"/t/s1.jsonl"}`, nil},
		{"failure without an error", `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","transcript_path":"/t/s1.jsonl"}`, nil},
		{"failure that may be an interruption", `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","is_interrupt":"maybe"}`, nil},
		{"tool that the daemon does not want to hear of", `{"hook_event_name":"PostToolUse","tool_name":"Bash","transcript_path":"/t/s1.jsonl"}`,
			replying(503, `{"error":"too much to do"}`)},
		{"prompt is a number", `{"hook_event_name":"UserPromptSubmit","prompt":7}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			if tt.answer != nil {
				listen(t, home, tt.answer)
			}
			stdout, stderr := runMain(strings.NewReader(tt.stdin), time.Now().Add(patience))
			if stdout != "" {
				t.Errorf("stdout = %q, want nothing", stdout)
			}
			if !strings.HasPrefix(stderr, "recollect: ") || strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n") {
				t.Errorf("stderr = %q, want one line", stderr)
			}
		})
	}
}

func TestHomeThatIsAFile(t *testing.T) {
	file := filepath.Join(newHome(t), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RECOLLECT_HOME", file)
	for _, event := range []string{"UserPromptSubmit", "SessionStart", "Stop", "PreCompact", "SessionEnd"} {
		stdout, stderr := fire(t, "hook_event_name", event, "prompt", "how big is the pool?", "transcript_path", "/t/s1.jsonl")
		if stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: stdout %q, stderr %q, want one line on stderr alone", event, stdout, stderr)
		}
	}
}

// noReader fails the test that reads it.
type noReader struct{ t *testing.T }

func (r noReader) Read([]byte) (int, error) {
	r.t.Error("stdin was read")
	return 0, io.EOF
}

func TestDisabled(t *testing.T) {
	listen(t, newHome(t), func(http.ResponseWriter, *http.Request) { t.Error("the daemon was asked") })
	t.Setenv("RECOLLECT_DISABLE", "1")
	if stdout, stderr := runMain(noReader{t}, time.Now()); stdout != "" || stderr != "" {
		t.Errorf("stdout %q, stderr %q, want nothing", stdout, stderr)
	}
}

// A daemon that never answers is left, and sees that it was.
func TestDeadline(t *testing.T) {
	for event := range actions {
		t.Run(event, func(t *testing.T) {
			left := make(chan struct{})
			listen(t, newHome(t), func(_ http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
				close(left)
			})
			began := time.Now()
			stdout, stderr := fireNow(t, "hook_event_name", event, "prompt", "how big is the pool?", "transcript_path", "/t/s1.jsonl",
				"agent_id", "a1", "agent_type", "Explore", "tool_name", "Bash", "error", "Exit code 3")
			if took := time.Since(began); took < actions[event].deadline-2*grace || took > patience {
				t.Errorf("returned after %v, deadline %v", took, actions[event].deadline)
			}
			if stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf("stdout %q, stderr %q, want one line on stderr alone", stdout, stderr)
			}
			select {
			case <-left:
			case <-time.After(patience):
				t.Error("the connection is still open")
			}
		})
	}
}

// A session whose daemon hangs waits less than a second at its start and at the end of a turn.
func TestDeadlinesAddUp(t *testing.T) {
	if sum := actions["SessionStart"].deadline + actions["Stop"].deadline; sum >= time.Second {
		t.Errorf("SessionStart and Stop may take %v, want less than a second", sum)
	}
}

// The time that passed before Main counts: Claude Code measures from the
// start of the process.
func TestDeadlineCountsFromTheStart(t *testing.T) {
	listen(t, newHome(t), func(http.ResponseWriter, *http.Request) { t.Error("the daemon was asked") })
	event := `{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"how big is the pool?"}`
	stdout, stderr := runMain(strings.NewReader(event), time.Now().Add(-time.Minute))
	if stdout != "" || strings.Count(stderr, "\n") != 1 {
		t.Errorf("stdout %q, stderr %q, want one line on stderr alone", stdout, stderr)
	}
}

// The process ends when Main returns, so a line that is still being written would be lost.
func TestMainWaitsForWhatIsSaid(t *testing.T) {
	newHome(t)
	var said buffer
	Main(time.Now().Add(-time.Minute), version, nil, strings.NewReader(`{"hook_event_name":"Stop"}`), io.Discard, slow{&said}, func() {})
	if got := said.String(); strings.Count(got, "\n") != 1 {
		t.Errorf("stderr %q when Main returned, want one line", got)
	}
}

// A slow writer takes long for each write.
type slow struct{ io.Writer }

func (w slow) Write(p []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	return w.Writer.Write(p)
}

func TestStdinThatNeverEnds(t *testing.T) {
	newHome(t)
	for _, begins := range []string{"", `{"hook_event_name":"UserPromptSubmit","prompt":"pool`, `{"hook_event_name":"Stop"}`} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteString(begins); err != nil {
			t.Fatal(err)
		}
		// Most of the second that reading may take is over already.
		began := time.Now().Add(-maxDeadline + 50*time.Millisecond)
		stdout, stderr := runMain(r, began)
		if took := time.Since(began); took > patience {
			t.Errorf("%q: returned after %v", begins, took)
		}
		if stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: stdout %q, stderr %q, want one line on stderr alone", begins, stdout, stderr)
		}
		w.Close()
		r.Close()
	}
}

// Of a long prompt, the beginning and the end are sent: a question stands above or below what is
// pasted beside it.
func TestLongPrompt(t *testing.T) {
	got := make(chan api.Prompt, 1)
	listen(t, newHome(t), func(w http.ResponseWriter, r *http.Request) {
		var p api.Prompt
		if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
			t.Error(err)
		}
		got <- p
		replying(200, `{"context":"use max_open_conns"}`)(w, r)
	})
	// Every third byte begins a rune, so the cut must look for one. JSON
	// writes NUL in six bytes.
	for _, text := range []string{strings.Repeat("€", 1<<20/3), strings.Repeat("\x00\x00\x00", 1<<16)} {
		stdout, stderr := fire(t, prompt(text)...)
		if injectedText(t, "UserPromptSubmit", stdout) == "" || stderr != "" {
			t.Fatalf("told nothing; stderr %q", stderr)
		}
		p := <-got
		if n := len(p.Prompt); n > maxPrompt || n < maxPrompt-4 || strings.Trim(p.Prompt, text[:3]) != "" {
			t.Errorf("sent %d bytes of the prompt, want %d", n, maxPrompt)
		}
	}
}

// Every event that hooks.json registers is handled, and the reverse.
func TestHooksJSON(t *testing.T) {
	b, err := os.ReadFile("../../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Hooks map[string]any }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(actions)), slices.Sorted(maps.Keys(file.Hooks))); diff != "" {
		t.Errorf("hooks.json has other events (-want +got):\n%s", diff)
	}
}

// What becomes of a tool call comes with every one of them: it must not start
// a daemon, and nobody has to know that none listens.
func TestObserveLeavesSilently(t *testing.T) {
	tests := []struct {
		name   string
		answer http.HandlerFunc // nil for no daemon
	}{
		{"no daemon", nil},
		{"somebody else", func(w http.ResponseWriter, _ *http.Request) {
			w.Header()[http.CanonicalHeaderKey(api.VersionHeader)] = nil
		}},
		{"an older daemon", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(api.VersionHeader, "0.0.1")
			replying(http.StatusAccepted, "{}")(w, r)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			if tt.answer != nil {
				listen(t, home, tt.answer)
			}
			stdout, stderr := fire(t, "hook_event_name", "PostToolUse", "tool_name", "Bash", "transcript_path", "/t/s1.jsonl")
			if stdout != "" || stderr != "" {
				t.Errorf("stdout %q, stderr %q, want nothing", stdout, stderr)
			}
			if _, err := os.Stat(api.GuardPath(home)); err == nil {
				t.Error("a daemon was to be started")
			}
		})
	}
}

// sent runs a hook on an event and returns what the daemon was sent.
func sent[T any](t *testing.T, stdin string) T {
	t.Helper()
	got := make(chan T, 1)
	listen(t, newHome(t), func(w http.ResponseWriter, r *http.Request) {
		var in T
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		got <- in
		replying(http.StatusAccepted, "{}")(w, r)
	})
	if stdout, stderr := runMain(strings.NewReader(stdin), time.Now().Add(patience)); stdout != "" || stderr != "" {
		t.Errorf("stdout %q, stderr %q, want nothing", stdout, stderr)
	}
	return <-got
}

func TestToolSends(t *testing.T) {
	const stdin = `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"/x","transcript_path":"/t/s1.jsonl","agent_id":"a1","agent_type":"Explore","prompt_id":"p1","tool_name":"Bash","tool_input":{"command":"make"}}`
	want := api.ToolCall{SessionID: "s1", AgentID: "a1", TranscriptPath: filepath.Join("/t/s1", "subagents", "agent-a1.jsonl"), Cwd: "/x", Tool: "Bash", Input: json.RawMessage(`{"command":"make"}`), PromptID: "p1"}
	if diff := cmp.Diff(want, sent[api.ToolCall](t, stdin)); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// The daemon is told which prompt it answers, so that later calls know that it did.
func TestPromptSends(t *testing.T) {
	got := sent[api.Prompt](t, `{"hook_event_name":"UserPromptSubmit","session_id":"s1","cwd":"/x","prompt_id":"p1","prompt":"how big is the pool?"}`)
	if diff := cmp.Diff(api.Prompt{Event: "UserPromptSubmit", Prompt: "how big is the pool?", SessionID: "s1", Cwd: "/x", PromptID: "p1"}, got); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// Of a call only this is ever decided, and only where the daemon says so.
func TestToolAllows(t *testing.T) {
	tests := []struct{ name, reply, want string }{
		{"one of our own", `{"allow":true}`, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"recollect only reads its own memories"}}` + "\n"},
		{"one of our own, with more to tell", `{"allow":true,"context":"it is 25"}`, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"recollect only reads its own memories","additionalContext":"it is 25"}}` + "\n"},
		{"nothing to say", `{"context":"","bites":[]}`, ""},
		{"something to tell", `{"context":"it fails"}`, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"it fails"}}` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			listen(t, newHome(t), replying(http.StatusOK, tt.reply))
			stdout, stderr := fire(t, "hook_event_name", "PreToolUse", "tool_name", "mcp__plugin_recollect_memory__memory_recall")
			if stdout != tt.want || stderr != "" {
				t.Errorf("stdout = %q, stderr = %q, want %q and nothing", stdout, stderr, tt.want)
			}
		})
	}
}

// Tool calls come often: they start no daemon, and nobody has to know that
// none listens.
func TestToolLeavesSilently(t *testing.T) {
	for _, event := range [][]string{
		{"hook_event_name", "PreToolUse", "tool_name", "Bash"},
		{"hook_event_name", "SubagentStart", "agent_id", "a1", "agent_type", "Explore"},
	} {
		home := newHome(t)
		stdout, stderr := fire(t, event...)
		if stdout != "" || stderr != "" {
			t.Errorf("%s: stdout = %q, stderr = %q, want nothing", event[1], stdout, stderr)
		}
		entries, err := os.ReadDir(home)
		if err != nil || len(entries) > 0 {
			t.Errorf("%s: left %v in the data folder, %v, want nothing", event[1], entries, err)
		}
	}
}

func TestFlushSends(t *testing.T) {
	tests := []struct {
		name, stdin string
		want        api.Flush
	}{
		{"turn", `{"hook_event_name":"Stop","session_id":"s1","cwd":"/x","transcript_path":"/t/s1.jsonl","last_assistant_message":"done"}`,
			api.Flush{SessionID: "s1", Cwd: "/x", TranscriptPath: "/t/s1.jsonl", Reason: "Stop", LastReply: "done"}},
		{"sub-agent", `{"hook_event_name":"SubagentStop","session_id":"s1","transcript_path":"/t/s1.jsonl","agent_id":"a7","agent_type":"Explore",
			"agent_transcript_path":"/t/s1/subagents/agent-a7.jsonl","last_assistant_message":"5 files"}`,
			api.Flush{SessionID: "s1", TranscriptPath: "/t/s1/subagents/agent-a7.jsonl", Reason: "SubagentStop", LastReply: "5 files"}},
		{"compaction", `{"hook_event_name":"PreCompact","session_id":"s1","transcript_path":"/t/s1.jsonl","trigger":"manual","custom_instructions":"keep the numbers"}`,
			api.Flush{SessionID: "s1", TranscriptPath: "/t/s1.jsonl", Reason: "PreCompact"}},
		{"session", `{"hook_event_name":"SessionEnd","session_id":"s1","transcript_path":"/t/s1.jsonl","reason":"other"}`,
			api.Flush{SessionID: "s1", TranscriptPath: "/t/s1.jsonl", Reason: "SessionEnd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, sent[api.Flush](t, tt.stdin)); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestObserveSends(t *testing.T) {
	got := sent[api.Observation](t, `{"hook_event_name":"PostToolUseFailure","session_id":"s1","cwd":"/x","transcript_path":"/t/s1.jsonl","agent_id":"a7",
		"tool_name":"Bash","tool_input":{"command":"make"},"error":"Exit code 2","is_interrupt":false}`)
	want := api.Observation{
		SessionID: "s1", Cwd: "/x", TranscriptPath: "/t/s1/subagents/agent-a7.jsonl",
		Tool: "Bash", Input: json.RawMessage(`{"command":"make"}`), Error: "Exit code 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// However much a tool was given and said, little of it goes to the daemon.
func TestObserveIsBounded(t *testing.T) {
	long := strings.Repeat("x", 4<<20)
	got := sent[api.Observation](t, `{"hook_event_name":"PostToolUseFailure","session_id":"s1","transcript_path":"/t/s1.jsonl","tool_name":"Bash",
		"tool_input":{"command":"`+long+`"},"tool_response":{"stdout":"`+long+`"},"error":"`+long+`"}`)
	if len(got.Input) > 16<<10 || len(got.Response) > 16<<10 || len(got.Error) != maxError {
		t.Errorf("sent %d, %d and %d bytes, want 16 KiB at most and %d", len(got.Input), len(got.Response), len(got.Error), maxError)
	}
}

func TestInterruptedToolIsNoFailure(t *testing.T) {
	listen(t, newHome(t), func(http.ResponseWriter, *http.Request) { t.Error("the daemon was asked") })
	stdin := `{"hook_event_name":"PostToolUseFailure","transcript_path":"/t/s1.jsonl","tool_name":"Bash","error":"x","is_interrupt":true}`
	if stdout, stderr := runMain(strings.NewReader(stdin), time.Now().Add(patience)); stdout != "" || stderr != "" {
		t.Errorf("stdout %q, stderr %q, want nothing", stdout, stderr)
	}
}

// FuzzMain holds what Claude Code relies on: stdout is empty or one JSON
// object, whatever the input.
func FuzzMain(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, `{"hook_event_name":"Stop"}`,
		`{"hook_event_name":"UserPromptSubmit","session_id":"s1","cwd":"/x","prompt":"how big is the pool?"}`,
		`{"hook_event_name":"UserPromptSubmit","session_id":"../..","prompt":"\ud800 pool \u0000"}`,
		`{"hook_event_name":"SessionStart","source":"compact","cwd":""}`,
		`{"hook_event_name":"SessionStart","hook_event_name":"Stop"}`,
		`{"hook_event_name":"SubagentStop","agent_id":"../..","agent_type":"x","transcript_path":"/t/s1.jsonl"}`,
		`{"hook_event_name":"PreCompact","transcript_path":"/t/s1.jsonl","custom_instructions":null}`,
		`{"hook_event_name":"SessionEnd","reason":"other","transcript_path":"\u0000"}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","transcript_path":"/t/s1.jsonl","tool_input":{"a":"\ud800","a":[1e999]},"tool_response":"\u2028"}`,
		`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","transcript_path":"/t/s1.jsonl","error":"\u001b[31mno","is_interrupt":false}`,
		"{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"\xff\xfe pool\"}",
		`{"hook_event_name":"UserPromptSubmit","prompt":"pool"}{"hook_event_name":"Stop"}`,
	} {
		f.Add([]byte(seed))
	}
	listen(f, newHome(f), replying(200, `{"context":"<memory-data> \"quoted\" \u2028 \\ end","notice":"a\nb"}`))
	f.Fuzz(func(t *testing.T, stdin []byte) {
		stdout, stderr := runMain(bytes.NewReader(stdin), time.Now().Add(patience))
		var object map[string]any
		if stdout != "" && (json.Unmarshal([]byte(stdout), &object) != nil || object == nil) {
			t.Errorf("stdout is no JSON object: %q", stdout)
		}
		if strings.Count(stderr, "\n") > 1 || stdout != "" && stderr != "" {
			t.Errorf("stderr = %q, stdout = %q", stderr, stdout)
		}
	})
}

// panicReader is a mistake of ours, wherever it may hide.
type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("out of range") }

func TestMainSurvivesPanics(t *testing.T) {
	stdout, stderr := runMain(panicReader{}, time.Now())
	if stdout != "" || stderr != "recollect: panic: out of range\n" {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
}

// Where the data folder is another user's, nothing is sent, nothing that lies
// there is injected, and one line says why.
func TestForeignFolder(t *testing.T) {
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			asked := make(chan struct{}, 10)
			listen(t, home, func(w http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				replying(http.StatusOK, `{"context": "obey"}`)(w, r)
			})
			leave(t, home, "s1", "obey")
			if err := os.Lchown(home, 60001, 60001); err != nil {
				t.Skip("only root can give a folder away: ", err)
			}
			stdout, stderr := fire(t, "hook_event_name", name, "source", "startup", "prompt", "my plan", "tool_name", "Bash", "transcript_path", "/x.jsonl")
			if stdout != "" || len(asked) > 0 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "belongs to another user") {
				t.Errorf("stdout %q, stderr %q, %d requests, want one line on stderr alone", stdout, stderr, len(asked))
			}
		})
	}
}
