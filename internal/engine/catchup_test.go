package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"recollect/internal/api"
)

// What sessions did while no daemon ran is captured when one starts, and that
// of their sub-agents; what no hook ever named is not.
func TestCatchUp(t *testing.T) {
	t.Parallel()
	home, dir := newHome(t), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write("s1.jsonl", turn("1", "why do the trains arrive late?", "The signals fail in the cold."))
	r := start(t, home)
	if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: filepath.Join(dir, "s1.jsonl"), Reason: "Stop"}); err != nil {
		t.Fatal(err)
	}
	r.until("the first turn is captured", func() bool { return r.count() > 0 })
	r.end()

	write("s1.jsonl", turn("2", "how do we warm the signals?", "A heating wire of 40 watts keeps them dry."))
	write("s1/subagents/agent-a7.jsonl", turn("3", "count the signals of the line", "There are 1200 signals between both ends."))
	write("s2.jsonl", turn("4", "which colour has the station?", "It was painted green last summer."))
	r = start(t, home)
	found := func(query, title string) func() bool {
		return func() bool { return slices.Contains(r.search(query), title) }
	}
	r.until("the second turn is captured", found("warm signals", "how do we warm the signals?"))
	r.until("the sub-agent is captured", found("count signals", "count the signals of the line"))
	if got := r.search("colour of the station"); slices.Contains(got, "which colour has the station?") {
		t.Error("a transcript that nobody named was captured")
	}
}

// A sub-agent of which no SubagentStop came is captured once its session ends a turn.
func TestCatchUpWithAgents(t *testing.T) {
	t.Parallel()
	home, dir := newHome(t), t.TempDir()
	for name, text := range map[string]string{
		"s1.jsonl":                        turn("1", "why do the trains arrive late?", "The signals fail in the cold."),
		"s1/subagents/agent-a7.jsonl":     turn("3", "count the signals of the line", "There are 1200 signals between both ends."),
		"s1/subagents/agent-a8.jsonl":     turn("5", "count the bridges of the line", "There are 17 bridges between both ends."),
		"s2/subagents/agent-a9.jsonl":     turn("7", "count the tunnels of the line", "There are 3 tunnels between both ends."),
		"s1/subagents/agent-a7.meta.json": "{}",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := start(t, home)
	if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: filepath.Join(dir, "s1.jsonl"), Reason: "Stop"}); err != nil {
		t.Fatal(err)
	}
	for query, title := range map[string]string{"count signals": "count the signals of the line", "count bridges": "count the bridges of the line"} {
		r.until("the sub-agent is captured: "+title, func() bool { return slices.Contains(r.search(query), title) })
	}
	if got := r.search("count tunnels"); slices.Contains(got, "count the tunnels of the line") {
		t.Error("a sub-agent of another session was captured")
	}
}

// A session that is killed in its first turn was named by its start or its prompt alone,
// when there was no transcript yet. The next daemon captures it.
func TestCatchUpWithFirstTurn(t *testing.T) {
	for name, hear := range map[string]func(*running, string) error{
		"start": func(r *running, path string) error {
			_, err := r.Orient(r.t.Context(), api.Session{SessionID: "s1", TranscriptPath: path, Cwd: "/home/dev/src/app", Reason: "startup"})
			return err
		},
		"resume": func(r *running, path string) error {
			_, err := r.Orient(r.t.Context(), api.Session{SessionID: "s1", TranscriptPath: path, Cwd: "/home/dev/src/app", Reason: "resume"})
			return err
		},
		"prompt": func(r *running, path string) error {
			_, err := r.Recollect(r.t.Context(), api.Prompt{SessionID: "s1", TranscriptPath: path, Cwd: "/home/dev/src/app", Prompt: "why do the trains arrive late?"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the daemon waits for a second
			home, path := newHome(t), filepath.Join(t.TempDir(), "project", "s1.jsonl")
			r := start(t, home)
			if err := hear(r, path); err != nil {
				t.Fatal(err)
			}
			r.settled()
			r.end()
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(turn("1", "why do the trains arrive late?", "The signals fail in the cold.")), 0o600); err != nil {
				t.Fatal(err)
			}
			r = start(t, home)
			r.until("the first turn is captured", func() bool {
				return slices.Contains(r.search("trains late"), "why do the trains arrive late?")
			})
		})
	}
}

func turn(id, prompt, reply string) string {
	return record("user", "u"+id, `"`+prompt+`"`) + record("assistant", "a"+id, `[{"type":"text","text":"`+reply+`"}]`)
}
