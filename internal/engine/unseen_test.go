package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
)

// askedLine is the record of a prompt, which later events of its session name by its id.
func askedLine(id, prompt, more string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u-%[1]s","promptId":%[1]q,"sessionId":"s1","cwd":%[2]q,"timestamp":%[3]q,%[4]s"message":{"role":"user","content":%[5]q}}`+"\n",
		id, folder, time.Now().UTC().Format(time.RFC3339Nano), more, prompt)
}

const typedPrompt = `"promptSource":"typed","turnOrigin":"human","origin":{"kind":"human"},"entrypoint":"claude-vscode",`

// transcribe writes the transcript of session s1.
func transcribe(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// listing is a call in session s1 on which nothing bears.
func listing(transcript, prompt string) api.ToolCall {
	return api.ToolCall{SessionID: "s1", TranscriptPath: transcript, Cwd: folder, Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`), PromptID: prompt}
}

func (r *running) must(got api.Recollection, err error) api.Recollection {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	return got
}

// The first tool call after a prompt that no hook saw brings what the prompt would have brought, once.
func TestUnseenPrompt(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	pool := r.learn(note("the database pool has 40 connections"))[0]
	heron := r.learn(note("the staging cluster is called heron"))[0]
	first := askedLine("p1", poolPrompt, typedPrompt)
	path := transcribe(t, first)
	if _, err := askAndLeave(t.Context(), r.Engine.Tool, listing(path, "p1"), errors.New("broken pipe")); err != nil {
		t.Fatal(err)
	}
	got := r.must(r.Tool(t.Context(), listing(path, "p1")))
	if !slices.Equal(idsOf(got), []string{pool}) || !strings.Contains(got.Context, "40 connections") {
		t.Errorf("the call after a reply that was lost brought %q", got.Context)
	}
	if got := r.must(r.Tool(t.Context(), listing(path, "p1"))); got.Context != "" {
		t.Errorf("the next call brought %q", got.Context)
	}
	r.settled()
	if log := usage.OpenLog(home, quiet).Unused("s1", false); len(log) != 1 || log[0].Event != usage.PromptEvent {
		t.Errorf("recorded %+v, want what a prompt was given", log)
	}
	path = transcribe(t, first, askedLine("p2", "what is the staging cluster called?", typedPrompt))
	r.end()
	r = start(t, home)
	if got := r.must(r.Tool(t.Context(), listing(path, "p1"))); got.Context != "" {
		t.Errorf("after a restart the call of the first prompt brought %q", got.Context)
	}
	if got := r.must(r.Tool(t.Context(), listing(path, "p2"))); !slices.Equal(idsOf(got), []string{heron}) {
		t.Errorf("the call of the next prompt brought %q", got.Context)
	}
}

// It is the very block that the prompt's hook would have injected, though the transcript has the prompt and more by then.
func TestUnseenPromptIsRecalledAsSeen(t *testing.T) {
	r := start(t, newHome(t))
	for i, title := range []string{"the pool of database connections has room for 40 of them", "connections of the database pool are closed by the janitor"} {
		r.learn(memory.Memory{Source: memory.Journal, Title: title, Session: fmt.Sprint("before", i), Evidence: title})
	}
	const prompt = "how many connections has the database pool, and who closes those connections?"
	seen := r.must(r.Recollect(t.Context(), api.Prompt{SessionID: "s0", Prompt: prompt, Cwd: folder}))
	path := transcribe(t, `{"type":"mode"}`+"\n", askedLine("p1", prompt, typedPrompt),
		`{"type":"assistant","uuid":"a1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"The database pool has connections, which the janitor closes: 40 of them."}]}}`+"\n")
	late := r.must(r.Tool(t.Context(), listing(path, "p1")))
	if seen.Context == "" || late.Context != seen.Context {
		t.Errorf("the call brought %q, want what the prompt would have brought: %q", late.Context, seen.Context)
	}
}

// Of many calls at once, one brings it, with what bears on the call behind it.
func TestUnseenPromptOnce(t *testing.T) {
	r := start(t, newHome(t))
	pool := r.learn(note("the database pool has 40 connections"), migration())
	path := transcribe(t, askedLine("p1", poolPrompt, typedPrompt))
	var mu sync.Mutex
	var brought []string
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			in := listing(path, "p1")
			in.Input = json.RawMessage(migrate)
			got, err := r.Tool(t.Context(), in)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			brought = append(brought, idsOf(got)...)
		})
	}
	all.Wait()
	if !slices.Equal(brought, pool) {
		t.Errorf("the calls brought %q, want each of %q once", brought, pool)
	}
	r.settled()
	events := map[string]string{}
	for _, i := range usage.OpenLog(r.Home, quiet).Unused("s1", false) {
		events[i.ID] = i.Event
	}
	if events[pool[0]] != usage.PromptEvent || events[pool[1]] != usage.ToolEvent {
		t.Errorf("recorded %v, want the one as the prompt's and the other as the call's", events)
	}
}

