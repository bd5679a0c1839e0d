package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
	"recollect/internal/recall/statement"
)

// How many statements are injected at most: with the first prompt of a session, or one that asks for
// past work, as many as budget.items; later few, because the session knows what it works on; and one where
// it is uncertain that anything is needed.
const (
	laterStatements     = 2
	uncertainStatements = 1
	// uncertain is how much less than recall.min_worth a prompt may have for one statement.
	uncertain = 0.1
)

// Of one memory only so many statements are injected, and none that repeats another: that has this share of
// the fewer words of the two.
const (
	mostOfMemory = 2
	sameWords    = 0.6
)

// The weights of what tells that a statement answers a prompt. They were fitted on prompts of people at work, each of
// which has its answer in earlier sessions, so that a right statement comes before the others; "question" is for what
// was only asked.
var sayWeights = struct{ relevance, cover, near, length, question, shared, newest, session float64 }{
	relevance: 0.33, cover: 1.33, near: 0.9, length: 1.02, question: -0.48, shared: 0.1, newest: 1.48, session: 0.17,
}

// A said is a statement that may be injected.
type said struct {
	of    *candidate
	text  string
	kind  statement.Kind
	score float64
	terms *sessions.Text
}

// mostSaid returns how many statements may be injected with a prompt.
func (t *chosen) mostSaid() int {
	most := t.req.Settings.Budget.Items
	switch {
	case t.req.HeadingsOnly:
		return min(most, 1)
	case t.isWanted():
		return most
	case t.worth.Value < t.req.Settings.Recall.MinWorth-uncertain:
		return 0
	case t.worth.Value < t.req.Settings.Recall.MinWorth:
		return min(most, uncertainStatements)
	case t.req.Session.Begun:
		return min(most, laterStatements)
	}
	return most
}

// isWanted reports whether a prompt gets what is found whatever it is worth: it asks for past work, or what
// was in the context before a compaction is injected again.
func (q *query) isWanted() bool { return q.past || q.req.Only != nil || q.req.Retriever != "" }

// statements returns what the candidates say that may be injected, the best first.
func (t *injection) statements() []said {
	sets := &sessionSet{newest: map[string]int{}, best: map[string]float64{}}
	for _, c := range t.ranked {
		if c.outcome == "" || c.outcome == api.OutcomeAlready {
			sets.add(c)
		}
	}
	sets.order()
	var all []said
	for _, c := range t.ranked {
		if c.outcome == "" && c.activity == "" {
			all = append(all, t.statementsOf(c, sets)...)
		}
	}
	slices.SortStableFunc(all, func(a, b said) int { return cmp.Compare(b.score, a.score) })
	return all
}

// statementsOf returns what one candidate says.
func (t *injection) statementsOf(c *candidate, sets *sessionSet) []said {
	w := &sayWeights
	shared, _ := t.newShared(c)
	base := w.relevance*logOdds(c.relevance) + w.shared*min(30, shared) + w.newest/float64(1+sets.newest[c.sessionOrSelf()]) + w.session*logOdds(sets.best[c.sessionOrSelf()])
	if c.vectorRank > 0 {
		base += w.near / float64(1+c.vectorRank)
	}
	var all []said
	for _, s := range statement.Of(c.memory) {
		text := t.texts.Of(s.Text)
		if t.isEcho(&s, text) || t.req.Session.HasText(c.memory, s.Text) {
			continue
		}
		score := base + w.cover*min(1, 3*t.scorer.shareOf(text)) + w.length*float64(len(s.Text))/statement.Longest
		all = append(all, said{of: c, text: s.Text, kind: s.Kind, score: score, terms: text})
	}
	return all
}

// isEcho reports whether a statement only asks, or only says what the prompt says.
func (t *injection) isEcho(s *statement.Statement, text *sessions.Text) bool {
	if s.Kind != statement.Asked {
		return false
	}
	return strings.HasSuffix(s.Text, "?") || text.ShareIn(t.texts.Of(memory.Clip(t.req.Prompt, maxEmbedded))) >= echoed
}

// echoed is the share of its words that what a prompt said has in common with this one if it says
// nothing else.
const echoed = 0.7

// A sessionSet knows of the sessions of the candidates which are newer, and which has the most relevant
// candidate.
type sessionSet struct {
	ids    []string
	at     map[string]int64
	newest map[string]int // 0 for the newest
	best   map[string]float64
}

