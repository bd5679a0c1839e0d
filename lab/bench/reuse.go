package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
)

// searched is the number of memories in a ranking. It is large enough for ten sessions, which have a
// memory for each turn.
const searched = 500

// A Task is a prompt of later work in a project with earlier sessions.
type Task struct {
	Query
	Project string `json:"project"` // the folder in which the prompt is typed

	relevant map[origin]bool
}

// An origin is the source of a relevant memory: a session or, if Turn is not empty, one turn of it.
type origin struct {
	Session string `json:"session"`
	Turn    string `json:"turn"`
}

// wants reports whether m comes from a session or turn that is relevant to the task.
func (t *Task) wants(m *memory.Memory) bool {
	return t.relevant[origin{m.Session, ""}] || t.relevant[origin{m.Session, m.Turn}]
}

// A Reuse says how much of what past sessions learned is found in later tasks, with the requested
// settings and, for comparison, with variants.
type Reuse struct {
	Set      string `json:"set"`
	Field    string `json:"field"`
	Queries  int    `json:"queries"`
	Memories int    `json:"memories"`
	Reused
	Variants map[string]Reused `json:"variants"`
	Flaws    []string          `json:"-"`
}

// Reused holds the measures of one variant. Shares are from 0 to 1.
type Reused struct {
	// AtInject is the share of tasks for which at least one memory of a relevant session is injected.
	// Precision is the share of such memories among all that are injected.
	AtInject  float64 `json:"reuse@inject"`
	Precision float64 `json:"precision@inject"`
	// At5 and At10 are the shares of tasks with a relevant memory in the first 5 or 10 sessions of the
	// whole ranking; Hit5 is the share with one in the first 5 memories.
	At5  float64 `json:"reuse@5"`
	At10 float64 `json:"reuse@10"`
	Hit5 float64 `json:"hit@5"`
	// Injected is the share of tasks for which anything is injected. The other two are means over those
	// tasks.
	Injected float64 `json:"told"`
	Bites    float64 `json:"memories@inject"`
	Tokens   float64 `json:"tokens@inject"`

	P50 float64 `json:"p50_ms"` // median time of a recall
	P95 float64 `json:"p95_ms"`
}

// A variant is a change of settings for comparison.
type variant struct {
	name      string
	retriever string
	set       []string
}

// variants are the retrievers and the kinds of rankers.
var variants = []variant{
	{name: Lexical, retriever: Lexical},
	{name: Vector, retriever: Vector},
	{name: "bounded", set: []string{"rank.kind=bounded"}},
	{name: "typed", set: []string{"rank.kind=typed"}},
	{name: "linear", set: []string{"rank.kind=linear"}},
	{name: "balanced", set: []string{"rank.kind=balanced"}},
}

