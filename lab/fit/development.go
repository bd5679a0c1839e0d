package fit

import (
	"regexp"
	"strings"
)

const (
	bodyWords    = 160 // words of a commit's body that are used, as in the embedder's training
	messageWords = 220 // words of a whole message that are used
	sessionTurns = 8   // paragraphs of a section that are used
)

// subjects makes queries from the subjects of commits. The answer is the commit's body.
func subjects(m *maker, c *corpus) {
	for _, r := range m.draw(c.commitsOf(m.from, informativeSubject), m.docs) {
		m.query(r.Subject, m.doc(clip(r.body(), bodyWords)))
	}
	others := c.commitsOf([]string{m.against}, func(r record) bool { return letterWords(r.Subject) >= 4 })
	for _, r := range m.draw(others, m.negatives) {
		m.negative(r.Subject)
	}
}

func informativeSubject(r record) bool {
	return letterWords(r.Subject) >= 4 && wordCount(r.body()) >= 15
}

// cloze makes queries from single sentences. The answer is the rest of the message.
func cloze(m *maker, c *corpus) {
	several := func(r record) bool { return len(sentences(r)) >= 2 }
	for _, r := range m.draw(c.commitsOf(m.from, several), m.docs) {
		sentence, rest := "", r.body()
		if len(m.out.Queries) < m.queries {
			sentence, rest = m.takeOut(r)
		}
		id := m.doc(r.Subject + "\n" + clip(rest, messageWords))
		if sentence != "" {
			m.query(sentence, id)
		}
	}
	for _, r := range m.draw(c.commitsOf([]string{m.against}, several), m.negatives) {
		if sentence, _ := m.takeOut(r); sentence != "" {
			m.negative(sentence)
		}
	}
}

// takeOut removes one sentence of 6 to 40 words from the body of r, if there is one.
func (m *maker) takeOut(r record) (sentence, rest string) {
	all := sentences(r)
	var fit []int
	for i, s := range all {
		if n := wordCount(s); n >= 6 && n <= 40 {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return "", r.body()
	}
	at := fit[m.random.IntN(len(fit))]
	sentence = all[at]
	return sentence, strings.Join(append(all[:at:at], all[at+1:]...), " ")
}

// long makes queries from the beginnings of messages. The answer is the rest of the message.
func long(m *maker, c *corpus) {
	goesOn := func(r record) bool {
		return len(r.Body) >= 2 && wordCount(r.Body[0]) >= 20 && wordCount(strings.Join(r.Body[1:], " ")) >= 20
	}
	for _, r := range m.draw(c.commitsOf(m.from, goesOn), m.docs) {
		m.query(r.Subject+"\n"+r.Body[0], m.doc(clip(strings.Join(r.Body[1:], "\n"), messageWords)))
	}
	others := c.commitsOf([]string{m.against}, func(r record) bool { return wordCount(r.body()) >= 30 })
	for _, r := range m.draw(others, m.negatives) {
		m.negative(r.Subject + "\n" + clip(r.body(), messageWords))
	}
}

// sections makes queries from headings. The answers are the paragraphs below them, stored as the turns of
// a session.
func sections(m *maker, c *corpus) {
	several := func(r record) bool { return len(r.Body) >= 2 }
	for session, r := range m.draw(c.sectionsOf(m.from, several), m.docs) {
		var ids []string
		for place, p := range r.Body[:min(sessionTurns, len(r.Body))] {
			ids = append(ids, m.turn(session, place, clip(p, bodyWords)))
		}
		if informativeHeading(r) {
			m.query(r.heading(), ids...)
		}
	}
	for _, r := range m.draw(c.sectionsOf([]string{m.against}, informativeHeading), m.negatives) {
		m.negative(r.heading())
	}
}

func informativeHeading(r record) bool { return letterWords(r.heading()) >= 3 }

var (
	letters     = regexp.MustCompile(`[A-Za-z]{3,}`)
	sentenceEnd = regexp.MustCompile(`[.!?]\s+`)
)

// letterWords counts the words of three letters or more.
func letterWords(text string) int { return len(letters.FindAllStringIndex(text, -1)) }

func wordCount(text string) int { return len(strings.Fields(text)) }

// clip returns the first n words of a text, with spaces between them.
func clip(text string, n int) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(n, len(words))], " ")
}

// sentences divides the paragraphs of r at full stops.
func sentences(r record) []string {
	var out []string
	for _, p := range r.Body {
		start := 0
		for _, end := range sentenceEnd.FindAllStringIndex(p, -1) {
			out = append(out, strings.TrimSpace(p[start:end[1]]))
			start = end[1]
		}
		if rest := strings.TrimSpace(p[start:]); rest != "" {
			out = append(out, rest)
		}
	}
	return out
}
