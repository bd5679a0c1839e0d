package capture

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/memory"
)

// Bounds of what is kept of a turn's reasoning.
const (
	maxThoughts  = 3
	maxThought   = 600 // bytes of a passage
	minThought   = 30  // bytes of a conclusion; a shorter one says too little
	minWords     = 6   // of a passage that names nothing
	maxAnnounced = 3   // items of a list that belong to a conclusion
	maxAbout     = 80  // bytes of what the turn is about
	maxLong      = 400 // bytes of a sentence; a longer one is a list or code
)

// A thought is a passage of Claude's reasoning that weighs, rejects or
// concludes.
type thought struct {
	conclusion string // the sentence that makes it one
	text       string // with the sentences that it needs
	weight     int
}

// thinking makes memories of what Claude found out and what it rejected, with
// the reason: not of what it was about to do, nor of what it was asked. At
// most maxThoughts of a turn, the best first.
func thinking(s *scene) []memory.Memory {
	blocks := make([]string, len(s.Thinking))
	for i, block := range s.Thinking {
		blocks[i] = Clean(block)
	}
	var out []memory.Memory
	var kept []thought
	for _, t := range thoughts(blocks, s.asked) {
		if len(out) == maxThoughts || slices.ContainsFunc(kept, t.alike) {
			continue
		}
		if m, ok := s.thinkingMemory(t); ok {
			out, kept = append(out, m), append(kept, t)
		}
	}
	return out
}

// thoughts returns the thoughts in blocks of reasoning, the best first, without
// those that only say again what was asked.
func thoughts(blocks []string, asked string) []thought {
	var found []thought
	for _, block := range blocks {
		found = append(found, conclusions(block)...)
	}
	known := wordsIn(asked)
	found = slices.DeleteFunc(found, func(t thought) bool { return shared(t.text, known) > repeated })
	slices.Reverse(found) // what was thought last is truest
	slices.SortStableFunc(found, func(a, b thought) int { return cmp.Compare(b.weight, a.weight) })
	return found
}

// alone reports whether a thought can be understood by itself, because it names
// what it is about.
func (t thought) alone() bool { return namesSomething(t.text) }

// plain reports a thought that rests on a mere reason.
func (t thought) plain() bool { return t.weight <= plainReason }

// thinkingMemory makes a thought readable alone: where it names nothing, it
// begins with what the turn is about.
func (s *scene) thinkingMemory(t thought) (memory.Memory, bool) {
	m := s.memory(memory.Thinking, memory.OriginAssistant)
	m.Title, m.Text = t.conclusion, t.text
	if !t.alone() {
		topic := s.topic()
		if topic == "" {
			return m, false
		}
		m.Text = "On “" + clip(topic, maxAbout) + "”: " + t.text
	}
	m.Confidence = 0.5
	if !t.plain() {
		m.Confidence = 0.6
	}
	m.Keywords, m.Evidence = keywords(t.text), t.conclusion
	return m, true
}

// conclusions returns the passages of a block of reasoning that conclude.
func conclusions(block string) []thought {
	var out []thought
	said := sayings(block)
	for i := 0; i < len(said); i++ {
		weight := weigh(said[i])
		if weight == 0 {
			continue
		}
		from, to := around(said, i)
		if t, ok := passageOf(said[from:to], said[i], weight); ok {
			out = append(out, t)
			i = to - 1
		}
	}
	if t, ok := terse(said); ok && len(out) == 0 {
		return []thought{t}
	}
	return out
}

// sayings returns the sentences of a block of reasoning, its code left out.
func sayings(block string) []string {
	var out []string
	for _, paragraph := range prose(unglue(block)) {
		out = append(out, sentences(strings.Join(paragraph, "\n"))...)
	}
	return out
}

