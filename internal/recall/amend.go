package recall

import (
	"context"
	"maps"
	"slices"

	"recollect/internal/memory"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/statement"
)

// mostOutdated is of how many sessions, those of the best statements, it is looked up whether a later session
// changed what they decided.
const mostOutdated = 6

// amendments are the briefs of the sessions of the best statements, and of those that amended them.
type amendments map[string]brief.Brief

// of returns the brief of the session that amended that of a memory.
func (a amendments) of(m *memory.Memory) (brief.Brief, bool) {
	b, ok := a[a[m.Session].Amended]
	return b, ok && isPartOfBrief(m)
}

// readAmendments reads which of the sessions of the best statements later ones amended.
func (r *Recall) readAmendments(ctx context.Context, all []said) (amendments, error) {
	var ids []string
	for _, s := range all {
		if m := s.of.memory; isPartOfBrief(m) && !slices.Contains(ids, m.Session) && len(ids) < mostOutdated {
			ids = append(ids, m.Session)
		}
	}
	briefs := r.sessions().Briefs(ids)
	if err := r.sessions().AddLater(ctx, briefs); err != nil {
		return nil, err
	}
	var amending []string
	for _, b := range briefs {
		if _, known := briefs[b.Amended]; b.Amended != "" && !known {
			amending = append(amending, b.Amended)
		}
	}
	maps.Copy(briefs, r.sessions().Briefs(amending))
	return briefs, nil
}

// amend replaces what is out of date by what a later session decided: how a session came out, and those of its
// decisions that the later one contradicts.
func (r *Recall) amend(t *injection, all []said, changed amendments) []said {
	var out []said
	seen := map[string]bool{}
	for _, s := range all {
		newer, ok := changed.of(s.of.memory)
		if !ok {
			out = append(out, s)
			continue
		}
		if !seen[s.of.memory.Session] {
			seen[s.of.memory.Session] = true
			out = append(out, r.decisionsOf(t, &newer, s.score)...)
		}
		if s.of.memory.Source == memory.Journal && !r.verdicts.Newer(newer.Decisions).Contradict(s.of.memory) {
			out = append(out, s)
		}
	}
	return out
}

// decisionsOf returns what a session decided that may be injected, with this score.
func (r *Recall) decisionsOf(t *injection, b *brief.Brief, score float64) []said {
	var out []said
	for i := range b.Decisions {
		c := t.candidateOf(b.Decisions[i].ID)
		if !r.readMemory(c) || t.reasonAgainst(c) != "" || t.isInjected(c) {
			continue
		}
		c.relevance = max(c.relevance, pastRelevance)
		if !slices.Contains(t.ranked, c) {
			t.ranked = append(t.ranked, c)
		}
		all := statement.Of(c.memory)
		for _, s := range all[:min(1, len(all))] {
			out = append(out, said{of: c, text: s.Text, kind: s.Kind, score: score, terms: t.texts.Of(s.Text)}) // before what it amends: its rank is 0
		}
	}
	return out
}