// Who is given nothing with a prompt is given nothing later either.
func TestUnseenPromptThatBringsNothing(t *testing.T) {
	incognito := func(r *running) { r.acceptIncognito("s1", true) }
	pause := func(r *running) {
		if _, err := r.Pause(r.t.Context(), api.Pause{Session: "s1"}); err != nil {
			r.t.Error(err)
		}
	}
	ask := func(r *running) {
		r.must(r.Recollect(r.t.Context(), api.Prompt{SessionID: "s1", Prompt: "good morning", PromptID: "p1", Cwd: folder}))
	}
	askPaused := func(r *running) {
		pause(r)
		ask(r)
		if _, err := r.Pause(r.t.Context(), api.Pause{Session: "s1", End: true}); err != nil {
			r.t.Error(err)
		}
	}
	long := strings.Repeat("Count the connections. ", 20)
	program := `"promptSource":"sdk","turnOrigin":"sdk","entrypoint":"sdk-cli",`
	for _, tt := range []struct {
		name, settings, prompt, more string
		before                       func(*running)
		change                       func(*api.ToolCall)
		brings                       bool
	}{
		{name: "a prompt in an editor", brings: true},
		{name: "a short one of claude -p", more: program, brings: true},
		{name: "a program's", more: program, prompt: poolPrompt + " " + long},
		{name: "a notification", more: `"promptSource":"system","turnOrigin":"task_notification","origin":{"kind":"task-notification"},`},
		{name: "another session's message", more: `"isMeta":true,"promptSource":"system","origin":{"kind":"peer"},`},
		{name: "a schedule's", more: `"turnOrigin":"scheduled",`},
		{name: "a command's output", prompt: "<bash-stdout>" + poolPrompt + "</bash-stdout>"},
		{name: "the hook saw it", before: ask},
		{name: "the hook saw it in a pause", before: askPaused},
		{name: "a sub-agent", change: func(in *api.ToolCall) { in.AgentID = "a1" }},
		{name: "clean", change: func(in *api.ToolCall) { in.Clean = true }},
		{name: "incognito", before: incognito},
		{name: "paused", before: pause},
		{name: "withheld", settings: "[hooks]\nwithhold = 1\n"},
		{name: "no prompt hook", settings: "[hooks]\noff = [\"UserPromptSubmit\"]\n"},
		{name: "no hook at calls", settings: "[hooks]\noff = [\"PreToolUse\"]\n"},
		{name: "an older client", change: func(in *api.ToolCall) { in.PromptID = "" }},
		{name: "no transcript", change: func(in *api.ToolCall) { in.TranscriptPath += "x" }},
		{name: "another prompt", change: func(in *api.ToolCall) { in.PromptID = "p2" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			configure(t, home, tt.settings)
			r := start(t, home)
			r.learn(note("the database pool has 40 connections"))
			if tt.before != nil {
				tt.before(r)
			}
			if tt.prompt == "" {
				tt.prompt = poolPrompt
			}
			if tt.more == "" {
				tt.more = typedPrompt
			}
			in := listing(transcribe(t, askedLine("p1", tt.prompt, tt.more)), "p1")
			if tt.change != nil {
				tt.change(&in)
			}
			for call, want := range []bool{tt.brings, false} {
				if got := r.must(r.Tool(t.Context(), in)); (got.Context != "") != want {
					t.Errorf("call %d brought %q, want something: %t", call, got.Context, want)
				}
			}
		})
	}
}

