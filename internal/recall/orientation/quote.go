package orientation

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/store"
	"recollect/internal/text/prose"
)

// Bounds of what the user said in a young project that may be meant to last, though nothing else speaks for it yet: how
// many sentences, and the least probability of each.
const (
	mostSaid    = 5
	leastLikely = 0.3
)

// addSaid adds what the user of a young project said that may be meant to last, as words of the user's.
func (s *start) addSaid(r *Reader) error {
	if !s.isYoung {
		return nil
	}
	var sessions []string
	for i := range s.sessions {
		sessions = append(sessions, s.sessions[i].Handoff.Session)
	}
	var likely []memory.Memory
	for _, id := range r.Store.CandidatesOf(sessions) {
		m, err := r.Store.GetPending(id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if m.Candidate >= leastLikely && s.mayQuote(r, &m) {
			likely = insertInOrder(likely, m, mostSaid, byLikelihood)
		}
	}
	slices.SortStableFunc(likely, func(a, b memory.Memory) int { return byTime(&a, &b) })
	s.quote(likely)
	return nil
}

// mayQuote reports whether a candidate may stand at the start of a session as words of the user's.
func (s *start) mayQuote(r *Reader, m *memory.Memory) bool {
	isOn := s.req.Settings.Sources.Of(m.Source).Enabled && !m.IsRefused()
	said, _, _ := strings.Cut(ruleText(m), " (") // without what it is about
	return isOn && m.Origin == memory.OriginUser && r.mayStartWith(s.req, m) && standsAlone(said, leastOfRule)
}

// byLikelihood puts the candidate first that is more likely meant to last.
func byLikelihood(a, b *memory.Memory) int { return cmp.Compare(b.Candidate, a.Candidate) }

// quote adds candidates, as words of the user's.
func (s *start) quote(all []memory.Memory) {
	for i := range all {
		m := &all[i]
		text := prose.ClipWords(ruleText(m), MaxLine)
		entry := block.Statements(m, s.req.Project, block.Statement{Kind: "user said", Text: text})
		if !s.isSaid(text) && s.budget.Spend(m.Source, entry) {
			s.res.Add(m, 0, entry, api.OutcomeInjected)
		}
	}
}
