package engine

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// What an earlier version stored with secrets has none afterwards, in whichever file,
// and what has nothing to do with them stays.
func TestRedact(t *testing.T) { withAndWithoutMeaning(t, redacts) }

func redacts(t *testing.T, r *running) {
	const core = "q7zp2lk9xw4rt6bn"
	const secret = "tool --password " + core
	r.remember("the barn has a lock", "the pool has 40 connections")
	inbox := filepath.Join(r.Home, "memories", "inbox.jsonl")
	leave(t, inbox, `{"v":1,"id":"note-0000000000aa","source":"inbox","title":"deploying","text":"run `+secret+` in the zoo","occurred_at":"2026-01-01T00:00:00Z","recorded_at":"2026-01-01T00:00:00Z"}`+"\n"+
		"{broken "+secret+"\n{broken lion\n")
	leave(t, inbox+".torn", `{"v":1,"text":"`+secret+"\n")
	leave(t, filepath.Join(r.Home, "daemon.log"), "time=1 level=INFO msg=serving\ntime=2 level=DEBUG prompt=\""+secret+"\"\n")
	for _, dir := range []string{"sessions", "recollections"} {
		if err := os.MkdirAll(filepath.Join(r.Home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	leave(t, filepath.Join(r.Home, "sessions", "s7.json"), `{"id":"s7","told":{},"last_prompt":"`+secret+`"}`)
	leave(t, filepath.Join(r.Home, "sessions", ".new-1"), secret)
	leave(t, filepath.Join(r.Home, "recollections", "s8.json"), `{"context":"`+secret+`"}`)
	r.remember("the lion sleeps") // so that the log is read again
	r.until("it is found", func() bool { return len(r.search("zoo deploying")) > 0 })

	want := api.Redacted{Memories: 1, Kinds: map[string]int{"password": 1}}
	if got, err := r.Redact(t.Context(), api.Redact{DryRun: true}); err != nil || !cmp.Equal(got, want) {
		t.Fatalf("Redact(dry run) = %+v, %v", got, err)
	}
	if len(filesWith(t, r.Home, core)) < 6 {
		t.Error("a dry run has changed something")
	}
	want.Sessions, want.Lines, want.Gone = 3, 1, true
	if got, err := r.Redact(t.Context(), api.Redact{}); err != nil || !cmp.Equal(got, want) {
		t.Errorf("Redact() = %+v, %v; want %+v", got, err, want)
	}
	r.embedded(r.count())
	if found := filesWith(t, r.Home, core); len(found) > 0 {
		t.Errorf("the secret is still in %q", found)
	}
	for _, word := range []string{"lion", "lock", "pool", "zoo"} {
		if len(filesWith(t, filepath.Join(r.Home, "memories"), word)) == 0 {
			t.Errorf("%q is gone too", word)
		}
	}
	if m, err := r.Memory(t.Context(), "note-0000000000aa"); err != nil || m.Text != "run tool --password [secret:password] in the zoo" {
		t.Errorf("the memory is %+v, %v", m.Memory, err)
	}
	if got, err := r.Redact(t.Context(), api.Redact{}); err != nil || got.Memories+got.Sessions+got.Lines > 0 {
		t.Errorf("Redact() again = %+v, %v", got, err)
	}
}

// A run that was interrupted after it had appended what it redacted is finished by
// the next.
func TestRedactAfterCrash(t *testing.T) {
	const core = "q7zp2lk9xw4rt6bn"
	r := start(t, t.TempDir())
	r.remember("the lion sleeps")
	inbox := filepath.Join(r.Home, "memories", "inbox.jsonl")
	line := func(text string) string {
		return `{"v":1,"id":"note-0000000000aa","source":"inbox","title":"deploying","text":"` + text + `","occurred_at":"2026-01-01T00:00:00Z","recorded_at":"2026-01-01T00:00:00Z"}` + "\n"
	}
	leave(t, inbox, line("run tool --password "+core)+line("run tool --password [secret:password]"))
	r.remember("the lock is red")
	if got, err := r.Redact(t.Context(), api.Redact{}); err != nil || got.Memories > 0 || !got.Gone {
		t.Errorf("Redact() = %+v, %v", got, err)
	}
	if b, err := os.ReadFile(inbox); err != nil || bytes.Contains(b, []byte(core)) {
		t.Error(errors.Join(err, errors.New("the secret is still in the log")))
	}
}

// Whoever stores a memory is told what was redacted.
func TestRememberSaysWhatWasRedacted(t *testing.T) {
	r := start(t, t.TempDir())
	m := memory.Memory{Source: memory.Inbox, Text: "run tool --password q7zp2lk9xw4rt6bn, then https://ada:q7zp2lk9xw4r@example.com"}
	done, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m)})
	if err != nil || !cmp.Equal(done.Redacted, map[string]int{"password": 2}) {
		t.Errorf("Remember() = %+v, %v", done, err)
	}
	m.Text = "the lion sleeps, and [secret:password] is what it was"
	if done, err = r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m)}); err != nil || len(done.Redacted) > 0 {
		t.Errorf("Remember() = %+v, %v; want nothing redacted", done, err)
	}
}
