package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
)

// What came of a session's last prompt is known, also to the next daemon, and why nothing did.
func TestLastRecall(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.remember("the database pool has 40 connections")
	r.search("pool")
	last := func(r *running, session string) []api.Recalled {
		t.Helper()
		out, err := r.Recalls(t.Context(), api.AskRecalls{Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return out.Recalls
	}
	prompt := func(text string) {
		t.Helper()
		if _, err := r.Recollect(t.Context(), api.Prompt{SessionID: "s1", Prompt: text, Cwd: "/home/dev/src/app"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := last(r, "s1"); len(got) != 0 {
		t.Errorf("before the first prompt: %+v", got)
	}
	prompt("how many connections has the\n database pool?")
	got := last(r, "s1")
	if len(got) != 1 || got[0].Injected != 1 || got[0].Tokens == 0 || got[0].Took <= 0 || got[0].Prompt != "" {
		t.Errorf("after a prompt: %+v, want one memory and no prompt", got)
	}
	if n := got[0].Named; len(n) != 1 || n[0].Title != "the database pool has 40 connections" {
		t.Errorf("named %+v, want what the memory says", n)
	}
	got[0].Named = nil // no text is stored
	r.end()
	r = start(t, home)
	if again := last(r, "s1"); len(again) != 1 || !cmp.Equal(again[0], got[0]) {
		t.Errorf("in the next daemon: %+v, want %+v", again, got)
	}
	prompt("yes")
	if got := last(r, "s1"); len(got) != 1 || got[0].Injected != 0 || got[0].Tokens != 0 {
		t.Errorf("after a prompt that nothing bears on: %+v", got)
	}
	all, err := r.Recalls(t.Context(), api.AskRecalls{After: 0})
	if err != nil || len(all.Recalls) != 1 || all.Recalls[0].Prompt != "yes" || all.Recalls[0].Why == "" || all.Recalls[0].Project != "app" {
		t.Errorf("all: %+v, %v, want the prompt and why nothing was injected", all, err)
	}
	if _, err := r.ForgetAll(t.Context(), api.Forget{Matching: "database pool"}); err != nil {
		t.Fatal(err)
	}
	if all, err := r.Recalls(t.Context(), api.AskRecalls{After: 0}); err != nil || len(all.Recalls) != 0 {
		t.Errorf("after a memory was forgotten: %+v, %v, want no prompts", all, err)
	}
}

// Recalls are numbered, bounded, and given out once; who asks too early waits.
func TestRecalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{recent: usage.NewRecent(time.Now())}
		ask := func(ctx context.Context, after int64, wait time.Duration) api.Recalls {
			t.Helper()
			out, err := e.Recalls(ctx, api.AskRecalls{After: after, Wait: wait})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		first := ask(t.Context(), -1, 0)
		began := time.Now()
		if out := ask(t.Context(), first.Next, time.Minute); len(out.Recalls) != 0 || time.Since(began) != time.Minute {
			t.Errorf("after %s: %+v, want nothing after a minute", time.Since(began), out)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if out := ask(gone, first.Next, time.Minute); len(out.Recalls) != 0 {
			t.Errorf("a client that left: %+v", out)
		}
		for _, after := range []int64{first.Next, -1} {
			go func() {
				time.Sleep(time.Second)
				e.recent.Add(api.Recalled{Prompt: "one"})
			}()
			if out := ask(t.Context(), after, time.Minute); len(out.Recalls) != 1 || out.Next <= first.Next {
				t.Errorf("after %d: %+v, want the one that comes", after, out)
			}
		}
		for range 2 * usage.MaxRecent {
			e.recent.Add(api.Recalled{Prompt: "more"})
		}
		if out := ask(t.Context(), 0, 0); len(out.Recalls) != usage.MaxRecent || out.Next != out.Recalls[usage.MaxRecent-1].Seq {
			t.Errorf("%d recalls, next %d, want the last %d", len(out.Recalls), out.Next, usage.MaxRecent)
		}
	})
}
