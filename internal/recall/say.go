package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
	"recollect/internal/recall/statement"
)

// A limit is how many memories something is said of at most, and how many statements of each.
type limit struct{ memories, each int }

// Of how many memories something is said: with the first prompt of a session, or one that asks for past work, of as
// many as budget.items; later of few, because the session knows what it works on.
const (
	laterMemories = 3
	mostOfMemory  = 2 // statements
)

// sameWords is the share of its words from which on a statement repeats another that has them.
const sameWords = 0.95

// The weights of what tells that a statement answers a prompt: the mean of two fits. One puts what labelled prompts
// need before the rest; the other is of 3,451 statements that readers judged beside 300 prompts. How relevant its memory
// is adds nothing to how relevant the best one of its session is.
var sayWeights = struct{ newest, session, late, near, words, far, length, cover, new, asked, user, decided, cause float64 }{
	newest: 1.85, session: 0.49, late: 0.25, near: 0.25, words: 0.7, far: 0.23,
	length: 1.67, cover: 0.81, new: 0.31, asked: -0.25, user: 0.4, decided: 0.4, cause: 0.36,
}

// decidedInPast is added to what was decided where a prompt asks for past work. It was given, not fitted.
const decidedInPast = 1

// A said is a statement that may be injected.
type said struct {
	of    *candidate
	at    int // its place among the statements of the memory
	text  string
	kind  statement.Kind
	whole bool // it is all that the memory says
	score float64
	rank  int // of its memory, which gives the order in which statements are injected
	terms *sessions.Text
}

// mostSaid returns how much may be said with a prompt.
func (t *chosen) mostSaid() limit {
	most := limit{t.req.Settings.Budget.Items, mostOfMemory}
	switch {
	case t.req.HeadingsOnly:
		return limit{min(most.memories, 1), 1}
	case t.req.Session.Begun && !t.isWanted():
		most.memories = min(most.memories, laterMemories)
	}
	return most
}

// isWanted reports whether a prompt gets what is found whatever it is worth: it asks for past work, or what
// was in the context before a compaction is injected again.
func (q *query) isWanted() bool { return q.past || q.req.Only != nil || q.req.Retriever != "" }

// statements returns what the candidates say that may be injected, the best first.
func (t *injection) statements() []said {
	sets := &sessionSet{newest: map[string]int{}, best: map[string]float64{}, times: map[string][]int64{}}
	for _, c := range t.ranked {
		if c.outcome == "" || c.outcome == api.OutcomeAlready {
			sets.add(c)
		}
	}
	sets.order()
	if t.past {
		t.holdUnrelated()
	}
	var all []said
	for _, c := range t.ranked {
		if c.awaitsPlace() && c.speaksForItself() {
			all = append(all, t.statementsOf(c, sets)...)
		}
	}
	slices.SortStableFunc(all, func(a, b said) int {
		return cmp.Or(boolOrder(a.isOfTeam(), b.isOfTeam()), cmp.Compare(b.score, a.score))
	})
	return all
}

// holdUnrelated holds back the candidates of sessions of which none has a word that tells what the prompt asks about, or
// another name for it: of an unknown matter nothing is said.
func (t *injection) holdUnrelated() {
	related := map[string]bool{}
	for _, c := range t.ranked {
		for i, value := range c.Met {
			if value > 0 && !t.Clauses[i].Common {
				related[c.sessionOrSelf()] = true
			}
		}
	}
	for _, c := range t.ranked {
		if c.awaitsPlace() && !related[c.sessionOrSelf()] {
			c.outcome = "its session has no word of what is asked about"
		}
	}
}

// withoutFarBehind returns the statements that do not score far less than the best; with recall.min_worth at 0, whatever is
// relevant is wanted.
func (t *injection) withoutFarBehind(all []said) []said {
	if len(all) == 0 || t.req.Settings.Recall.MinWorth == 0 {
		return all
	}
	best := slices.MaxFunc(all, func(a, b said) int { return cmp.Compare(a.score, b.score) })
	return slices.DeleteFunc(slices.Clone(all), func(s said) bool { return s.isFarBehind(&best) })
}

// farBehind is how much less than the best one a statement of another session may score. The right one seldom has less.
const farBehind = 2.5

func (s *said) isFarBehind(best *said) bool {
	return s.score < best.score-farBehind && s.of.sessionOrSelf() != best.of.sessionOrSelf()
}

// isOfTeam reports whether somebody else said it: what the user knows comes first.
func (s *said) isOfTeam() bool { return s.of.memory.Source == memory.Team }

// speaksForItself reports whether a candidate says something for the prompt by its own words or meaning. A turn that is
// only near another one does not; what its session decided or came to does.
func (c *candidate) speaksForItself() bool {
	return c.memory.Source != memory.Episodes || c.lexicalRank > 0 || c.vectorRank > 0
}

