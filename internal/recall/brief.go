package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/block"
	"recollect/internal/brief"
	"recollect/internal/index"
	"recollect/internal/memory"
)

// A session's brief takes at most so many tokens; the one that bears on the
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

// partOfBrief reports whether m is injected as part of its session's brief.
func partOfBrief(m *memory.Memory) bool {
	switch m.Source {
	case memory.Episodes, memory.Journal, memory.Handoffs, memory.Thinking:
		return m.Session != "" && m.Turn != "" && m.Agent == ""
	}
	return false
}

// readBriefs reads the briefs of the sessions that the candidates which may be
// injected are from, as many as may be injected.
func (r *Recall) readBriefs(ctx context.Context, t *retrieval) error {
	var sessions []string
	for _, c := range t.found {
		if c.outcome == "" && partOfBrief(&c.memory) && !slices.Contains(sessions, c.memory.Session) {
			if sessions = append(sessions, c.memory.Session); len(sessions) >= t.req.Settings.Budget.Items {
				break
			}
		}
	}
	var err error
	if t.briefs, err = r.briefs(ctx, sessions); err != nil {
		return err
	}
	var amending []string
	for _, b := range t.briefs {
		if _, known := t.briefs[b.Amended]; b.Amended != "" && !known {
			amending = append(amending, b.Amended)
		}
	}
	more, err := r.briefs(ctx, amending)
	maps.Copy(t.briefs, more)
	return err
}

// Brief returns the brief of a session, the zero Brief if nothing is known of it.
func (r *Recall) Brief(ctx context.Context, session string) (brief.Brief, error) {
	known, err := r.briefs(ctx, []string{session})
	return known[session], err
}

// briefs returns the briefs of sessions. Those of which nothing is known are
// left out.
func (r *Recall) briefs(ctx context.Context, sessions []string) (map[string]brief.Brief, error) {
	briefs := make(map[string]brief.Brief, len(sessions))
	if len(sessions) == 0 {
		return briefs, nil
	}
	turns, err := r.Index.Turns(ctx, sessions)
	if err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	for session, ids := range turns {
		if b := r.briefOf(session, slices.Concat(ids...)); b.Handoff != nil || len(b.Decisions) > 0 {
			briefs[session] = b
		}
	}
	return briefs, nil
}

// briefOf returns the brief of a session that has these memories.
func (r *Recall) briefOf(session string, ids []string) brief.Brief {
	var ms []memory.Memory
	amended := ""
	for _, id := range ids {
		src, _ := memory.SourceOf(id)
		if src != memory.Journal && src != memory.Handoffs {
			continue
		}
		if src == memory.Journal && r.Store.SupersededBy(id) != "" {
			amended = cmp.Or(r.amendment(id, session), amended)
			continue
		}
		if m, err := r.Store.Get(id); err == nil {
			ms = append(ms, m)
		}
	}
	b := brief.New(ms)
	b.Amended, b.Until = amended, r.until(b.Decisions)
	return b
}

// A point is a line of a brief that may be injected.
type point struct {
	brief.Line
	score   float64 // how far it bears on the prompt
	matched bool    // the prompt found the very memory
	at      int     // place in the brief
	shown   string  // the text as it is injected
}

// points returns the lines of a brief that are not in the session's context
// yet, with what they have in common with the prompt.
func (t *retrieval) points(b brief.Brief, group []*candidate) []point {
	var out []point
	for at, line := range b.Lines() {
		if t.req.Session.has(line) {
			continue
		}
		m := line.Memory
		p := point{Line: line, at: at, score: t.scorer.share(line.Text)}
		if c := t.byID[m.ID]; c != nil && m.Source == memory.Journal {
			p.score, p.matched = max(p.score, c.relevance), slices.Contains(group, c)
		}
		p.matched = p.matched || b.Until[m.ID] != ""
		out = append(out, p)
	}
	return out
}

// has reports whether a line of a brief was injected into the session.
func (s *Session) has(line brief.Line) bool {
	id, key := lineKey(line)
	return alreadyInjected(s.Injected, id, key)
}

// lineKey returns what stands for a line among what was injected. The lines of a handoff
// stand each for itself: of a long one only some are injected at a time.
func lineKey(line brief.Line) (id, key string) {
	if line.Memory.Source != memory.Handoffs {
		return line.Memory.ID, line.Memory.ContentKey()
	}
	text := memory.Memory{Title: line.Text}
	return line.Memory.ID + "#" + text.ContentKey(), text.ContentKey()
}

// share returns the share, in [0, 1], of the worth of the query's clauses that
// a text has.
func (s *scorer) share(text string) float64 {
	terms := map[string]bool{}
	for _, token := range index.Analyze(text) {
		terms[token.Text] = true
	}
	sum := 0.0
	for i := range s.q.clauses {
		if c := &s.q.clauses[i]; terms[c.term] {
			sum += c.worth()
		}
	}
	return ratio(sum, s.total)
}

