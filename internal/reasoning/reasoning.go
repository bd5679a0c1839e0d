// Package reasoning finds in Claude's reasoning what it came to: causes that
// it found, ways that it rejected and why. What it was about to do, only
// supposed or repeated is passed over.
package reasoning

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/prose"
)

// Bounds of what is stored of a turn's reasoning.
const (
	maxThought   = 600 // bytes of a passage
	minThought   = 30  // bytes of a conclusion; a shorter one says too little
	minWords     = 6   // of a passage that names nothing
	maxAnnounced = 3   // items of a list that belong to a conclusion

	maxLong = 400 // bytes of a sentence; a longer one is a list or code
)

// A Thought is a passage of Claude's reasoning that weighs, rejects or
// concludes.
type Thought struct {
	Conclusion string // the sentence that makes it one
	Text       string // with the sentences that it needs
	Rule       string // the name of the rule that took it for a thought
	Cause      bool   // it says what is wrong, and why
	weight     weight
}

// Thoughts returns the thoughts in blocks of reasoning, the best first, without
// those that only say again what was asked.
func Thoughts(blocks []string, asked string) []Thought {
	var found []Thought
	for _, block := range blocks {
		found = append(found, conclusions(block)...)
	}
	known := wordsIn(asked)
	found = slices.DeleteFunc(found, func(t Thought) bool { return shared(t.Text, known) > repeated })
	slices.Reverse(found) // what was thought last is truest
	slices.SortStableFunc(found, func(a, b Thought) int { return cmp.Compare(b.weight, a.weight) })
	return found
}

// Alone reports whether a thought can be understood by itself, because it names
// what it is about.
func (t Thought) Alone() bool { return namesSomething(t.Text) }

// AsCause returns the thought worded as the cause of what was fixed.
func (t Thought) AsCause() Thought {
	stated := reasoningRules().StatedCause
	for _, s := range []*string{&t.Conclusion, &t.Text} {
		if found := stated.FindStringIndex(*s); found != nil {
			*s = "Cause: " + opening((*s)[found[1]:])
		}
	}
	return t
}

// Plain reports a thought that rests on a mere reason.
func (t Thought) Plain() bool { return t.weight <= plainReason }

// conclusions returns the passages of a block of reasoning that conclude.
func conclusions(block string) []Thought {
	var out []Thought
	sentences := sentencesOf(block)
	for i := 0; i < len(sentences); i++ {
		c := conclusionIn(sentences[i])
		if c == nil {
			continue
		}
		from, to := around(sentences, i)
		if t, ok := passageOf(sentences[from:to], sentences[i], c.Weight); ok {
			t.Rule, t.Cause = c.Name, c.Weight == cause
			out = append(out, t)
			i = to - 1
		}
	}
	if t, ok := terse(sentences); ok && len(out) == 0 {
		return []Thought{t}
	}
	return out
}

// sentencesOf returns the sentences of a block of reasoning, its code left out.
func sentencesOf(block string) []string {
	var out []string
	for _, paragraph := range prose.Paragraphs(unglue(block)) {
		out = append(out, prose.Sentences(strings.Join(paragraph, "\n"))...)
	}
	return out
}

// around returns which sentences the one at i is understood with: those that
// it leans on, and what follows from it or is announced by it.
func around(sentences []string, i int) (from, to int) {
	from, to = i, i+1
	for from > max(0, i-2) && leans(sentences[from]) && !idle(sentences[from-1]) && !strings.HasSuffix(sentences[from-1], ":") {
		from--
	}
	if strings.HasSuffix(sentences[i], ":") {
		for to < len(sentences) && to <= i+maxAnnounced && prose.IsListed(sentences[to]) && !idle(sentences[to]) {
			to++
		}
	} else if to < len(sentences) && follows(sentences[to]) && !idle(sentences[to]) && !strings.HasSuffix(sentences[to], ":") {
		to++
	}
	return from, to
}

// passageOf joins the sentences of a thought, if they can be understood.
func passageOf(sentences []string, conclusion string, weight weight) (Thought, bool) {
	if prose.Pronominal(opening(prose.WithoutMark(sentences[0]))) {
		return Thought{}, false
	}
	t := Thought{Conclusion: opening(prose.WithoutMark(conclusion)), Text: joined(sentences), weight: weight}
	if prose.Pronominal(t.Conclusion) || strings.HasSuffix(t.Conclusion, ":") {
		t.Conclusion = t.Text // says little without the rest
	}
	if strings.HasSuffix(t.Text, ":") || weight == plainReason && !namesSomething(t.Conclusion) || len(t.Text) > maxThought || len(t.Conclusion) < minThought {
		return Thought{}, false
	}
	if namesSomething(t.Conclusion) {
		t.weight++
	} else if len(contentWords(t.Text)) < minWords {
		return Thought{}, false
	}
	return t, true
}

// joined makes one line of sentences; items of a list are set apart.
func joined(sentences []string) string {
	text := opening(prose.WithoutMark(sentences[0]))
	for _, sentence := range sentences[1:] {
		if prose.IsListed(sentence) && !strings.ContainsAny(text[len(text)-1:], ".:;,!?") {
			text += ";"
		}
		text += " " + prose.WithoutMark(sentence)
	}
	return text
}

func unglue(s string) string {
	for i := 1; i < len(s)-1; i++ {
		if strings.IndexByte(".!:\"", s[i]) >= 0 && s[i+1] > ' ' && s[i+1] <= 'Z' {
			return reasoningRules().Glued.ReplaceAllString(s, "$1\n$2 ")
		}
	}
	return s
}

// opening drops the words that only lead in: "Wait, actually the …".
func opening(s string) string {
	for {
		rest := reasoningRules().Supposed.ReplaceAllString(reasoningRules().LeadIn.ReplaceAllString(s, ""), "$1")
		if rest == s || rest == "" {
			break
		}
		s = rest
	}
	if s == "" {
		return ""
	}
	if word, _, _ := strings.Cut(s, " "); prose.IsIdentifier(strings.Trim(word, ".,:;()'\"")) {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// namesSomething reports whether s has a name of code, a path, or something
// between backticks or quotes that says what it is about.
func namesSomething(s string) bool {
	return reasoningRules().Named.MatchString(s) || len(prose.Keywords(s)) > 0
}

// contentWords returns the words of s that say what it is about.
func contentWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), prose.NotInName)
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < 4 || prose.Fillers[w] || prose.Pronouns[w] })
}

// repeated and similar are the shares of a passage's words from which on it
// only says again what was asked, or what another one says.
const (
	repeated = 0.8
	similar  = 0.6
)

// Alike reports whether two thoughts have most of their words in common.
func (t Thought) Alike(o Thought) bool {
	return shared(t.Text, wordsIn(o.Text)) > similar || shared(o.Text, wordsIn(t.Text)) > similar
}

// SharedWith is the part of a thought's words that a text has, in [0, 1].
func (t Thought) SharedWith(text string) float64 { return shared(t.Text, wordsIn(text)) }

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