// statementsOf returns what one candidate says.
func (t *injection) statementsOf(c *candidate, sets *sessionSet) []said {
	base := t.scoreOfMemory(c, sets)
	var all []said
	parts := t.divided.of(c.memory, c.made.Line)
	for i, s := range parts {
		if t.isEcho(&s) || t.req.Session.HasText(c.memory, s.Text) || t.wasNotSaid(c.memory, s.Text) {
			continue
		}
		score := base + t.scoreOfText(&s)
		all = append(all, said{of: c, at: i, text: s.Text, kind: s.Kind, score: score, rank: c.rank, terms: s.terms, whole: len(parts) == 1})
	}
	return all
}

// scoreOfMemory returns what a memory adds to the score of each of its statements.
func (t *injection) scoreOfMemory(c *candidate, sets *sessionSet) float64 {
	w, session := &sayWeights, c.sessionOrSelf()
	score := w.newest/float64(1+sets.newest[session]) + w.session*logOdds(sets.best[session]) + w.late/float64(1+sets.laterThan(c))
	score += w.far*c.Distance + t.req.Learned().Of(c.memory.Source)
	if c.vectorRank > 0 {
		score += w.near / float64(1+c.vectorRank)
	}
	if c.lexicalRank > 0 {
		score += w.words / float64(1+c.lexicalRank)
	}
	if c.memory.Origin == memory.OriginUser {
		score += w.user
	}
	return score
}

// scoreOfText returns what a statement adds to its score by what it says.
func (t *injection) scoreOfText(s *part) float64 {
	w, met := &sayWeights, t.scorer.ClausesIn(s.terms.Has)
	score := w.length*float64(len(s.Text))/statement.Longest + w.cover*min(1, 3*t.scorer.WorthOf(met)) + w.new*math.Log1p(t.newIn(met))
	switch {
	case s.Kind == statement.Asked:
		return score + w.asked
	case s.Kind == statement.Cause || s.Kind == statement.Fix:
		return score + w.cause
	case isDecision(s.Kind):
		score += w.decided
	}
	if t.past && isDecision(s.Kind) {
		score += decidedInPast
	}
	return score
}

// newIn returns how rare those of some clauses are together that tell what the prompt is about and that nobody said in
// this session.
func (t *candidates) newIn(met []bool) float64 {
	sum := 0.0
	for i, has := range met {
		if clause := &t.Clauses[i]; has && t.isNew(clause.Term, clause.Common) {
			sum += clause.IDF
		}
	}
	return sum
}

// wasNotSaid reports whether only what was in the context before a compaction is asked for, and this was not.
func (t *injection) wasNotSaid(m *memory.Memory, text string) bool {
	only := request.Session{Injected: t.req.Only}
	return t.req.Only != nil && t.req.Only[m.ID] == "" && !only.HasText(m, text)
}

func isDecision(kind statement.Kind) bool { return kind == statement.Decided || kind == statement.Rule }

// isEcho reports whether a statement only asks, or only says what the prompt says.
func (t *injection) isEcho(s *part) bool {
	if s.Kind != statement.Asked {
		return false
	}
	return strings.HasSuffix(s.Text, "?") || s.terms.ShareIn(t.texts.Of(memory.Clip(t.req.Prompt, maxEmbedded))) >= echoed
}

// echoed is the share of its words that what a prompt said has in common with this one if it says
// nothing else.
const echoed = 0.7

// A sessionSet knows of the sessions of the candidates which are newer, which has the most relevant candidate, and
// what happened in them when.
type sessionSet struct {
	ids    []string // the newest first
	times  map[string][]int64
	newest map[string]int // 0 for the newest
	best   map[string]float64
}

func (s *sessionSet) add(c *candidate) {
	id := c.sessionOrSelf()
	if _, known := s.times[id]; !known {
		s.ids = append(s.ids, id)
	}
	s.times[id] = append(s.times[id], c.memory.When().Unix())
	s.best[id] = max(s.best[id], c.relevance)
}

// laterThan returns how many candidates of the same session are later than one: what came out stands at the end.
func (s *sessionSet) laterThan(c *candidate) int {
	n, at := 0, c.memory.When().Unix()
	for _, t := range s.times[c.sessionOrSelf()] {
		if t > at {
			n++
		}
	}
	return n
}

func (s *sessionSet) order() {
	slices.SortStableFunc(s.ids, func(a, b string) int { return cmp.Compare(slices.Max(s.times[b]), slices.Max(s.times[a])) })
	for i, id := range s.ids {
		s.newest[id] = i
	}
}

// sayBest injects the best statements, those of a memory as one entry.
func (r *Recall) sayBest(ctx context.Context, t *injection) error {
	most, why := t.mostSaid(), saidBetter
	read := t.statements()
	all := t.withoutFarBehind(read)
	t.weighStatements(all[:min(len(all), most.memories)])
	if t.req.Offer == 0 && t.needsNothing() {
		most.memories, why = min(most.memories, laterMemories), notWorthSaying
		all = t.withoutFarBehind(onlyNoted(read))
	}
	changed, err := r.readAmendments(ctx, all)
	if err != nil {
		return err
	}
	all = r.amend(t, all, changed)
	if t.req.Offer > 0 {
		t.offerBest(all)
		return nil
	}
	t.sayFirst(all, most)
	t.holdUnsaid(why)
	return nil
}

