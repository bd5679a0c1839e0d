package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/orientation"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
)

// A session's brief takes at most so many tokens; the one that matters to the
// prompt most may have more.
const (
	firstBrief  = 340
	furtherOnes = 160
)

// Bounds of the lines of an injected brief, in bytes.
const (
	maxRecap    = 900 // of a recap, which has all that was decided
	maxDecision = 320
	maxLine     = 260
	maxTurn     = 420 // of the text of a turn
)

// lacking is the share of what a turn has in common with the prompt that the
// lines of its session's brief must lack for the turn's own text to be injected.
const lacking = 0.34

// isPartOfBrief reports whether m is injected as part of its session's brief.
func isPartOfBrief(m *memory.Memory) bool {
	switch m.Source {
	case memory.Episodes, memory.Journal, memory.Handoffs, memory.Thinking:
		return m.Session != "" && m.Turn != "" && m.Agent == ""
	}
	return false
}

// readBriefs reads the briefs of the sessions that the candidates which may be
// injected are from, as many as may be injected.
func (r *Recall) readBriefs(ctx context.Context, req *request.Request, found []*candidate) (map[string]brief.Brief, error) {
	var sessions []string
	for _, c := range found {
		if c.outcome == "" && isPartOfBrief(c.memory) && !slices.Contains(sessions, c.memory.Session) {
			if sessions = append(sessions, c.memory.Session); len(sessions) >= req.Settings.Budget.Items {
				break
			}
		}
	}
	briefs := r.sessions().Briefs(sessions)
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

// A briefLine is a line of a brief that may be injected.
type briefLine struct {
	brief.Shown
	score   float64 // how far it matters to the prompt
	matched bool    // the prompt found the very memory
	at      int     // place in the brief
}

// linesOf returns the lines of a brief that are not in the session's context
// yet, with what they have in common with the prompt.
func (t *injection) linesOf(b brief.Brief, group []*candidate) []briefLine {
	var out []briefLine
	for at, line := range b.Lines() {
		if t.req.Session.HasLine(line) || !t.mayInject(line.Memory) {
			continue
		}
		m := line.Memory
		p := briefLine{Shown: brief.Shown{Line: line}, at: at, score: t.scorer.shareOf(t.texts.Of(line.Text))}
		if c := t.byID[m.ID]; c != nil && m.Source == memory.Journal {
			p.score, p.matched = max(p.score, c.relevance), slices.Contains(group, c)
		}
		p.matched = p.matched || b.Until[m.ID] != ""
		out = append(out, p)
	}
	return out
}

// A scorer tells of texts, too, what they have of the query.
type scorer struct{ relevance.Scorer }

// shareOf returns the share, in [0, 1], of the worth of the query's clauses that
// a text has.
func (s *scorer) shareOf(t *sessions.Text) float64 { return s.worthOf(s.clausesHad(t)) }

// clausesHad returns which of the query's clauses any of some lines has.
func (s *scorer) clausesHad(lines ...*sessions.Text) []bool {
	return s.ClausesIn(func(term string) bool {
		return slices.ContainsFunc(lines, func(t *sessions.Text) bool { return t.Has(term) })
	})
}

// worthOf returns the share, in [0, 1], of the worth of the query that clauses make.
func (s *scorer) worthOf(had []bool) float64 { return s.WorthOf(had) }

// fitBrief injects the brief of a session for which group, candidates that may be
// injected, stands: the part that matters to the prompt first, then what else was decided. What a
// later session changed comes before what it left as it was.
func (t *injection) fitBrief(session string, group []*candidate) {
	whole := t.briefs[session]
	t.fitted[session] = true
	if _, ok := t.briefs[whole.Amended]; ok && !t.fitted[whole.Amended] {
		t.fitBrief(whole.Amended, slices.Concat(t.ofSession(whole.Amended), group))
	}
	room := furtherOnes
	if len(t.res.Injected) == 0 {
		room = firstBrief
	}
	lines := t.chooseLines(whole, session, group, room)
	if len(lines) == 0 {
		for _, c := range group {
			c.outcome = cmp.Or(c.outcome, api.OutcomeAlready)
		}
		return
	}
	e, ok := t.fitLines(cmp.Or(t.topicOf(session), otherHead(session, group)), lines)
	if !ok { // the tokens of handoffs may be all that lacks
		e, ok = t.fitLines(otherHead(session, group), withoutHandoff(lines))
	}
	if !ok {
		for _, c := range group {
			c.outcome = request.NoRoom
		}
		t.res.Left++
		return
	}
	t.injectEntry(e, group)
}

// fitLines returns the entry with as many of the first lines as the budget has room for, and spends
// its cost.
func (t *injection) fitLines(head *memory.Memory, lines []brief.Shown) (brief.Entry, bool) {
	for ; len(lines) > 0; lines = lines[:len(lines)-1] {
		if e := brief.NewEntry(head, t.req.Project, lines); t.budget.SpendAll(e.Parts) {
			return e, true
		}
	}
	return brief.Entry{}, false
}

// otherHead returns the best memory of a session that is not its handoff, else the best of all.
func otherHead(session string, group []*candidate) *memory.Memory {
	for _, c := range group {
		if c.memory.Session == session && c.memory.Source != memory.Handoffs {
			return c.memory
		}
	}
	return group[0].memory
}

// withoutHandoff leaves out the lines of a handoff.
func withoutHandoff(lines []brief.Shown) []brief.Shown {
	return slices.DeleteFunc(slices.Clone(lines), func(l brief.Shown) bool { return l.Memory.Source == memory.Handoffs })
}

// injectEntry records that an entry was injected, for the candidates that it stands for.
func (t *injection) injectEntry(e brief.Entry, group []*candidate) {
	for _, c := range group {
		c.outcome = api.OutcomeBrief
		if slices.ContainsFunc(e.Memories, func(m *memory.Memory) bool { return m.ID == c.id }) {
			c.outcome = api.OutcomeInjected
		}
	}
	t.res.AddEntry(e, group[0].score.Value)
}

// chooseLines chooses what is injected of a brief: what the prompt found, the
// text of a turn that the brief does not have, recaps, and what else was decided,
// each in the order of the session.
func (t *injection) chooseLines(b brief.Brief, session string, group []*candidate, room int) []brief.Shown {
	points, stands := t.linesOf(b, group), t.standingOf(&b)
	slices.SortStableFunc(points, func(x, y briefLine) int {
		return cmp.Or(boolOrder(y.matched, x.matched), boolOrder(isRecap(y), isRecap(x)), cmp.Compare(y.score, x.score))
	})
	var chosen []briefLine
	said, known := sessions.Said{}, t.knownLines(b)
	for _, line := range known {
		said.Add(line)
	}
	left := room * 4
	add := func(p briefLine) {
		p.As = p.Short(shownLength(&p.Line))
		if p.As == "" || left < len(p.As) {
			return
		}
		if said.RepeatsLine(p.As, t.texts) || !stands.hasLine(&p.Line) {
			return
		}
		left -= len(p.As)
		said.Add(t.texts.Of(p.As))
		chosen = append(chosen, p)
	}
	for _, p := range points {
		if p.matched {
			add(p)
		}
	}
	if b.Amended == "" {
		for _, p := range t.turnLines(session, group, points, known) {
			add(p)
		}
	}
	for _, p := range points {
		if !p.matched && worthSaying(p) {
			add(p)
		}
	}
	slices.SortStableFunc(chosen, func(x, y briefLine) int {
		return cmp.Or(boolOrder(y.matched, x.matched), cmp.Compare(x.at, y.at))
	})
	return shownOf(chosen)
}

// shownOf returns the lines of points.
func shownOf(points []briefLine) []brief.Shown {
	lines := make([]brief.Shown, len(points))
	for i, p := range points {
		lines[i] = p.Shown
	}
	return lines
}

// worthSaying reports whether a line that the prompt did not find belongs to
// what a prompt about its session needs: decisions and the cause always, the rest
// if it shares words with the prompt.
func worthSaying(p briefLine) bool {
	return p.Kind == brief.Decided || p.Kind == brief.Cause || p.score > 0
}

func isRecap(p briefLine) bool { return slices.Contains(p.Memory.Tags, memory.TagRecap) }

// boolOrder orders false before true.
func boolOrder(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

// shownLength is the length of a line in an injected brief, in bytes.
func shownLength(line *brief.Line) int {
	switch {
	case line.Kind == turnKind:
		return maxTurn
	case slices.Contains(line.Memory.Tags, memory.TagRecap):
		return maxRecap
	case line.Memory.Source == memory.Journal:
		return maxDecision
	}
	return maxLine
}

// turnKind is the kind of a line with the text of a turn.
const turnKind = "turn"

// knownLines returns the lines of a brief that were injected into the session before, each as short
// as it may have been cut then, and the topic above them. The files that a line names were left
// out, but no turn is injected only because it edited them.
func (t *injection) knownLines(b brief.Brief) []*sessions.Text {
	var known []*sessions.Text
	for _, line := range b.Lines() {
		if t.req.Session.HasLine(line) {
			known = append(known, t.texts.Of(memory.Clip(line.Text, orientation.MaxLine)))
		}
	}
	if len(known) > 0 && b.Handoff != nil {
		known = append(known, t.texts.Of(b.Handoff.Title))
	}
	return known
}

// maxTurns is how many turns of a session are injected with their own text.
const maxTurns = 2

// turnLines returns the text of the best turns that the prompt found, if the
// lines of the brief, also those known to the session, lack what they have in common with the
// prompt.
func (t *injection) turnLines(session string, group []*candidate, points []briefLine, known []*sessions.Text) []briefLine {
	lines := slices.Clone(known)
	for _, p := range points {
		if p.matched || worthSaying(p) {
			lines = append(lines, t.texts.Of(p.Text))
		}
	}
	said := t.scorer.clausesHad(lines...)
	var turns []briefLine
	for _, c := range group {
		if c.memory.Session != session || c.memory.Source != memory.Episodes && c.memory.Source != memory.Thinking {
			continue
		}
		text := turnText(c.memory, t.topicOf(session))
		own := t.scorer.clausesHad(t.texts.Of(text))
		if len(lines)+len(turns) > 0 && t.scorer.worthOf(clausesWithout(own, said)) <= lacking*t.scorer.worthOf(own) {
			continue
		}
		turns = append(turns, briefLine{Shown: brief.Shown{Line: brief.Line{Kind: turnKind, Text: text, Memory: c.memory}}, matched: true, score: c.relevance})
		if len(turns) == maxTurns {
			break
		}
		for i, has := range own {
			said[i] = said[i] || has
		}
	}
	return turns
}

// topicOf returns the handoff that the entry of a session begins with, nil if it may not be injected.
func (t *injection) topicOf(session string) *memory.Memory {
	if handoff := t.briefs[session].Handoff; handoff != nil && t.mayInject(handoff) {
		return handoff
	}
	return nil
}

// clausesWithout returns which clauses of a are not in b.
func clausesWithout(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i := range a {
		out[i] = a[i] && !b[i]
	}
	return out
}

// sameTopicBytes is how much two titles have in common at their beginning if they are of one
// prompt: either may be cut.
const sameTopicBytes = 40

// turnText returns what a turn says: its title, unless that of its session's handoff says it
// already, and what came out.
func turnText(m, handoff *memory.Memory) string {
	text := strings.TrimPrefix(block.Inline(block.Body(m)), "Outcome: ")
	switch {
	case text == "":
		return m.Title
	case handoff != nil && len(m.Title) >= sameTopicBytes && strings.HasPrefix(handoff.Title, memory.Clip(m.Title, sameTopicBytes)):
		return text
	}
	if m.Source == memory.Thinking { // its title is its beginning, and the session's heading its topic
		return memory.WithoutTopic(text)
	}
	return m.Title + ": " + text
}
