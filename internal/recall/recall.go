// Package recall turns a prompt into context: it reads the prompt's terms,
// retrieves candidates, holds back what does not bear on it, ranks the rest,
// and fits the best into a token budget.
//
// The steps, and the files they stand in: query.go and when.go read the
// prompt; retrieve.go finds candidates by words and by meaning; features.go and
// relevance.go judge them, context.go in their session; gate.go holds back;
// rank.go puts in order and fits; format.go writes what Claude reads. Every
// step records what it did in the explanation.
package recall

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// A Request asks for what bears on a prompt.
type Request struct {
	Prompt     string
	LastPrompt string         // the session's prompt before, for one that says nothing itself
	Project    memory.Project // where the prompt was typed
	Session    Session
	Speaker    string              // type of the sub-agent that is asked, whose own memories come first; "" for none
	Short      bool                // tell one line a memory
	Uses       func(id string) int // sessions that made use of a memory before; nil for none
	Now        time.Time
	Settings   config.Settings
	Filter     Filter
	Again      map[string]string // content keys, by id, of the only memories that may be told; nil for all

	Instructions Instructions // what Claude reads anyway; only Orient heeds them

	Leg string // Lexical or Vector for one retriever alone; empty for all
	All bool   // show what is held back too
}

// A Session is what Claude has in its context already.
type Session struct {
	ID        string
	Told      map[string]string // content keys of what it was told, by id
	Passed    []string          // memories that passed the gates at the prompt before
	Compacted time.Time         // when its context was last cut down to a summary
}

// knows reports whether m tells of a turn that is still in the session's own
// context, or is the session's own handoff: what that says, the summary of a
// compaction says too.
func (s *Session) knows(m *memory.Memory) bool {
	return s.ID != "" && m.Session == s.ID && (m.OccurredAt.After(s.Compacted) || m.Source == memory.Handoffs)
}

// A Filter narrows a search. The zero Filter lets everything pass.
type Filter struct {
	Project string // name or path
	Source  memory.Source
	Sources []memory.Source // any of them
}

func (f Filter) admits(m *memory.Memory) bool {
	return (f.Project == "" || f.Project == m.Project || f.Project == m.ProjectPath) &&
		(f.Source == "" || f.Source == m.Source) &&
		(len(f.Sources) == 0 || slices.Contains(f.Sources, m.Source))
}

// A Result is a recollection and how it came about.
type Result struct {
	api.Recollection
	Keys        map[string]string // content keys of the bites, by id
	Passed      []string          // memories that passed the gates, or were held back because they did so at the prompt before
	Left        int               // memories that passed the gates and had no room
	Words       []string          // stems of the prompt that say what it is about and that some memory has
	Borrowed    bool              // the prompt had no word to look for and took the last one's
	Explanation api.Explanation
}

// Recall joins the store and the index. It is safe for concurrent use.
type Recall struct {
	Store *store.Store
	Index *index.Index

	vectors atomic.Pointer[Vectors]

	mu        sync.Mutex
	synonyms  *config.Synonyms // that thesaurus was made from
	thesaurus thesaurus
}

// Recall returns what a prompt should be told. It is an empty Result, not an
// error, when nothing bears on it.
func (r *Recall) Recall(ctx context.Context, req Request) (Result, error) {
	res := Result{Explanation: newExplanation(req)}
	res.Bites = []api.Bite{}
	res.Timestamp = req.Now
	q, share, why := r.query(req)
	if why != "" {
		res.Explanation.Skipped = why
		return res, nil
	}
	res.Borrowed = share < 1
	all := req.All
	req.All = false
	t, err := r.retrieve(ctx, &q, req, share)
	if err != nil {
		return Result{}, err
	}
	res.Words = q.words()
	t.topic = t.sameTopic()
	t.gate(q)
	if all {
		t.found = append(t.found, r.rest(t, q)...)
	}
	rank(t.found, q, req)
	t.reserve()
	t.fit(&res)
	r.explain(&res.Explanation, t, q)
	return res, nil
}

// Search returns the memories that bear on a query, best first, with no gate
// but the filter: whoever searches wants to see everything.
func (r *Recall) Search(ctx context.Context, req Request, limit int) ([]api.Found, error) {
	s, err := r.search(ctx, req, limit)
	return s.found, err
}

// ExplainSearch does what Search does and explains it.
func (r *Recall) ExplainSearch(ctx context.Context, req Request, limit int) ([]api.Found, api.Explanation, error) {
	s, err := r.search(ctx, req, limit)
	if err != nil {
		return nil, api.Explanation{}, err
	}
	e := newExplanation(req)
	r.explain(&e, s.retrieval, s.query)
	return s.found, e, nil
}

// A searched is the results of a search and what they were chosen from.
type searched struct {
	query     query
	retrieval *retrieval
	found     []api.Found
}

func (r *Recall) search(ctx context.Context, req Request, limit int) (searched, error) {
	req.All = true
	// A filter may pass few of the candidates: more of them then, until there
	// are enough or no more.
	for n := max(req.Settings.Recall.Candidates, limit); ; n *= 10 {
		q := newQuery(req.Prompt, req.Now)
		req.Settings.Recall.Candidates = n
		t, err := r.retrieve(ctx, &q, req, 1)
		if err != nil {
			return searched{}, err
		}
		rank(t.found, q, req)
		out := pickFound(t, limit)
		if len(out) == limit || n >= r.Index.Len() {
			return searched{q, t, out}, nil
		}
	}
}

// pickFound returns the first candidates that a search may show, and notes
// what became of each.
func pickFound(t *retrieval, limit int) []api.Found {
	out := []api.Found{}
	for _, c := range t.found {
		switch {
		case c.superseded != "":
			c.outcome = api.OutcomeSuperseded + " " + c.superseded
		case !t.req.Filter.admits(&c.memory):
			c.outcome = "filtered out"
		case len(out) == limit:
			c.outcome = fmt.Sprintf("not among the first %d", limit)
		default:
			c.outcome = api.OutcomeFound
			out = append(out, api.Found{Memory: c.memory, Relevance: c.relevance, Score: c.score.Value})
		}
	}
	return out
}

// query makes the query for a prompt. A prompt with nothing to look for takes
// the words of the one before it, at half relevance; why says why there is
// nothing to look for at all.
func (r *Recall) query(req Request) (q query, share float64, why string) {
	if q = newQuery(req.Prompt, req.Now); q.significant() {
		return q, 1, ""
	}
	if q = newQuery(req.LastPrompt, req.Now); q.significant() {
		return q, 0.5, ""
	}
	return query{}, 0, "the prompt has no word to look for"
}

// floor is the relevance below which no source tells anything. It saves
// reading memories that would be held back anyway; whoever wants to see those
// asks for all.
func (req *Request) floor() float64 {
	if req.All {
		return 0
	}
	floor := 1.0
	for _, src := range memory.Sources {
		if s := req.Settings.Sources.Of(src); s.Enabled {
			floor = min(floor, s.MinRelevance)
		}
	}
	return floor
}

// synonymsOf returns the analysed form of s, made once for each set of
// synonyms.
func (r *Recall) synonymsOf(s *config.Synonyms) thesaurus {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.thesaurus == nil || r.synonyms != s {
		r.synonyms, r.thesaurus = s, newThesaurus(*s)
	}
	return r.thesaurus
}