// fitBrief injects the brief of a session for which group, candidates that may be
// injected, stands: the part that bears on the prompt first, then what else was decided. What a
// later session changed comes before what it left as it was.
func (t *retrieval) fitBrief(b *block.Budget, session string, group []*candidate, res *Result) {
	whole := t.briefs[session]
	t.fitted[session] = true
	if _, ok := t.briefs[whole.Amended]; ok && !t.fitted[whole.Amended] {
		t.fitBrief(b, whole.Amended, slices.Concat(t.ofSession(whole.Amended), group), res)
	}
	room := furtherOnes
	if len(res.Injected) == 0 {
		room = firstBrief
	}
	lines := t.chooseLines(whole, session, group, room)
	if len(lines) == 0 {
		for _, c := range group {
			c.outcome = cmp.Or(c.outcome, api.OutcomeAlready)
		}
		return
	}
	head := whole.Handoff
	if head == nil {
		head = &group[0].memory
	}
	e := sessionEntry(head, t.req.Project, lines)
	for ; !b.SpendAll(e.parts); e = sessionEntry(head, t.req.Project, lines) {
		if lines = lines[:len(lines)-1]; len(lines) == 0 {
			for _, c := range group {
				c.outcome = noRoom
			}
			res.Left++
			return
		}
	}
	t.inject(e, group, res)
}

// inject records that an entry was injected, for the candidates that it stands for.
func (t *retrieval) inject(e entry, group []*candidate, res *Result) {
	for _, c := range group {
		c.outcome = api.OutcomeBrief
		if slices.ContainsFunc(e.memories, func(m *memory.Memory) bool { return m.ID == c.id }) {
			c.outcome = api.OutcomeInjected
		}
	}
	res.addEntry(e, group[0].score.Value)
}

// addEntry records an injected entry of several memories.
func (res *Result) addEntry(e entry, score float64) {
	res.Entries = append(res.Entries, e.text())
	for i, m := range e.memories {
		c := &candidate{memory: *m}
		c.score.Value = score
		res.Injected = append(res.Injected, injectedOf(c, e.parts[i].Text))
	}
	for _, p := range e.points {
		id, key := lineKey(p.Line)
		res.Keys[id] = key
	}
}

// chooseLines chooses what is injected of a brief: what the prompt found, the
// text of a turn that the brief does not have, recaps, and what else was decided,
// each in the order of the session.
func (t *retrieval) chooseLines(b brief.Brief, session string, group []*candidate, room int) []point {
	points := t.points(b, group)
	if amending, ok := t.briefs[b.Amended]; ok {
		points = standing(points, amending)
	}
	slices.SortStableFunc(points, func(x, y point) int {
		return cmp.Or(boolOrder(y.matched, x.matched), boolOrder(isRecap(y), isRecap(x)), cmp.Compare(y.score, x.score))
	})
	var chosen []point
	said, known := spoken{}, t.known(b)
	for _, text := range known {
		said.add(text)
	}
	left := room * 4
	add := func(p point) {
		if p.shown = clipLine(p); p.shown == "" {
			return
		}
		if left < len(p.shown) || said.repeats(p.shown) {
			return
		}
		left -= len(p.shown)
		said.add(p.shown)
		chosen = append(chosen, p)
	}
	for _, p := range points {
		if p.matched {
			add(p)
		}
	}
	if b.Amended == "" {
		for _, p := range t.turnPoints(session, group, points, known) {
			add(p)
		}
	}
	for _, p := range points {
		if !p.matched && worthSaying(p) {
			add(p)
		}
	}
	slices.SortStableFunc(chosen, func(x, y point) int {
		return cmp.Or(boolOrder(y.matched, x.matched), cmp.Compare(x.at, y.at))
	})
	return chosen
}

// worthSaying reports whether a line that the prompt did not find belongs to
// what a prompt about its session needs: decisions and the cause always, the rest
// if it shares words with the prompt.
func worthSaying(p point) bool {
	return p.Kind == brief.Decided || p.Kind == brief.Cause || p.score > 0
}

func isRecap(p point) bool { return slices.Contains(p.Memory.Tags, memory.TagRecap) }

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

func clipLine(p point) string {
	switch {
	case p.Kind == turnKind:
		return clipWords(p.Text, maxTurn)
	case isRecap(p):
		return clipWords(p.Text, maxRecap)
	case p.Memory.Source == memory.Journal:
		return clipWords(p.Text, maxDecision)
	}
	return clipWords(withoutEdits(withoutTurn(p.Text)), maxLine)
}

// withoutEdits leaves out of what was done which files were edited: git knows.
func withoutEdits(text string) string {
	text, _, _ = strings.Cut(text, "; "+edited)
	if strings.HasPrefix(text, edited) {
		return ""
	}
	return text
}

// edited is how the part of a handoff begins that lists files.
const edited = "Edited "

// turnMark is what a line of a handoff ends with. Only who looks the session up wants it.
const turnMark = " (turn "

func withoutTurn(text string) string {
	if at := strings.LastIndex(text, turnMark); at > 0 && strings.HasSuffix(text, ")") {
		return text[:at]
	}
	return text
}

