package bench

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// fruit is a collection in two scopes: what is right in one is in the way in
// the other.
var fruit = map[string]string{
	"docs.jsonl": `{"id":"a","text":"apples are pressed in october","scope":"north"}
{"id":"b","text":"apples are pressed in october","scope":"south"}
{"id":"c","text":"cherries rot within days","scope":"north"}
{"id":"d","text":"the tractor needs diesel","scope":"south"}`,
	"queries.jsonl": `{"id":"1","text":"when are apples pressed","scope":"north"}
{"id":"2","text":"when are apples pressed","scope":"south"}
{"id":"3","text":"tractor","detail":"which fuel: diesel?","scope":"south"}`,
	"qrels.jsonl": `{"query":"1","doc":"a"}
{"query":"2","doc":"b"}
{"query":"3","doc":"d"}`,
	"queries_negative.jsonl": `{"id":"n","text":"orbit of the moon","scope":"north"}`,
}

var silent = slog.New(slog.DiscardHandler)

// scratch makes the benchmarks put their folders below a new one, and checks
// at the end that nothing is left there.
func scratch(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // on Windows
	t.Cleanup(func() {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

func TestRun(t *testing.T) {
	dir := write(t, fruit)
	scratch(t)
	c, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), c, Plan{Field: FieldText}, silent)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(r.Retrievers)), slices.Sorted(slices.Values(Retrievers())); !slices.Equal(got, want) {
		t.Errorf("legs %v, want %v", got, want)
	}
	for name, s := range r.Retrievers {
		if s.R1 != 1 || s.NDCG10 != 1 || s.AUC == nil || *s.AUC != 1 || s.Kept == nil || *s.Kept != 1 {
			t.Errorf("%s: %+v, want everything right", name, s.Metrics)
		}
		if s.P50 > s.P95 {
			t.Errorf("%s: p50 %v above p95 %v", name, s.P50, s.P95)
		}
		if got := s.PerQuery["2"].Docs[0]; got != "b" {
			t.Errorf("%s: query 2 is answered by %s, which is of another scope", name, got)
		}
	}
	if s := r.Retrievers[Fused]; s.Injected == nil || *s.Injected == 0 || s.FalselyInjected == nil || *s.FalselyInjected != 0 {
		t.Errorf("injected %v, falsely %v; want some, none", percent(s.Injected), percent(s.FalselyInjected))
	}
	if s := r.Retrievers[Lexical]; s.Injected != nil {
		t.Error("a single retriever injects something")
	}
}

func TestRunRefuses(t *testing.T) {
	dir := write(t, fruit)
	scratch(t)
	c, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	without := *c
	without.Queries = c.Queries[:2]
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		c    *Collection
		plan Plan
		want string
	}{
		{"leg", t.Context(), c, Plan{Field: FieldText, Retrievers: []string{"wooden"}}, `leg "wooden": must be one of`},
		{"field", t.Context(), c, Plan{Field: "body"}, `field "body": must be text or detail`},
		{"vectors without an embedder", t.Context(), c, Plan{Field: FieldText, Retrievers: []string{Vector}, Set: []string{"embedder.kind=off"}}, "the embedder is off"},
		{"setting", t.Context(), c, Plan{Field: FieldText, Set: []string{"rank.kind=best"}}, `rank.kind = "best": must be one of`},
		{"detail", t.Context(), &without, Plan{Field: FieldDetail}, "no query has a detail"},
		{"interrupt", cut, c, Plan{Field: FieldText}, context.Canceled.Error()},
		{"interrupt of bleve", cut, c, Plan{Field: FieldText, Retrievers: []string{Bleve}}, context.Canceled.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Run(tt.ctx, tt.c, tt.plan, silent); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// Without an embedder words are all there is.
func TestRunWithoutEmbedder(t *testing.T) {
	dir := write(t, fruit)
	scratch(t)
	c, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), c, Plan{Field: FieldText, Set: []string{"embedder.kind=off"}}, silent)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.names(), []string{Fused, Lexical, Bleve}; !slices.Equal(got, want) {
		t.Fatalf("legs %v, want %v", got, want)
	}
	if diff := cmp.Diff(r.Retrievers[Lexical].PerQuery, r.Retrievers[Fused].PerQuery); diff != "" {
		t.Errorf("fused differs from lexical:\n%s", diff)
	}
}

// The same run gives the same figures, times aside.
func TestRunRepeats(t *testing.T) {
	dir := write(t, fruit)
	scratch(t)
	c, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var runs [2]map[string]Outcome
	for i := range runs {
		r, err := Run(t.Context(), c, Plan{Field: FieldDetail, Retrievers: []string{Lexical}}, silent)
		if err != nil {
			t.Fatal(err)
		}
		runs[i] = r.Retrievers[Lexical].PerQuery
	}
	if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}

