package recall

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall/request"
	"recollect/internal/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// now is when every prompt of the tests is typed.
var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

var (
	here  = memory.Project{Name: "orders-api", Path: "/home/dev/src/orders-api"}
	other = memory.Project{Name: "lore", Path: "/home/dev/src/lore"}
)

// open makes a Recall over a store and an index of its own that hold ms.
func open(t testing.TB, ms ...memory.Memory) *Recall {
	t.Helper()
	home := t.TempDir()
	s := storetest.Open(t, home)
	x, err := index.Open(filepath.Join(home, "index"), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &Recall{Store: s, Index: x}
	if err := r.put(ms); err != nil {
		t.Fatal(err)
	}
	return r
}

// put stores and indexes memories, as the daemon does.
func (r *Recall) put(ms []memory.Memory) error {
	cleaned, err := clean.Drafts(memory.Drafts(ms...)...)
	if err != nil {
		return err
	}
	for i, m := range cleaned {
		ms[i] = m.Memory()
	}
	return r.putClean(cleaned)
}

func (r *Recall) putClean(cleaned []clean.Memory) error {
	if err := r.Store.Append(cleaned...); err != nil {
		return err
	}
	ms := make([]memory.Memory, len(cleaned))
	for i, m := range cleaned {
		ms[i] = m.Memory()
	}
	return r.Index.Update(ms, nil, nil)
}

// shipped returns the settings of a user who changed none.
func shipped(t testing.TB) config.Settings {
	t.Helper()
	live, err := config.NewLive(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := live.Current()
	if s.Err != nil {
		t.Fatal(s.Err)
	}
	return s
}

// ask types a prompt in the project here, with every candidate explained. Whatever the prompt is worth, what is
// relevant enough is injected: most tests are of relevance and of the gates behind it.
func ask(t testing.TB, prompt string) request.Request {
	return request.Request{Prompt: prompt, Project: here, Now: now, Settings: turn(t, relevantOnly, "rank.threshold", 0), All: true}
}

func recall(t testing.TB, r *Recall, req request.Request) request.Result {
	t.Helper()
	res, err := r.Recall(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// inbox makes a memory of the project that prompts are typed in, a day old.
func inbox(id, title, text string) memory.Memory {
	m := memory.Memory{ID: id, Source: memory.Inbox, Title: title, Text: text, OccurredAt: now.Add(-day)}
	m.SetHome(here)
	return m
}

// golden compares got with a file of testdata, or rewrites that.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.ReplaceAll(string(want), "\r\n", "\n")
	if diff := cmp.Diff(lines, got); diff != "" {
		t.Errorf("%s (-want +got), rewrite it with -update:\n%s", path, diff)
	}
}

// found returns the explanation of the candidate with this id.
func found(t *testing.T, res request.Result, id string) api.Candidate {
	t.Helper()
	for _, c := range res.Explanation.Candidates {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("%s is no candidate: %+v", id, res.Explanation.Candidates)
	return api.Candidate{}
}

func TestRecall(t *testing.T) {
	r := open(t,
		inbox("note-pool", "Connection pool exhausted", "HasOpenOrders did not close its rows."),
		inbox("note-cors", "CORS with cookies", "A wildcard origin is refused."),
	)
	tests := []struct {
		name, prompt string
		want         []string
		skipped      string
	}{
		{"answered", "the connection pool is exhausted again", []string{"note-pool"}, ""},
		{"answered by an identifier", "what does HasOpenOrders do", []string{"note-pool"}, ""},
		{"another memory", "CORS wildcard origin", []string{"note-cors"}, ""},
		{"nothing relevant", "write a haiku about autumn leaves", nil, ""},
		{"empty", "", nil, "the prompt has no word to look for"},
		{"stop words", "and what is it then?", nil, "the prompt has no word to look for"},
		{"common words", "please change it now", nil, "the prompt has no word to look for"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := recall(t, r, ask(t, tt.prompt))
			var got []string
			for _, b := range res.Injected {
				got = append(got, b.ID)
				if !strings.Contains(res.Context, b.Text) {
					t.Errorf("the context lacks the bite %q", b.Text)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || res.Explanation.Skipped != tt.skipped {
				t.Errorf("injected (-want +got), skipped %q, want %q:\n%s", res.Explanation.Skipped, tt.skipped, diff)
			}
			if (res.Context == "") != (len(tt.want) == 0) {
				t.Errorf("context %q for %d memories", res.Context, len(tt.want))
			}
		})
	}
}

// The same prompt must not be answered in two ways.
func TestRecallIsStable(t *testing.T) {
	var ms []memory.Memory
	for i := range 40 {
		ms = append(ms, inbox(fmt.Sprintf("note-%02d", i), "Connection pool", fmt.Sprintf("The pool of pod %d was exhausted.", i)))
	}
	r := open(t, ms...)
	req := ask(t, "connection pool exhausted")
	first := recall(t, r, req)
	if len(first.Injected) != req.Settings.Budget.Items {
		t.Fatalf("%d memories injected, want %d", len(first.Injected), req.Settings.Budget.Items)
	}
	for range 3 {
		if diff := cmp.Diff(first, recall(t, r, req)); diff != "" {
			t.Fatalf("the second answer differs:\n%s", diff)
		}
	}
}

// What is held back need not be read, and whether it is changes nothing that
// is injected.
func TestRecallNotAll(t *testing.T) {
	r := captured(t)
	for _, question := range questions {
		req := ask(t, question.prompt)
		all := recall(t, r, req)
		req.All = false
		brief := recall(t, r, req)
		if diff := cmp.Diff(all.Recollection, brief.Recollection); diff != "" {
			t.Errorf("%s (-all +brief):\n%s", question.prompt, diff)
		}
		for _, c := range brief.Explanation.Candidates {
			if c.Relevance < pastRelevance && c.Outcome != api.OutcomeInjected { // a session's brief has what matters to it less
				t.Errorf("%s: a candidate with the relevance %v", question.prompt, c.Relevance)
			}
		}
	}
}

// The lowest minimum of a source that is on says what must be read.
func TestFloor(t *testing.T) {
	tests := []struct {
		name   string
		change func(*request.Request)
		want   float64
	}{
		{"as shipped", func(*request.Request) {}, config.MinRelevance},
		{"all", func(r *request.Request) { r.All = true }, 0},
		{"one lower", func(r *request.Request) { r.Settings.Sources.Thinking.MinRelevance = 0.005 }, 0.005},
		{"that one off", func(r *request.Request) {
			r.Settings.Sources.Thinking.MinRelevance, r.Settings.Sources.Thinking.Enabled = 0.005, false
		}, config.MinRelevance},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := request.Request{Settings: shipped(t)}
			tt.change(&req)
			if got := (&query{req: &req, all: req.All}).floor(); got != tt.want {
				t.Errorf("floor() = %v, want %v", got, tt.want)
			}
		})
	}
}

// Prompts of several sessions come at once, and settings may change between
// them: for the race detector.
func TestRecallConcurrently(t *testing.T) {
	r := open(t, inbox("note-pool", "Connection pool exhausted", "Rows were not closed."))
	before, after := ask(t, "connection pool exhausted"), ask(t, "connection pool exhausted")
	var wg sync.WaitGroup
	for i := range 8 {
		req := before
		if i%2 == 0 {
			req = after
		}
		wg.Go(func() {
			if res, err := r.Recall(t.Context(), req); err != nil || len(res.Injected) != 1 {
				t.Errorf("%d memories injected, error %v", len(res.Injected), err)
			}
		})
	}
	wg.Wait()
}

func TestRecallCancelled(t *testing.T) {
	r := open(t, inbox("note-pool", "Connection pool exhausted", "Rows were not closed."))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if res, err := r.Recall(ctx, ask(t, "connection pool exhausted")); err == nil {
		t.Errorf("%d memories injected after the hook left, no error", len(res.Injected))
	}
}

func TestSearch(t *testing.T) {
	stale := inbox("note-stale", "Pool size is 5", "The connection pool holds 5.")
	fresh := inbox("note-fresh", "Pool size is 25", "The connection pool holds 25.")
	fresh.Supersedes = []string{"note-stale"}
	abroad := inbox("note-abroad", "Pool of workers", "A connection pool of another kind.")
	abroad.SetHome(other)
	goal := inbox("goal-pool", "Measure the connection pool", "")
	goal.Source = memory.Goals
	r := open(t, stale, fresh, abroad, goal)
	tests := []struct {
		name   string
		filter request.Filter
		limit  int
		want   []string
	}{
		{"all but the superseded", request.Filter{}, 10, []string{"goal-pool", "note-fresh", "note-abroad"}},
		{"limited", request.Filter{}, 1, []string{"goal-pool"}},
		{"project by name", request.Filter{Project: "lore"}, 10, []string{"note-abroad"}},
		{"project by path", request.Filter{Project: here.Path}, 10, []string{"goal-pool", "note-fresh"}},
		{"source", request.Filter{Source: memory.Goals}, 10, []string{"goal-pool"}},
		{"nothing left", request.Filter{Project: "lore", Source: memory.Goals}, 10, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, "connection pool")
			req.Filter = tt.filter
			res, err := r.Search(t.Context(), req, tt.limit)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, f := range res {
				got = append(got, f.Memory.ID)
				if i > 0 && f.Score > res[i-1].Score {
					t.Errorf("%s with %v stands below %v", f.Memory.ID, f.Score, res[i-1].Score)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Search (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchWeak(t *testing.T) {
	r := open(t,
		inbox("note-pool", "Connection pool exhausted", "Rows were not closed."),
		inbox("note-build", "The build hangs", "Two jobs log to one file for one lock."),
		inbox("note-train", "The train is late", "The log of the station says so."))
	tests := []struct {
		query string
		weak  map[string]bool
	}{
		{"connection pool", map[string]bool{"note-pool": false}},
		{"log", map[string]bool{"note-build": false, "note-train": false}},
		{"log sourdough fermentation starter schedule", map[string]bool{"note-build": true, "note-train": true}},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			res, err := r.Search(t.Context(), ask(t, tt.query), 10)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, f := range res {
				got[f.Memory.ID] = f.Weak
			}
			if diff := cmp.Diff(tt.weak, got); diff != "" {
				t.Errorf("weak results (-want +got):\n%s", diff)
			}
		})
	}
}
