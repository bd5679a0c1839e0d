package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
)

const folder = "/home/dev/src/app"

// learn stores memories of the tests' project and waits until they are found.
func (r *running) learn(ms ...memory.Memory) []string {
	r.t.Helper()
	done, err := r.Remember(r.t.Context(), api.Remember{Memories: memory.Drafts(ms...), Cwd: folder})
	if err != nil {
		r.t.Fatal(err)
	}
	r.indexed()
	return done.IDs
}

// indexed waits until all memories are found.
func (r *running) indexed() {
	r.t.Helper()
	r.waitForIndex(r.t.Context())
	r.until("memories are indexed", func() bool {
		h := r.health()
		return h.Index == "ready" && h.Indexed == h.Memories
	})
}

func (r *running) rememberPool(t *testing.T) {
	t.Helper()
	r.learn(memory.Memory{Source: memory.Inbox, Title: "the database pool has 40 connections", Text: strings.Repeat("Three pods share them, and each has its own queue. ", 8)})
}

// injectedAt returns what a session whose transcript lies at path is told.
func (r *running) toldAt(t *testing.T, session, path string) string {
	t.Helper()
	got, err := r.Recollect(t.Context(), api.Prompt{SessionID: session, Prompt: poolPrompt, Cwd: folder, TranscriptPath: path})
	if err != nil {
		t.Fatal(err)
	}
	return got.Context
}

func migration() memory.Memory {
	return memory.Memory{Source: memory.Failures, Title: "`npx prisma migrate deploy` fails: P3009 migrate found failed migrations",
		Fields: map[string]string{"tool": "Bash", "error": "Error: P3009 migrate found failed migrations", "fix": "ran `npx prisma migrate resolve --rolled-back 42`"}}
}

// call asks about a tool call and returns the ids of what was injected.
func (r *running) call(session, agent, tool, input string) []string {
	r.t.Helper()
	got, err := r.Tool(r.t.Context(), api.ToolCall{SessionID: session, AgentID: agent, Cwd: folder, Tool: tool, Input: json.RawMessage(input)})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, b := range got.Injected {
		if !strings.Contains(got.Context, b.ID) {
			r.t.Errorf("%s is no part of what is injected: %s", b.ID, got.Context)
		}
	}
	return idsOf(got)
}

const migrate = `{"command":"npx prisma migrate deploy"}`

func TestToolInjectsOnce(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.learn(migration(), note("npx prisma migrate deploy is run by hand"))
	steps := []struct {
		name                  string
		session, agent, input string
		injected              int
	}{
		{"another command", "s1", "", `{"command":"npx prisma generate"}`, 0},
		{"one that only looks", "s1", "", `{"command":"cat prisma/schema.prisma"}`, 0},
		{"the command", "s1", "", migrate, 1},
		{"again", "s1", "", migrate, 0},
		{"in other words", "s1", "", `{"command":"cd api && npx prisma migrate deploy 2>&1 | tail -3"}`, 0},
		{"in a sub-agent", "s1", "a1", migrate, 1},
		{"in it again", "s1", "a1", migrate, 0},
		{"in another session", "s2", "", migrate, 1},
	}
	for _, s := range steps {
		if got := r.call(s.session, s.agent, "Bash", s.input); len(got) != s.injected {
			t.Errorf("%s: told %q, want %d", s.name, got, s.injected)
		}
	}
	r.end()
	r = start(t, home)
	for _, agent := range []string{"", "a1"} {
		if got := r.call("s1", agent, "Bash", migrate); len(got) != 0 {
			t.Errorf("after a restart, agent %q: told %q again", agent, got)
		}
	}
}

