package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// However often the daemon is killed while it imports past sessions, prompts are answered
// meanwhile, and it ends with the memories of an undisturbed import by hand.
func TestKillWhileLearning(t *testing.T) {
	skipIfShort(t, "takes 9 s")
	folder := filepath.Join(t.TempDir(), "projects")
	if err := os.Rename(manySessions(t, 4), folder); err != nil {
		t.Fatal(err)
	}
	stressHome(t)
	importWhole(t, folder)
	want := said(exported(t))

	_, client := stressHome(t)
	fire := func(event, session string) {
		if _, errs, err := fireHookAt(t.Context(), event, session, "how big is the connection pool?", filepath.Join(folder, "x", session+".jsonl")); err != nil {
			t.Errorf("%s: %v\n%s", event, err, errs)
		}
	}
	awake(t)
	fire("SessionStart", "n0")
	done := 0
	for range rounds(t, 3) {
		daemon := awake(t)
		fire("UserPromptSubmit", "n1")
		done = learning(t, client, func(p api.PastSessions) bool { return p.Done > done+rand.IntN(6) || p.State == "done" }).Done
		<-time.After(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		if err := daemon.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	awake(t)
	fire("UserPromptSubmit", "n2")
	past := learning(t, client, func(p api.PastSessions) bool { return p.State == "done" })
	if past.Done != past.Files || past.Files < 40 {
		t.Errorf("past sessions: %+v, want all files done", past)
	}
	if diff := cmp.Diff(want, said(exported(t))); diff != "" {
		t.Errorf("memories after kills differ (-by hand +in the background):\n%s", diff)
	}
}

// learning waits until the import of past sessions is as far as wanted.
func learning(t *testing.T, client *api.Client, enough func(api.PastSessions) bool) api.PastSessions {
	t.Helper()
	var last api.Health
	for end := time.Now().Add(time.Minute); time.Now().Before(end); <-time.After(time.Millisecond) {
		h, err := client.Health(t.Context())
		if err == nil && h.Past != nil && enough(*h.Past) {
			return *h.Past
		}
		last = h
	}
	t.Fatalf("past sessions: %+v, never as far as wanted", last.Past)
	return api.PastSessions{}
}

// said returns memories without what tells which of several turns was read first. When they
// were said last remains, except of patterns: one that two failures make is dated by the
// failure that was read as the second.
func said(all map[string]memory.Memory) map[string]memory.Memory {
	for id, m := range all {
		turns := len(m.ConfirmedBy)
		m.LastSeen, m.OccurredAt, m.Session, m.Turn, m.ConfirmedBy = m.When(), time.Time{}, "", "", make([]string, turns)
		if m.Source == memory.Patterns {
			m.LastSeen = time.Time{}
		}
		all[id] = m
	}
	return all
}