// What a repository's file switches off stays off.
func TestUnseenPromptInRepository(t *testing.T) {
	for text, brings := range map[string]bool{"": true, "capture = false\n": false, "recall = false\n": false, "off = true\n": false} {
		r := start(t, newHome(t))
		app := t.TempDir()
		place(t, app, map[string]string{".recollect.toml": text, ".git/HEAD": "ref: refs/heads/main\n"})
		if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(note("the database pool has 40 connections")), Cwd: app}); err != nil {
			t.Fatal(err)
		}
		r.indexed()
		in := listing(transcribe(t, askedLine("p1", poolPrompt, typedPrompt)), "p1")
		in.Cwd = app
		if got := r.must(r.Tool(t.Context(), in)); (got.Context != "") != brings {
			t.Errorf("with %q the call brought %q, want something: %t", text, got.Context, brings)
		}
		r.end()
	}
}

// A prompt that its transcript does not have yet is looked for again with the next call.
func TestUnseenPromptIsWrittenLate(t *testing.T) {
	r := start(t, newHome(t))
	r.learn(note("the database pool has 40 connections"))
	path := transcribe(t, askedLine("p1", "good morning", typedPrompt))
	if got := r.must(r.Tool(t.Context(), listing(path, "p2"))); got.Context != "" {
		t.Fatalf("brought %q", got.Context)
	}
	path = transcribe(t, askedLine("p1", "good morning", typedPrompt), askedLine("p2", poolPrompt, typedPrompt))
	if got := r.must(r.Tool(t.Context(), listing(path, "p2"))); !strings.Contains(got.Context, "40 connections") {
		t.Errorf("brought %q", got.Context)
	}
}

// A call of our own tools is allowed as ever, and brings the prompt's memories, by its hook or over MCP, where it does not
// name the prompt.
func TestUnseenPromptOfOwnTool(t *testing.T) {
	for _, prompt := range []string{"p1", ""} {
		r := start(t, newHome(t))
		r.learn(note("the database pool has 40 connections"))
		in := listing(transcribe(t, askedLine("p1", poolPrompt, typedPrompt)), prompt)
		in.Tool = ownToolPrefix + "memory_search"
		for call, want := range []bool{true, false} {
			if got := r.must(r.Tool(t.Context(), in)); !got.Allow || (got.Context != "") != want {
				t.Errorf("prompt %q, call %d: allowed %t, brought %q, want something: %t", prompt, call, got.Allow, got.Context, want)
			}
		}
		r.end()
	}
}

// A session whose start and whose prompt were missed gets both in one block, the start first.
func TestUnseenPromptAfterMissedStart(t *testing.T) {
	r, pool := startMissing(t)
	missStart(t, r.home, nil)
	got := r.must(r.Tool(t.Context(), listing(transcribe(t, askedLine("p1", poolPrompt, typedPrompt)), "p1")))
	goal, noted := strings.Index(got.Context, missedGoal), strings.Index(got.Context, pool)
	if goal < 0 || noted < goal || strings.Count(got.Context, "<memory-data") != 1 || got.Notice == "" {
		t.Errorf("told %q and %q, want the goal and then %s in one block", got.Context, got.Notice, pool)
	}
}