// around returns which sentences the one at i is understood with: those that
// it leans on, and what follows from it or is announced by it.
func around(said []string, i int) (from, to int) {
	from, to = i, i+1
	for from > max(0, i-2) && leans(said[from]) && !idle(said[from-1]) && !strings.HasSuffix(said[from-1], ":") {
		from--
	}
	if strings.HasSuffix(said[i], ":") {
		for to < len(said) && to <= i+maxAnnounced && isListed(said[to]) && !idle(said[to]) {
			to++
		}
	} else if to < len(said) && follows(said[to]) && !idle(said[to]) && !strings.HasSuffix(said[to], ":") {
		to++
	}
	return from, to
}

// passageOf joins the sentences of a thought, if they can be understood.
func passageOf(said []string, conclusion string, weight int) (thought, bool) {
	if pronominal.MatchString(opening(withoutMark(said[0]))) {
		return thought{}, false
	}
	t := thought{conclusion: opening(withoutMark(conclusion)), text: joined(said), weight: weight}
	if pronominal.MatchString(t.conclusion) || strings.HasSuffix(t.conclusion, ":") {
		t.conclusion = t.text // says little without the rest
	}
	if strings.HasSuffix(t.text, ":") || weight == plainReason && !namesSomething(t.conclusion) || len(t.text) > maxThought || len(t.conclusion) < minThought {
		return thought{}, false
	}
	if namesSomething(t.conclusion) {
		t.weight++
	} else if len(contentWords(t.text)) < minWords {
		return thought{}, false
	}
	return t, true
}

// joined makes one line of sentences; items of a list are set apart.
func joined(said []string) string {
	text := opening(withoutMark(said[0]))
	for _, sentence := range said[1:] {
		if isListed(sentence) && !strings.ContainsAny(text[len(text)-1:], ".:;,!?") {
			text += ";"
		}
		text += " " + withoutMark(sentence)
	}
	return text
}

// glued finds sentences between which the space is missing.
var glued = lazy(`([a-z)\x60"][.!:"])(Let me|Now|The|This|That|So|I|However|But|Looking|Wait|Good|Given|Actually|\d\.) `)

func unglue(s string) string {
	for i := 1; i < len(s)-1; i++ {
		if strings.IndexByte(".!:\"", s[i]) >= 0 && s[i+1] > ' ' && s[i+1] <= 'Z' {
			return glued.ReplaceAllString(s, "$1\n$2 ")
		}
	}
	return s
}

// opening drops the words that only lead in: "Wait, actually the …".
func opening(s string) string {
	for {
		rest := supposed.ReplaceAllString(leadIn.ReplaceAllString(s, ""), "$1")
		if rest == s || rest == "" {
			break
		}
		s = rest
	}
	if s == "" {
		return ""
	}
	if word, _, _ := strings.Cut(s, " "); isIdentifier(strings.Trim(word, ".,:;()'\"")) {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// namesSomething reports whether s has a name of code, a path, or something
// between backticks or quotes that says what it is about.
func namesSomething(s string) bool {
	return named.MatchString(s) || len(keywords(s)) > 0
}

var named = lazy("`[^`]{3,}`|[\\w-]+\\.(?:[a-z]{1,4})\\b|\\w/\\w|\\w\\(\\)|\\w\\.\\w|--\\w|[a-z] [A-Z][A-Za-z]{2,}")

// contentWords returns the words of s that say what it is about.
func contentWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), notInName)
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < 4 || fillers[w] || pronouns[w] })
}

// repeated and similar are the shares of a passage's words from which on it
// only says again what was asked, or what another one says.
const (
	repeated = 0.8
	similar  = 0.6
)

// alike reports whether two thoughts have most of their words in common.
func (t thought) alike(o thought) bool {
	return shared(t.text, wordsIn(o.text)) > similar || shared(o.text, wordsIn(t.text)) > similar
}

func wordsIn(s string) map[string]bool {
	in := map[string]bool{}
	for _, w := range contentWords(s) {
		in[w] = true
	}
	return in
}

// shared is the part of a passage's content words that others have, in [0, 1].
func shared(passage string, others map[string]bool) float64 {
	words := contentWords(passage)
	n := 0
	for _, w := range words {
		if others[w] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}