// What a prompt was given is not injected again with a tool, nor the reverse.
func TestToolAndPromptShare(t *testing.T) {
	r := start(t, newHome(t))
	r.learn(migration())
	const prompt = "npx prisma migrate deploy fails with P3009 failed migrations, what now?"
	ask := func(session string) int {
		got, err := r.Recollect(t.Context(), api.Prompt{SessionID: session, Prompt: prompt, Cwd: folder})
		if err != nil {
			t.Fatal(err)
		}
		return len(got.Injected)
	}
	if a, b := ask("s1"), len(r.call("s1", "", "Bash", migrate)); a != 1 || b != 0 {
		t.Errorf("the prompt was given %d and the tool after it %d, want 1 and 0", a, b)
	}
	if a, b := len(r.call("s2", "", "Bash", migrate)), ask("s2"); a != 1 || b != 0 {
		t.Errorf("the tool was given %d and the prompt after it %d, want 1 and 0", a, b)
	}
}

func TestToolsAtOnce(t *testing.T) {
	r := start(t, newHome(t))
	r.learn(migration())
	var mu sync.Mutex
	injected := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			ids := r.call("s1", "", "Bash", migrate)
			mu.Lock()
			defer mu.Unlock()
			injected += len(ids)
		})
	}
	wg.Wait()
	if injected != 1 {
		t.Errorf("calls at once were given %d memories, want 1", injected)
	}
}

// A failure that the session has just seen is in its context.
func TestToolOfOwnSession(t *testing.T) {
	r := start(t, newHome(t))
	m := migration()
	m.Session, m.OccurredAt = "s1", time.Now()
	r.learn(m)
	if got := r.call("s1", "", "Bash", migrate); len(got) != 0 {
		t.Errorf("its own session was given %q", got)
	}
	if got := r.call("s1", "a1", "Bash", migrate); len(got) != 1 {
		t.Errorf("a sub-agent that began later was given %q, want 1", got)
	}
}

func TestToolSettings(t *testing.T) {
	tests := []struct {
		name, file string
		injected   int
	}{
		{"default", "", 2},
		{"off", "[hooks.PreToolUse]\nenabled = false\n", 0},
		{"only the same line", "[tools]\nmin_relevance = 0.99\n", 1},
		{"fewer", "[tools]\nitems = 1\n", 1},
		{"none", "[tools]\nitems = 0\n", 0},
		{"no tokens", "[tools]\ntokens = 0\n", 0},
		{"no failures", "[sources.failures]\nenabled = false\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			configure(t, home, tt.file)
			r := start(t, home)
			r.learn(migration(), memory.Memory{Source: memory.Preferences, Title: "Ask before you run prisma migrate"},
				memory.Memory{Source: memory.Journal, Title: "prisma keeps the schema"})
			if got := r.call("s1", "", "Bash", migrate); len(got) != tt.injected {
				t.Errorf("injected %q, want %d", got, tt.injected)
			}
		})
	}
}

func TestAllowMemoryTools(t *testing.T) {
	tests := []struct {
		tool, file string
		want       bool
	}{
		{ownToolPrefix + "memory_recall", "", true},
		{ownToolPrefix + "memory_expand", "", true},
		{ownToolPrefix + "memory_forget", "", false},
		{ownToolPrefix + "memory_remember", "", false},
		{"mcp__other__memory_recall", "", false},
		{"Bash", "", false},
		{ownToolPrefix + "memory_recall", "[hooks.PreToolUse]\nallow_memory_tools = false\n", false},
	}
	for _, tt := range tests {
		home := newHome(t)
		configure(t, home, tt.file)
		r := start(t, home)
		got, err := r.Tool(t.Context(), api.ToolCall{SessionID: "s1", Cwd: folder, Tool: tt.tool, Input: json.RawMessage(`{"command":"rm -rf /"}`)})
		if err != nil || got.Allow != tt.want {
			t.Errorf("%s with %q: allowed %t, %v, want %t", tt.tool, tt.file, got.Allow, err, tt.want)
		}
		r.end()
	}
}