func (s *sessionSet) add(c *candidate) {
	if s.at == nil {
		s.at = map[string]int64{}
	}
	id := c.sessionOrSelf()
	if _, known := s.at[id]; !known {
		s.ids = append(s.ids, id)
	}
	s.at[id] = max(s.at[id], c.memory.When().Unix())
	s.best[id] = max(s.best[id], c.relevance)
}

func (s *sessionSet) order() {
	slices.SortStableFunc(s.ids, func(a, b string) int { return cmp.Compare(s.at[b], s.at[a]) })
	for i, id := range s.ids {
		s.newest[id] = i
	}
}

// sayBest injects the best statements, each as an entry of its own.
func (r *Recall) sayBest(ctx context.Context, t *injection) error {
	most := t.mostSaid()
	if most == 0 {
		t.holdUnsaid(notWorthSaying)
		return nil
	}
	all := t.statements()
	outdated, err := r.outdatedSessions(ctx, all)
	if err != nil {
		return err
	}
	p := picked{of: map[string]int{}}
	for _, s := range all {
		if len(p.all) == most {
			break
		}
		if !outdated.has(s.of.memory) && p.mayAdd(&s) {
			p.add(s)
		}
	}
	slices.SortStableFunc(p.all, func(a, b said) int { return cmp.Compare(a.of.rank, b.of.rank) })
	for _, s := range p.all {
		t.say(&s)
	}
	t.holdUnsaid(saidBetter)
	return nil
}

// say injects a statement as an entry of its own, if there is room.
func (t *injection) say(s *said) {
	if why := t.reasonToYield(s.of); why != "" && s.of.outcome == "" {
		s.of.outcome = why
	}
	if s.of.outcome != "" && s.of.outcome != api.OutcomeInjected {
		return
	}
	entry := block.Statement(s.of.memory, string(s.kind), s.text, t.req.Project)
	if !t.budget.Spend(s.of.memory.Source, entry) {
		s.of.outcome = cmp.Or(s.of.outcome, request.NoRoom)
		return
	}
	s.of.outcome = api.OutcomeInjected
	t.res.AddStatement(s.of.memory, s.of.score.Value, s.text, entry)
}

// Outcomes of candidates of which nothing is said.
const (
	notWorthSaying = "the prompt needs nothing of earlier sessions, as far as can be told"
	saidBetter     = "others say more of what is asked"
)

// holdUnsaid sets the outcome of what nothing was said of.
func (t *injection) holdUnsaid(why string) {
	for _, c := range t.ranked {
		if c.outcome == "" && c.activity == "" {
			c.outcome = why
		}
	}
}

// picked are the statements that were chosen.
type picked struct {
	all []said
	of  map[string]int // by memory
}

// mayAdd reports whether a statement says something that those before it do not.
func (p *picked) mayAdd(s *said) bool {
	return p.of[s.of.id] < mostOfMemory && !slices.ContainsFunc(p.all, func(other said) bool {
		return s.terms.ShareIn(other.terms) >= sameWords || other.terms.ShareIn(s.terms) >= sameWords
	})
}

func (p *picked) add(s said) {
	p.all = append(p.all, s)
	p.of[s.of.id]++
}

// mostOutdated bounds how many of the best statements are asked whether a later session changed what
// their own decided.
const mostOutdated = 24

// outdated are the briefs of sessions that later ones amended.
type outdated map[string]brief.Brief

// has reports whether what a memory says may be out of date: how a session came out whose decisions a
// later one changed. Its decisions stand unless they were superseded.
func (o outdated) has(m *memory.Memory) bool {
	return o[m.Session].Amended != "" && m.Source != memory.Journal && isPartOfBrief(m)
}

// outdatedSessions reads the briefs of the sessions of the best statements.
func (r *Recall) outdatedSessions(ctx context.Context, all []said) (outdated, error) {
	var ids []string
	for _, s := range all[:min(mostOutdated, len(all))] {
		if m := s.of.memory; isPartOfBrief(m) && !slices.Contains(ids, m.Session) {
			ids = append(ids, m.Session)
		}
	}
	briefs := r.sessions().Briefs(ids)
	if err := r.sessions().AddLater(ctx, briefs); err != nil {
		return nil, err
	}
	return briefs, nil
}
