// Package recall turns a prompt into context: it reads the prompt's terms,
// retrieves candidates, holds back what does not bear on it, ranks the rest,
// and fits the best into a token budget.
//
// The steps, and the files they stand in: query.go reads the prompt;
// relevance.go judges candidates; gate.go holds back; rank.go puts in order
// and fits; format.go writes what Claude reads. Every step records what it
// did in the explanation.
package recall

import (
	"context"
	"fmt"
	"sync"
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
	Uses       func(id string) int // sessions that a memory was told to before; nil for none
	Now        time.Time
	Settings   config.Settings
	Filter     Filter
	All        bool // show what is held back too
}

// A Session is what Claude has in its context already.
type Session struct {
	ID        string
	Told      map[string]string // content keys of what it was told, by id
	Compacted time.Time         // when its context was last cut down to a summary
}

// knows reports whether m tells of a turn that is still in the session's own
// context.
func (s *Session) knows(m *memory.Memory) bool {
	return s.ID != "" && m.Session == s.ID && m.OccurredAt.After(s.Compacted)
}

// A Filter narrows a search. The zero Filter lets everything pass.
type Filter struct {
	Project string // name or path
	Source  memory.Source
}

func (f Filter) admits(m *memory.Memory) bool {
	return (f.Project == "" || f.Project == m.Project || f.Project == m.ProjectPath) &&
		(f.Source == "" || f.Source == m.Source)
}

// A Result is a recollection and how it came about.
type Result struct {
	api.Recollection
	Keys        map[string]string // content keys of the bites, by id
	Left        int               // memories that passed the gates and had no room
	Words       []string          // stems of the prompt that say what it is about and that some memory has
	Borrowed    bool              // the prompt had no word to look for and took the last one's
	Explanation api.Explanation
}

// Recall joins the store and the index. It is safe for concurrent use.
type Recall struct {
	Store *store.Store
	Index *index.Index

	mu        sync.Mutex
	synonyms  *config.Synonyms // that thesaurus was made from
	thesaurus thesaurus
}

// Recall returns what a prompt should be told. It is an empty Result, not an
// error, when nothing bears on it.
func (r *Recall) Recall(ctx context.Context, req Request) (Result, error) {
	res := Result{Explanation: api.Explanation{
		Prompt:    memory.Clip(req.Prompt, 500),
		Project:   req.Project,
		Ranker:    req.Settings.Rank.Kind,
		Threshold: req.Settings.Rank.Threshold,
		Budget:    req.Settings.Budget.Tokens,

		Terms:      []api.Term{},
		Candidates: []api.Candidate{},
	}}
	res.Bites = []api.Bite{}
	res.Timestamp = req.Now
	q, share, why := r.read(req)
	if why != "" {
		res.Explanation.Skipped = why
		return res, nil
	}
	res.Borrowed = share < 1
	found, err := r.retrieve(ctx, &q, req, share)
	if err != nil {
		return Result{}, err
	}
	res.Explanation.Terms = explainTerms(q)
	res.Words = q.words()
	gate(found, q, req)
	rank(found, req)
	fit(&res, found, req)
	res.Explanation.Candidates = explainCandidates(found, req)
	return res, nil
}

// Search returns the memories that bear on a query, best first, with no gate
// but the filter: whoever searches wants to see everything.
func (r *Recall) Search(ctx context.Context, req Request, limit int) ([]api.Found, error) {
	req.All = true
	// A filter may pass few of the candidates: more of them then, until there
	// are enough or no more.
	for n := max(req.Settings.Recall.Candidates, limit); ; n *= 10 {
		q := newQuery(req.Prompt)
		req.Settings.Recall.Candidates = n
		found, err := r.retrieve(ctx, &q, req, 1)
		if err != nil {
			return nil, err
		}
		rank(found, req)
		out := []api.Found{}
		for _, c := range found {
			if len(out) < limit && req.Filter.admits(&c.memory) && c.superseded == "" {
				out = append(out, api.Found{Memory: c.memory, Relevance: c.relevance, Score: c.score.Value})
			}
		}
		if len(out) == limit || n >= r.Index.Len() {
			return out, nil
		}
	}
}

// read makes the query for a prompt. A prompt with nothing to look for takes
// the words of the one before it, at half relevance; why says why there is
// nothing to look for at all.
func (r *Recall) read(req Request) (q query, share float64, why string) {
	if q = newQuery(req.Prompt); q.significant() {
		return q, 1, ""
	}
	if q = newQuery(req.LastPrompt); q.significant() {
		return q, 0.5, ""
	}
	return query{}, 0, "the prompt has no word to look for"
}

// retrieve finds the candidates for q and judges their relevance. share
// scales it.
func (r *Recall) retrieve(ctx context.Context, q *query, req Request, share float64) ([]*candidate, error) {
	settings := req.Settings.Recall
	q.shorten()
	if settings.SynonymWeight > 0 {
		q.widen(r.synonymsOf(req.Settings.Synonyms))
	}
	frequencies, docs, err := r.Index.Frequencies(q.terms())
	if err != nil {
		return nil, fmt.Errorf("count terms: %w", err)
	}
	q.weigh(frequencies, docs)
	q.trim(settings.Terms)

	terms, owner := searchTerms(q, settings.SynonymWeight)
	hits, err := r.Index.Search(ctx, terms, settings.Candidates)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	judge := newJudge(q, owner, settings.SynonymWeight, share)
	floor := req.floor()
	var found []*candidate
	for _, h := range hits {
		c := &candidate{}
		judge.relevance(c, h)
		if c.relevance < floor {
			continue
		}
		if c.memory, err = r.Store.Get(h.ID); err != nil {
			continue // deleted or unreadable since it was indexed
		}
		c.superseded = r.Store.SupersededBy(h.ID)
		found = append(found, c)
	}
	return found, nil
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
