package recall

import (
	"fmt"
	"time"

	"recollect/internal/api"
	"recollect/rankers"
)

func explainTerms(q query) []api.Term {
	out := make([]api.Term, len(q.clauses))
	for i, c := range q.clauses {
		out[i] = api.Term{Text: c.term, IDF: c.idf, Weight: c.weight, Memories: c.found}
		for _, s := range c.synonyms {
			out[i].Synonyms = append(out[i].Synonyms, s.word)
		}
	}
	return out
}

func explainCandidates(found []*candidate, req Request) []api.Candidate {
	out := make([]api.Candidate, len(found))
	for i, c := range found {
		out[i] = api.Candidate{
			ID:        c.memory.ID,
			Source:    c.memory.Source,
			Project:   c.memory.Project,
			Title:     c.memory.Title,
			Age:       age(req.age(&c.memory)),
			BM25:      c.bm25,
			Matched:   c.matched,
			Relevance: c.relevance,
			Required:  c.required,
			Score:     c.score.Value,
			Factors:   factors(c.score),
			Tokens:    c.tokens,
			Outcome:   c.outcome,
		}
	}
	return out
}

func factors(s rankers.Score) []api.Factor {
	out := make([]api.Factor, len(s.Factors))
	for i, f := range s.Factors {
		out[i] = api.Factor(f)
	}
	return out
}

// age writes a duration as people say it.
func age(d time.Duration) string {
	switch days := int(d.Hours() / 24); {
	case d < time.Hour:
		return fmt.Sprintf("%dm", max(0, int(d.Minutes())))
	case days < 1:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", days)
	}
}
