package engine

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/store"
)

// says stores a verdict and returns the one before.
func (r *running) says(id, verdict string) string {
	r.t.Helper()
	before, err := r.SetVerdict(r.t.Context(), api.Verdict{ID: id, Says: verdict, Session: "s1"})
	if err != nil {
		r.t.Fatal(err)
	}
	return before.Says
}

// What the owner said is wrong is injected nowhere, also by the next daemon, until they take that back.
func TestWrongIsNotInjected(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	pool := r.remember("the database pool has 40 connections")[0]
	learned := r.learn(migration(), memory.Memory{Source: memory.Preferences, Title: "British spelling, never American", AppliesTo: "global"})
	failure, rule := learned[0], learned[1]
	got := func(session string) map[string]bool {
		return map[string]bool{
			"start": slices.Contains(r.orient(session, "startup"), rule), "prompt": slices.Contains(r.recollect(session), pool),
			"call": slices.Contains(r.call(session, "", "Bash", migrate), failure), "search": len(r.search("database pool")) > 0,
		}
	}
	check := func(when, session string, want bool) {
		t.Helper()
		for at, injected := range got(session) {
			if injected != want {
				t.Errorf("%s, %s: injected %t, want %t", when, at, injected, want)
			}
		}
	}
	check("at first", "s1", true)
	for _, id := range learned {
		r.says(id, api.Wrong)
	}
	r.says(pool, api.Wrong)
	check("wrong", "s2", false)
	e := r.explain(api.Prompt{Prompt: poolPrompt, Cwd: folder})
	if at := slices.IndexFunc(e.Candidates, func(c api.Candidate) bool { return c.ID == pool }); at < 0 || e.Candidates[at].Outcome != recall.SaidWrong {
		t.Errorf("explained as %+v, want that the owner said so", e.Candidates)
	}
	r.end()
	r = start(t, home)
	check("after a restart", "s3", false)
	if m, err := r.Memory(t.Context(), pool); err != nil || m.Verdict != api.Wrong || !strings.Contains(m.Story[len(m.Story)-1].What, recall.SaidWrong) {
		t.Errorf("shown as %q, %+v, %v", m.Verdict, m.Story, err)
	}
	if all := r.usage.Verdicts.All(); len(all) != 3 || all[pool].At.IsZero() || all[pool].Session != "s1" {
		t.Errorf("verdicts %+v", all)
	}
	for _, id := range append(learned, pool) {
		if before := r.says(id, ""); before != api.Wrong {
			t.Errorf("before it was taken back: %q", before)
		}
	}
	check("taken back", "s4", true)
}

// A session begins without what was wrong of the last one: a decision of it, or what it came to.
func TestWrongAtTheStart(t *testing.T) {
	r := start(t, newHome(t))
	of := func(m memory.Memory) memory.Memory {
		m.Session, m.Turn, m.Origin, m.OccurredAt = "old", "t1", memory.OriginUser, time.Now().Add(-time.Hour)
		return m
	}
	ids := r.learn(of(memory.Memory{Source: memory.Journal, Title: "the totals are rounded half up", Tags: []string{memory.TagDecision}}),
		of(memory.Memory{Source: memory.Handoffs, Title: "the totals of the invoices", Fields: map[string]string{"open": "the totals of old invoices still have to be rounded anew"}}))
	decision, handoff := ids[0], ids[1]
	check := func(when string, want ...string) {
		t.Helper()
		got := r.orient(when, "startup")
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s: begins with %q, want %q", when, got, want)
		}
	}
	check("at first", decision, handoff)
	r.says(decision, api.Wrong)
	check("the decision is wrong", handoff)
	r.says(decision, "")
	r.says(handoff, api.Wrong)
	check("the session is wrong") // its decisions come with the prompts that they are about
}

// A count of failures is no memory, but may be wrong as well.
func TestWrongWarning(t *testing.T) {
	r := start(t, newHome(t))
	r.importTurns("s1", "s2")
	if r.warned("s3") == "" {
		t.Fatal("no warning")
	}
	seen, err := r.Recalls(t.Context(), api.AskRecalls{After: 0})
	if err != nil || len(seen.Recalls) == 0 || len(seen.Recalls[0].Named) == 0 {
		t.Fatalf("seen %+v, %v", seen, err)
	}
	named := seen.Recalls[0].Named[0]
	r.settled() // the job that logs what was injected
	r.says(named.ID, api.Wrong)
	if got := r.warned("s4"); got != "" || !named.Gone {
		t.Errorf("told %q, after %+v", got, named)
	}
}

// What was left for hooks to inject without asking has nothing that is wrong.
func TestWrongDropsFallbacks(t *testing.T) {
	r, _ := scarce(t)
	r.recollect("s1")
	path, ids := r.fallback("s1")
	r.says(ids[0], api.Wrong)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the fallback is left: %v", err)
	}
}

// The feed says what the owner said, and goes on without a memory that was forgotten.
func TestVerdictsInTheFeed(t *testing.T) {
	r := start(t, newHome(t))
	ids := r.learn(memory.Memory{Source: memory.Preferences, Title: "British spelling, never American"}, memory.Memory{Source: memory.Preferences, Title: "two spaces in front of a list, never tabs"})
	if got := r.orient("s1", "startup"); len(got) != 2 {
		t.Fatalf("injected %q, want both", got)
	}
	feed := func() []api.Title {
		t.Helper()
		out, err := r.Recalls(t.Context(), api.AskRecalls{After: 0})
		if err != nil || len(out.Recalls) != 1 {
			t.Fatalf("feed %+v, %v", out, err)
		}
		return out.Recalls[0].Named
	}
	r.says(ids[0], api.Useful)
	for _, named := range feed() {
		if want := map[bool]string{true: api.Useful}[named.ID == ids[0]]; named.Verdict != want || named.Gone {
			t.Errorf("named %+v, want verdict %q", named, want)
		}
	}
	if _, err := r.Forget(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if named := feed(); len(named) != 1 || named[0].ID != ids[1] || len(r.usage.Verdicts.All()) != 0 {
		t.Errorf("after one was forgotten: %+v, verdicts %+v", named, r.usage.Verdicts.All())
	}
}

func TestVerdictOnNothing(t *testing.T) {
	r := start(t, newHome(t))
	if _, err := r.SetVerdict(t.Context(), api.Verdict{ID: "note-000000000000", Says: api.Wrong}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no such memory: %v", err)
	}
	id := r.remember("the database pool has 40 connections")[0]
	var bad *api.BadRequest
	if _, err := r.SetVerdict(t.Context(), api.Verdict{ID: id, Says: "fine"}); !errors.As(err, &bad) {
		t.Errorf("another verdict: %v", err)
	}
}