func (r *running) brief(session, agent, kind string) []string {
	r.t.Helper()
	got, err := r.Agent(r.t.Context(), api.Agent{SessionID: session, AgentID: agent, AgentType: kind, Cwd: folder})
	if err != nil {
		r.t.Fatal(err)
	}
	return idsOf(got)
}

func TestSubagentStart(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.rememberPool(t)
	task := fmt.Sprintf(`{"description":"Size the pool","prompt":%q,"subagent_type":"Explore"}`, poolPrompt)
	if got := r.brief("s1", "a0", "Explore"); len(got) != 0 {
		t.Errorf("a sub-agent without a task was given %q", got)
	}
	r.call("s1", "", "Agent", task)
	if got := r.brief("s2", "a1", "Explore"); len(got) != 0 {
		t.Errorf("a sub-agent of another session was given %q", got)
	}
	if got := r.brief("s1", "a1", "Plan"); len(got) != 0 {
		t.Errorf("a sub-agent of another type was given %q", got)
	}
	if got := r.brief("s1", "a1", "Explore"); len(got) != 1 {
		t.Errorf("the sub-agent was given %q, want 1", got)
	}
	if got := r.brief("s1", "a2", "Explore"); len(got) != 0 {
		t.Errorf("the next sub-agent was given %q for a task that is taken", got)
	}
	if got := r.recollect("s1"); len(got) != 1 {
		t.Errorf("the session was given %q, want 1: its context is not the sub-agent's", got)
	}
	r.settled()
	recorded := usage.OpenLog(home, quiet)
	if a, b := recorded.Unused("s1", true), recorded.Unused("s1", false); len(a) != 1 || len(b) != 1 {
		t.Errorf("noted %+v for sub-agents and %+v for their session, want one each", a, b)
	}
}

func TestSubagentStartOff(t *testing.T) {
	home := newHome(t)
	configure(t, home, "[hooks.SubagentStart]\nenabled = false\n")
	r := start(t, home)
	r.rememberPool(t)
	r.call("s1", "", "Agent", fmt.Sprintf(`{"prompt":%q,"subagent_type":"Explore"}`, poolPrompt))
	if got := r.brief("s1", "a1", "Explore"); len(got) != 0 {
		t.Errorf("injected %q", got)
	}
}

func TestAnswers(t *testing.T) {
	a := newAnswers()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	known := func(key string, version int64, at time.Time) bool {
		_, ok := a.get(key, version, at)
		if !ok {
			a.add(key, version, at, nil)
		}
		return ok
	}
	steps := []struct {
		name    string
		key     string
		version int64
		at      time.Time
		known   bool
	}{
		{"new", "a", 1, now, false},
		{"known", "a", 1, now.Add(answerAge - 1), true},
		{"another call", "b", 1, now, false},
		{"a memory was written", "a", 2, now, false},
		{"known again", "a", 2, now, true},
		{"too old", "a", 2, now.Add(answerAge), false},
	}
	for _, s := range steps {
		if got := known(s.key, s.version, s.at); got != s.known {
			t.Errorf("%s: known: %t, want %t", s.name, got, s.known)
		}
	}
	for i := range 2 * maxAnswers {
		known(fmt.Sprint(i), 2, now)
	}
	if got := a.cache.Len(); got != maxAnswers {
		t.Errorf("%d answers are kept, want %d", got, maxAnswers)
	}
}

// What was written is told at once by the next call, and what was forgotten
// no more.
func TestAnswersFollowMemories(t *testing.T) {
	r := start(t, newHome(t))
	if got := r.call("s1", "", "Bash", migrate); len(got) != 0 {
		t.Fatalf("injected %q, want nothing", got)
	}
	ids := r.learn(migration())
	if got := r.call("s1", "", "Bash", migrate); len(got) != 1 {
		t.Errorf("injected %q after it was learnt, want 1", got)
	}
	if _, err := r.Forget(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if got := r.call("s2", "", "Bash", migrate); len(got) != 0 {
		t.Errorf("injected %q after it was forgotten", got)
	}
}