func TestWrite(t *testing.T) {
	half := 0.5
	r := &Report{Set: "s", Field: FieldText, Queries: 2, Docs: 3, Retrievers: map[string]*Score{
		Lexical: {Metrics: Metrics{R1: 1, R5: 1, R10: 1, Hit5: 1, NDCG10: 1, MRR: 1, Injected: &half, P50: 1.25, P95: 2}},
		Bleve:   {Metrics: Metrics{R10: 0.125}},
	}}
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `s: 2 queries (text), 0 without an answer, 3 documents
      leg    R@1    R@5   R@10  hit@5  NDCG@10    MRR  AUC  kept@5  injected  false  p50 ms  p95 ms
  lexical  100.0  100.0  100.0  100.0    100.0  100.0    -       -      50.0      -    1.25    2.00
    bleve    0.0    0.0   12.5    0.0      0.0    0.0    -       -         -      -    0.00    0.00
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// samples are transcripts of invented projects.
const samples = "../../testdata/transcripts/projects"

// pastDir makes a folder as RunReuse wants it, with one task that a session
// answers, one that only its project's name would, and one that none does.
func pastDir(t *testing.T) string {
	t.Helper()
	dir := write(t, map[string]string{
		"queries.jsonl": `{"id":"1","text":"checkout hangs, connection pool exhausted","project":"/home/dev/src/orders-api"}
{"id":"2","text":"translate the menu into Latin","project":"/home/dev/src/shop-ui"}
{"id":"3","text":"nobody knows","project":"/home/dev/src/shop-ui"}`,
		"qrels.jsonl.gz": `{"query":"1","session":"67afd974-eddb-4d0d-a2e1-71fe15cafd9f"}
{"query":"2","session":"28272bfb-e927-49f3-9cc8-3bb737f39545"}
{"query":"3","session":"no-such-session"}`,
	})
	if err := os.CopyFS(filepath.Join(dir, projectsName), os.DirFS(samples)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRunReuse(t *testing.T) {
	dir := pastDir(t)
	scratch(t)
	r, err := RunReuse(t.Context(), dir, Plan{Field: FieldDetail}, silent)
	if err != nil {
		t.Fatal(err)
	}
	if r.Queries != 2 || len(r.Flaws) != 1 || !strings.Contains(r.Flaws[0], "1 queries have no relevant memory") {
		t.Errorf("%d tasks, flaws %q", r.Queries, r.Flaws)
	}
	if r.AtInject != 0.5 || r.At5 < 0.5 || r.Injected != 0.5 || r.Tokens <= 0 || r.Bites < 1 || r.Precision <= 0 {
		t.Errorf("got %+v, want an injection for one of two tasks", r.Reused)
	}
	for _, v := range variants {
		if _, ok := r.Variants[v.name]; !ok {
			t.Errorf("no variant %s", v.name)
		}
	}
	none, err := RunReuse(t.Context(), dir, Plan{Field: FieldDetail, Set: []string{"budget.items=0"}}, silent)
	if err != nil {
		t.Fatal(err)
	}
	if none.AtInject != 0 || none.Bites != 0 || none.At5 != r.At5 {
		t.Errorf("without a budget %+v, want the same ranking and nothing injected", none.Reused)
	}
}

// A qrel may name a turn, of which only the memory is relevant then.
func TestTaskWants(t *testing.T) {
	task := Task{relevant: map[origin]bool{{Session: "s"}: true, {"t", "2"}: true}}
	for _, tt := range []struct {
		session, turn string
		want          bool
	}{{"s", "1", true}, {"t", "2", true}, {"t", "1", false}, {"u", "2", false}} {
		m := memoryOf(tt.session, tt.turn)
		if got := task.wants(&m); got != tt.want {
			t.Errorf("session %s, turn %s: %v, want %v", tt.session, tt.turn, got, tt.want)
		}
	}
}

func memoryOf(session, turn string) memory.Memory {
	return memory.Memory{Source: memory.Episodes, Session: session, Turn: turn, Title: "t"}
}

func TestRunReuseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		spoil      func(dir string) error
	}{
		{"no transcripts", "there is no transcript", func(dir string) error {
			return errors.Join(os.RemoveAll(filepath.Join(dir, projectsName)), os.Mkdir(filepath.Join(dir, projectsName), 0o700))
		}},
		{"no folder", "no such file", func(dir string) error { return os.RemoveAll(filepath.Join(dir, projectsName)) }},
		{"unknown query", `qrels.jsonl:1: query "9": is not in queries`, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "qrels.jsonl"), []byte(`{"query":"9","session":"s"}`), 0o600)
		}},
		{"nothing relevant", "no memory comes from a relevant session", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "qrels.jsonl"), []byte(`{"query":"1","session":"s"}`), 0o600)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := pastDir(t)
			if err := tt.spoil(dir); err != nil {
				t.Fatal(err)
			}
			scratch(t)
			_, err := RunReuse(t.Context(), dir, Plan{Field: FieldText}, silent)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRunSilence(t *testing.T) {
	past, docs := pastDir(t), write(t, fruit)
	scratch(t)
	prompts := []Prompt{
		{"injected", "checkout hangs, connection pool exhausted: what was it in orders-api?", "work"},
		{"silent", "translate the menu into Latin", "chat"},
	}
	s, err := RunSilence(t.Context(), past, prompts, nil, silent)
	if err != nil {
		t.Fatal(err)
	}
	if s.Projects != 3 || s.Kinds["chat"] != 1 || s.Kinds["work"] >= 1 || s.Silent != (1+s.Kinds["work"])/2 {
		t.Errorf("got %+v", s)
	}
	if len(s.Injected) != 1 || s.Injected[0].ID != "injected" || len(s.Injected[0].Bites) == 0 {
		t.Errorf("injected %+v", s.Injected)
	}
	s, err = RunSilence(t.Context(), docs, prompts, nil, silent)
	if err != nil {
		t.Fatal(err)
	}
	if s.Memories != 4 || s.Projects != 2 || s.Silent != 1 {
		t.Errorf("among documents: %+v", s)
	}
}
