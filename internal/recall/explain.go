package recall

import (
	"fmt"
	"time"

	"recollect/internal/api"
	"recollect/internal/index/vectors"
	"recollect/internal/recall/request"
	"recollect/internal/recall/terms"
	"recollect/rankers"
)

// The names of the retrievers in explanations.
const (
	wordsRetriever  = "bm25"
	vectorRetriever = "vector"
)

// otherPart names the part that memories of another project have.
const otherPart = "other_project"

// explainChosen adds the query, the retrievers and the outcomes of the candidates, and what their
// relevance is made of if somebody is to read it.
func (r *Recall) explainChosen(e *api.Explanation, t *chosen, parts bool) {
	e.Retrievers = []api.Retriever{explainWords(t), explainVectors(r.vectors.Load(), &t.meaning)}
	for _, w := range t.Times {
		e.Times = append(e.Times, api.Window{From: w.From, To: w.To})
	}
	e.Latest, e.Worth = t.Latest, t.worth
	e.Terms = explainTerms(&t.Query)
	for _, p := range t.search.Pairs {
		e.Pairs = append(e.Pairs, p.First+" "+p.Second)
	}
	e.Share = t.share
	e.Candidates = explainCandidates(t, parts)
}

// explainWords counts the candidates that are left: others may have been dropped before
// they were read.
func explainWords(t *chosen) api.Retriever {
	out := api.Retriever{Name: wordsRetriever, State: api.RetrieverReady}
	for _, c := range t.ranked {
		if c.lexicalRank > 0 {
			out.Found++
		}
	}
	return out
}

// explainVectors takes the vectors in use, because a failed meaning has none.
func explainVectors(v *vectors.Retriever, m *meaning) api.Retriever {
	out := api.Retriever{Name: vectorRetriever, State: api.RetrieverReady, Found: len(m.hits)}
	if v != nil {
		out.Embedder = v.Embedder.Kind()
	}
	switch {
	case m.err != nil:
		out.State = m.err.Error()
	case m.from == nil:
		out.State = api.RetrieverUnused
	}
	return out
}

func explainTerms(q *terms.Query) []api.Term {
	out := make([]api.Term, len(q.Clauses))
	for i, c := range q.Clauses {
		out[i] = api.Term{Text: c.Term, IDF: c.IDF, Weight: c.Weight, Memories: c.Found}
		for _, s := range c.Synonyms {
			out[i].Synonyms = append(out[i].Synonyms, s.Text)
		}
	}
	return out
}

func explainCandidates(t *chosen, parts bool) []api.Candidate {
	out := make([]api.Candidate, len(t.ranked))
	for i, c := range t.ranked {
		out[i] = api.Candidate{
			ID:         c.memory.ID,
			Source:     c.memory.Source,
			Project:    c.memory.Project,
			Title:      c.memory.Title,
			Age:        ageText(t.req.AgeOf(c.memory)),
			BM25:       c.BM25,
			BM25Rank:   c.lexicalRank,
			Cosine:     c.Cosine,
			VectorRank: c.vectorRank,
			Embedded:   c.Embedded,
			Matched:    t.scorer.MatchedTerms(&c.Evidence),
			Bears:      c.activity,
			Relevance:  c.relevance,
			Required:   c.required,
			Score:      c.score.Value,
			Factors:    factorsOf(c.score),
			Tokens:     c.tokens,
			Outcome:    c.outcome,
		}
		if parts && t.req.Retriever != request.Vector { // there the cosine is the relevance
			out[i].Parts = t.modelFor(c).Parts(&c.Features)
			if t.otherLogOdds != 0 && t.isElsewhere(c) {
				out[i].Parts = append(out[i].Parts, api.Factor{Name: otherPart, Value: 1, Weight: t.otherLogOdds})
			}
		}
	}
	return out
}

func factorsOf(s rankers.Score) []api.Factor {
	out := make([]api.Factor, len(s.Factors))
	for i, f := range s.Factors {
		out[i] = api.Factor(f)
	}
	return out
}

// ageText writes a duration as people say it.
func ageText(d time.Duration) string {
	switch days := int(d.Hours() / 24); {
	case d < time.Hour:
		return fmt.Sprintf("%dm", max(0, int(d.Minutes())))
	case days < 1:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", days)
	}
}