// onlyNoted returns the statements of what was stored on purpose.
func onlyNoted(all []said) []said {
	return slices.DeleteFunc(all, func(s said) bool { return !s.of.isNoted() })
}

// sayFirst injects the first statements that say something new, while the budget lasts.
func (t *injection) sayFirst(all []said, most limit) {
	p := picked{of: map[string]int{}}
	for _, s := range all {
		switch {
		case p.of[s.of.id] == most.each || !p.isNew(&s):
		case !p.hasRoom(&s, most):
			if p.of[s.of.id] == 0 {
				t.res.Left++
			}
		case t.fits(&s, &p):
			p.add(s)
		}
	}
	t.say(p.all)
}

// offerBest offers the best statements to a reader, however many are of one memory.
func (t *injection) offerBest(all []said) {
	p := picked{of: map[string]int{}}
	for _, s := range all {
		if len(p.all) < t.req.Offer && p.isNew(&s) {
			p.add(s)
			t.res.Offered = append(t.res.Offered, request.Offer{ID: s.of.id, Text: s.text, Entry: t.entryOf(&s)})
		}
	}
}

// entryOf returns a statement as it is injected alone.
func (t *injection) entryOf(s *said) string {
	return block.Statements(s.of.memory, t.req.Project, block.Statement{Kind: s.label(), Text: s.text})
}

// fits reports whether a statement may be injected beside others, and spends its cost; if it may not, the
// outcome of its candidate says why, unless something else of it was said.
func (t *injection) fits(s *said, beside *picked) bool {
	m := s.of.memory
	if beside.of[s.of.id] > 0 {
		return t.budget.Extend(m.Source, block.Statement{Kind: s.label(), Text: s.text}.String())
	}
	why := t.reasonToYield(s.of, beside.all)
	if similar := t.duplicateOf(s.of, beside.all); similar != "" {
		why = "says nearly what " + similar + " says"
	}
	if why == "" && !t.budget.Spend(m.Source, t.entryOf(s)) {
		why = request.NoRoom
	}
	s.of.outcome = cmp.Or(why, api.OutcomeInjected)
	return why == ""
}

// say injects statements, in the order of rank of their memories, and of a memory in its own.
func (t *injection) say(all []said) {
	slices.SortStableFunc(all, func(a, b said) int { return cmp.Compare(a.rank, b.rank) })
	for len(all) > 0 {
		of := all[0].of
		isOther := func(s said) bool { return s.of != of }
		same := slices.DeleteFunc(slices.Clone(all), isOther)
		all = slices.DeleteFunc(all, func(s said) bool { return !isOther(s) })
		slices.SortFunc(same, func(a, b said) int { return cmp.Compare(a.at, b.at) })
		t.sayOf(of, same)
	}
}

// sayOf injects what is said of one memory.
func (t *injection) sayOf(c *candidate, all []said) {
	parts := make([]block.Statement, len(all))
	for i, s := range all {
		parts[i] = block.Statement{Kind: s.label(), Text: s.text}
		if s.whole {
			t.res.Keys[c.id] = c.memory.ContentKey()
		}
	}
	t.res.AddStatements(c.memory, c.score.Value, block.Statements(c.memory, t.req.Project, parts...), parts)
}

// label returns what a statement is called beside its memory, "" for the name of the memory's source.
func (s *said) label() string {
	m := s.of.memory
	switch {
	case s.kind == statement.Asked:
		return "user said"
	case m.Source == memory.Journal && s.kind != statement.Assumed, !isPartOfBrief(m):
		return ""
	}
	return string(s.kind)
}

// Outcomes of candidates of which nothing is said.
const (
	notWorthSaying = api.OutcomeNotNeeded
	saidBetter     = "others say more"
)

// holdUnsaid sets the outcome of what nothing was said of.
func (t *injection) holdUnsaid(why string) {
	for _, c := range t.ranked {
		switch {
		case c.outcome != "" || c.activity != "":
		case c.same != "":
			c.outcome = "says the same as " + c.same
		default:
			c.outcome = why
		}
	}
}

// picked are the statements that were chosen.
type picked struct {
	all []said
	of  map[string]int // by memory
}

// hasRoom reports whether a statement may stand beside those before it: as many as there may be memories, and of decisions
// and rules more.
func (p *picked) hasRoom(s *said, most limit) bool {
	if p.of[s.of.id] == 0 && len(p.of) == most.memories {
		return false
	}
	return len(p.all) < most.memories || isDecision(s.kind)
}

// isNew reports whether a statement says something that those before it do not.
func (p *picked) isNew(s *said) bool {
	for _, other := range p.all {
		if s.terms.ShareIn(other.terms) >= sameWords {
			p.note(s, &other)
			return false
		}
	}
	return true
}

func (p *picked) add(s said) {
	p.all = append(p.all, s)
	p.of[s.of.id]++
}

// note notes that what a candidate says is said by another.
func (p *picked) note(s, other *said) {
	if s.of != other.of {
		s.of.same = other.of.id
	}
}