// RunReuse imports the transcripts of dir, a folder with projects, queries and qrels, and sends the
// queries as prompts. It does not use p.Retrievers.
func RunReuse(ctx context.Context, dir string, p Plan, log *slog.Logger) (r *Reuse, err error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	settings, err := Settings(p.Set)
	if err != nil {
		return nil, err
	}
	tasks, err := readTasks(dir)
	if err != nil {
		return nil, err
	}
	e, err := importTranscripts(ctx, dir, settings, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	r = &Reuse{Set: filepath.Base(dir), Field: p.Field, Memories: len(e.memories), Variants: map[string]Reused{}}
	if tasks, r.Flaws = e.answerable(tasks); len(tasks) == 0 {
		return nil, fmt.Errorf("measure %s: no memory comes from a relevant session", dir)
	}
	r.Queries = len(tasks)
	if r.Reused, err = e.reuse(ctx, tasks, p, variant{}); err != nil {
		return nil, err
	}
	for _, v := range variants {
		if v.retriever == Vector && settings.Embedder.Kind == config.EmbedderOff {
			continue
		}
		if r.Variants[v.name], err = e.reuse(ctx, tasks, p, v); err != nil {
			return nil, fmt.Errorf("measure %s with %s: %w", dir, v.name, err)
		}
	}
	return r, nil
}

func readTasks(dir string) ([]Task, error) {
	var tasks []Task
	seen := map[string]bool{}
	err := readLines(dir, "queries.jsonl", func(t Task) error {
		if strings.TrimSpace(t.Text+t.Detail) == "" {
			return errors.New("text: must not be empty")
		}
		t.relevant = map[origin]bool{}
		tasks = append(tasks, t)
		return newID(seen, t.ID)
	})
	if err != nil {
		return nil, err
	}
	byID := map[string]*Task{}
	for i := range tasks {
		byID[tasks[i].ID] = &tasks[i]
	}
	return tasks, readLines(dir, "qrels.jsonl", func(r struct {
		Query string `json:"query"`
		origin
	}) error {
		t := byID[r.Query]
		if t == nil {
			return fmt.Errorf("query %q: is not in queries", r.Query)
		}
		if r.Session == "" {
			return errors.New("session: must not be empty")
		}
		t.relevant[r.origin] = true
		return nil
	})
}

// answerable removes the tasks without a relevant memory and reports their number.
func (e *tempEngine) answerable(tasks []Task) (kept []Task, flaws []string) {
	for _, t := range tasks {
		for i := range e.memories {
			if t.wants(&e.memories[i]) {
				kept = append(kept, t)
				break
			}
		}
	}
	if n := len(tasks) - len(kept); n > 0 {
		flaws = append(flaws, fmt.Sprintf("%d queries have no relevant memory: left out", n))
	}
	if e.skipped > 0 {
		flaws = append(flaws, fmt.Sprintf("%d lines of the transcripts are unreadable: left out", e.skipped))
	}
	return kept, flaws
}

// reuse sends every task to recall with one variant.
func (e *tempEngine) reuse(ctx context.Context, tasks []Task, plan Plan, v variant) (Reused, error) {
	settings, err := Settings(slices.Concat(plan.Set, v.set))
	if err != nil {
		return Reused{}, err
	}
	var sum Reused
	var took []time.Duration
	for i := range tasks {
		t := &tasks[i]
		req := e.request(t.prompt(plan.Field), projectOf(t.Project), settings)
		req.Retriever = v.retriever
		start := time.Now()
		res, err := e.Recall.Recall(ctx, req)
		took = append(took, time.Since(start))
		if err == nil {
			err = sum.countInjected(e, t, res)
		}
		if err == nil {
			err = sum.rank(ctx, e, t, req)
		}
		if err != nil {
			return Reused{}, fmt.Errorf("query %s: %w", t.ID, err)
		}
	}
	sum.divideBy(float64(len(tasks)))
	sum.P50, sum.P95 = milliseconds(took, 0.5), milliseconds(took, 0.95)
	return sum, nil
}

// request returns the request of a new session in a project, just after the newest memory.
func (e *tempEngine) request(prompt string, project memory.Project, settings config.Settings) recall.Request {
	return recall.Request{
		Prompt: clean.Text(prompt), Project: project,
		Now: e.newest.Add(time.Minute), Settings: settings,
	}
}

// countInjected counts what was injected for a task.
func (r *Reused) countInjected(e *tempEngine, t *Task, res recall.Result) error {
	useful := 0
	for _, b := range res.Injected {
		m, err := e.Store.Get(b.ID)
		if err != nil {
			return err
		}
		if t.wants(&m) {
			useful++
		}
	}
	r.Precision += float64(useful)
	r.Bites += float64(len(res.Injected))
	if useful > 0 {
		r.AtInject++
	}
	if len(res.Injected) > 0 {
		r.Injected++
		r.Tokens += float64(res.Explanation.Tokens)
	}
	return nil
}

// rank finds a task's first relevant memory in the whole ranking.
func (r *Reused) rank(ctx context.Context, e *tempEngine, t *Task, req recall.Request) error {
	found, err := e.Recall.Search(ctx, req, searched)
	if err != nil {
		return err
	}
	sessions := map[string]bool{}
	for i, f := range found {
		sessions[f.Memory.Session] = true
		if !t.wants(&f.Memory) {
			continue
		}
		r.Hit5 += counts(i < 5)
		r.At5 += counts(len(sessions) <= 5)
		r.At10 += counts(len(sessions) <= 10)
		break
	}
	return nil
}

func counts(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// divideBy turns the sums over n tasks into means.
func (r *Reused) divideBy(n float64) {
	if r.Bites > 0 {
		r.Precision /= r.Bites
	}
	if r.Injected > 0 {
		r.Bites /= r.Injected
		r.Tokens /= r.Injected
	}
	r.AtInject /= n
	r.At5 /= n
	r.At10 /= n
	r.Hit5 /= n
	r.Injected /= n
}