// clipWords cuts a text to n bytes at a word's end.
func clipWords(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = memory.Clip(text, n-len("…"))
	if at := strings.LastIndexByte(text, ' '); at > n/2 {
		text = text[:at]
	}
	return text + "…"
}

// repeated is the share of a line's pairs of words that the lines before it must
// have for it to repeat them. Words alone do not do: "percent, not millibar" has those
// of "millibar, not percent".
const repeated = 0.7

// spoken are the pairs of words that the chosen lines have.
type spoken map[[2]string]bool

func (s spoken) add(text string) {
	for _, p := range index.Pairs(index.Analyze(text)) {
		s[[2]string{p.First, p.Second}] = true
	}
}

// repeats reports whether nearly all of a text has been said.
func (s spoken) repeats(text string) bool {
	pairs, known := index.Pairs(index.Analyze(text)), 0
	for _, p := range pairs {
		if s[[2]string{p.First, p.Second}] {
			known++
		}
	}
	return len(pairs) > 0 && float64(known) >= repeated*float64(len(pairs))
}

// turnKind is the kind of a line with the text of a turn.
const turnKind = "turn"

// known returns the lines of a brief that were injected into the session before, each as short
// as it may have been cut then, and the topic above them.
func (t *retrieval) known(b brief.Brief) []string {
	var texts []string
	for _, line := range b.Lines() {
		if t.req.Session.has(line) {
			texts = append(texts, clipWords(withoutTurn(line.Text), maxStartLine))
		}
	}
	if len(texts) > 0 && b.Handoff != nil {
		texts = append(texts, b.Handoff.Title)
	}
	return texts
}

// maxTurns is how many turns of a session are injected with their own text.
const maxTurns = 2

// turnPoints returns the text of the best turns that the prompt found, if the
// lines of the brief, also those known to the session, lack what they have in common with the
// prompt.
func (t *retrieval) turnPoints(session string, group []*candidate, points []point, known []string) []point {
	var lines strings.Builder
	for _, text := range known {
		lines.WriteString(text + "\n")
	}
	for _, p := range points {
		if p.matched || worthSaying(p) {
			lines.WriteString(p.Text + "\n")
		}
	}
	var turns []point
	for _, c := range group {
		if c.memory.Session != session || c.memory.Source != memory.Episodes && c.memory.Source != memory.Thinking {
			continue
		}
		text := turnText(&c.memory, t.briefs[session].Handoff)
		had := t.scorer.share(lines.String())
		if len(points)+len(known)+len(turns) > 0 && t.scorer.share(lines.String()+text)-had <= lacking*t.scorer.share(text) {
			continue
		}
		turns = append(turns, point{Line: brief.Line{Kind: turnKind, Text: text, Memory: &c.memory}, matched: true, score: c.relevance})
		if len(turns) == maxTurns {
			break
		}
		lines.WriteString(text + "\n")
	}
	return turns
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
	return m.Title + ": " + text
}

// An entry is what is injected as one: a heading and what stands below it, with
// the memories that the parts are from.
type entry struct {
	parts    []block.Part
	memories []*memory.Memory // one a part
	lines    []string
	points   []point
}

func (e *entry) text() string { return strings.Join(e.lines, "") }

// questionIn returns the part of a decision that says what was asked, or "". Several decisions
// often answer one question, which need not be repeated.
func questionIn(text string) string {
	_, asked, ok := strings.Cut(text, " (asked: ")
	if !ok {
		return ""
	}
	if asked, _, ok = strings.Cut(asked, "?)"); !ok {
		return ""
	}
	return " (asked: " + asked + "?)"
}

// lineLabels are what the lines of a brief begin with.
var lineLabels = map[string]string{brief.Assumed: "Claude assumed: ", brief.Cause: "Cause: ", brief.Done: "Done: ", brief.Open: "Open: ", brief.Next: "Next: ", turnKind: ""}

// sessionEntry writes the entry of a session: head gives its topic.
func sessionEntry(head *memory.Memory, reader memory.Project, lines []point) entry {
	heading := block.SessionHeading(head, reader)
	e := entry{points: lines, lines: []string{heading}, parts: []block.Part{{Source: head.Source, Text: heading}}, memories: []*memory.Memory{head}}
	question := ""
	for _, p := range lines {
		said := strings.Join(strings.Fields(p.shown), " ")
		if asked := questionIn(said); asked != "" && asked == question {
			said = strings.Replace(said, asked, "", 1)
		} else {
			question = asked
		}
		text := block.Indented("- " + lineLabels[p.Kind] + said)
		e.lines = append(e.lines, text)
		if i := slices.IndexFunc(e.memories, func(m *memory.Memory) bool { return m.ID == p.Memory.ID }); i >= 0 {
			e.parts[i].Text += text
			continue
		}
		e.parts = append(e.parts, block.Part{Source: p.Memory.Source, Text: text})
		e.memories = append(e.memories, p.Memory)
	}
	return e
}
