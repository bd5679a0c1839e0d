package dialogue

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// Bounds of what is stored of a turn's reasoning.
const (
	maxThought   = 600 // bytes of a passage
	minThought   = 30  // bytes of a conclusion; a shorter one says too little
	minWords     = 6   // of a passage that names nothing
	maxAnnounced = 3   // items of a list that belong to a conclusion
	minDenied    = 2   // names of a thought in a sentence that takes it back later

	maxLong = 400 // bytes of a sentence; a longer one is a list or code
)

// A Thought is a passage of Claude's reasoning that weighs, rejects or
// concludes.
type Thought struct {
	Conclusion string // the sentence that makes it one
	Text       string // with the sentences that it needs
	Rule       string // the name of the rule that took it for a thought
	Cause      bool   // it says what is wrong, and why
	Rejects    bool   // it says what will not do
	Mere       bool   // it is a mere reason, or says what there is not
	weight     weight
}

// Thoughts returns the thoughts in blocks of reasoning, the best first, without
// those that only say again what was asked.
func Thoughts(blocks []string, asked string) []Thought {
	var found []Thought
	for _, block := range blocks {
		sentences := sentencesOf(block)
		for _, sentence := range sentences {
			if isDenial(sentence) {
				found = slices.DeleteFunc(found, func(t Thought) bool { return t.countNamed(sentence) >= minDenied })
			}
		}
		found = append(found, conclusionsIn(sentences)...)
	}
	known := WordsOf(asked)
	found = slices.DeleteFunc(found, func(t Thought) bool { return t.Shares(known) > repeated })
	slices.Reverse(found) // what was thought last is truest
	slices.SortStableFunc(found, func(a, b Thought) int { return cmp.Compare(b.weight, a.weight) })
	return found
}

// Alone reports whether a thought can be understood by itself, because it names
// what it is about.
func (t Thought) Alone() bool { return namesSomething(t.Text) }

// LabelCause begins a cause of what was fixed.
const LabelCause = "Cause: "

// AsCause returns the thought worded as the cause of what was fixed.
func (t Thought) AsCause() Thought {
	for _, s := range []*string{&t.Conclusion, &t.Text} {
		if said := withoutStatement(*s); said != *s {
			*s = LabelCause + said
		}
	}
	return t
}

// withoutStatement drops the words which say only that a cause follows.
func withoutStatement(s string) string {
	if found := reasoningRules().StatedCause.FindStringIndex(s); found != nil {
		return cutOpening(s[found[1]:])
	}
	return s
}

// Plain reports whether a thought rests on a mere reason.
func (t Thought) Plain() bool { return t.weight <= plainReason }

// conclusionsIn returns the passages of a block of reasoning that conclude.
func conclusionsIn(sentences []string) []Thought {
	var out []Thought
	for i := 0; i < len(sentences); i++ {
		c := conclusionIn(sentences[i])
		if c == nil {
			continue
		}
		from, to := passageAround(sentences, i)
		if isRetracted(sentences[from:min(to+1, len(sentences))]) {
			continue
		}
		if t, ok := passageOf(sentences[from:to], sentences[i], c.Weight); ok {
			t.Rule, t.Cause = c.Name, c.Weight == cause
			_, remedy := t.Remedies()
			t.Rejects, t.Mere = c.Weight == rejection && !remedy, c.Weight == plainReason
			out = append(out, t)
			i = to - 1
		}
	}
	if t, ok := terseThought(sentences); ok && len(out) == 0 {
		return []Thought{t}
	}
	return out
}

// isRetracted reports whether a passage takes itself back, or the sentence after it does.
func isRetracted(sentences []string) bool {
	return slices.ContainsFunc(sentences[1:], func(s string) bool { return reasoningRules().Retracting.MatchString(prose.WithoutMark(s)) })
}

// isDenial reports whether a sentence says why something thought before is wrong.
func isDenial(sentence string) bool {
	return reasoningRules().Retracting.MatchString(prose.WithoutMark(sentence)) && reasoningRules().Fault.MatchString(sentence)
}

// sentencesOf returns the sentences of a block of reasoning, its code left out.
func sentencesOf(block string) []string {
	var out []string
	for _, paragraph := range prose.Paragraphs(unglue(block)) {
		out = append(out, prose.Sentences(strings.Join(paragraph, "\n"))...)
	}
	return out
}

// passageAround returns which sentences the one at i is understood with: those that
// it leans on, and what follows from it or is announced by it.
func passageAround(sentences []string, i int) (from, to int) {
	from, to = i, i+1
	for from > max(0, i-2) && leansOnOthers(sentences[from]) && mayLead(sentences[from-1]) {
		from--
	}
	if strings.HasSuffix(sentences[i], ":") {
		end := min(len(sentences), i+maxAnnounced+1)
		for to < end && prose.IsListed(sentences[to]) && !isIdle(sentences[to]) {
			to++
		}
	} else if to < len(sentences) && followsOn(sentences[to]) && belongsTogether(sentences[to]) {
		to++
	}
	return from, to
}

// mayLead reports whether the passage may begin with a sentence on which the next one leans.
func mayLead(sentence string) bool { return belongsTogether(sentence) && !isFragment(sentence) }

// belongsTogether reports whether a sentence may be part of a passage: it says something, and announces nothing.
func belongsTogether(sentence string) bool {
	return !isIdle(sentence) && !strings.HasSuffix(sentence, ":")
}

// passageOf joins the sentences of a thought, if they can be understood.
func passageOf(sentences []string, conclusion string, weight weight) (Thought, bool) {
	if first := cutOpening(prose.WithoutMark(sentences[0])); prose.Pronominal(first) || pointsBack(first) {
		return Thought{}, false
	}
	t := Thought{Conclusion: cutOpening(prose.WithoutMark(conclusion)), Text: joinSentences(sentences), weight: weight}
	if prose.Pronominal(t.Conclusion) || pointsBack(t.Conclusion) || strings.HasSuffix(t.Conclusion, ":") {
		t.Conclusion = t.Text // says little without the rest
	}
	switch {
	case len(t.Text) > maxThought, len(t.Conclusion) < minThought, strings.HasSuffix(t.Text, ":"), weight == plainReason && !namesSomething(t.Conclusion):
		return Thought{}, false
	}
	if namesSomething(t.Conclusion) {
		t.weight++
	} else if len(contentWords(t.Text)) < minWords {
		return Thought{}, false
	}
	return t, true
}

// pointsBack reports whether a sentence is about what stood before it: a pronoun that
// nothing in it explains, or several things that it does not list.
func pointsBack(sentence string) bool {
	rules := reasoningRules()
	found := rules.Unnamed.FindStringIndex(sentence)
	return rules.Dangling.MatchString(sentence) || found != nil && !strings.ContainsAny(sentence[:found[0]], ",:(")
}

// joinSentences makes one line of sentences; items of a list are set apart.
func joinSentences(sentences []string) string {
	text := cutOpening(prose.WithoutMark(sentences[0]))
	for _, sentence := range sentences[1:] {
		switch {
		case strings.ContainsAny(text[len(text)-1:], ".:;,!?"):
		case prose.IsListed(sentence):
			text += ";"
		default:
			text += "."
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

// cutOpening drops the words that only lead in: "Wait, actually the …".
func cutOpening(s string) string {
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
	word, _, _ := strings.Cut(s, " ")
	if word = strings.Trim(word, ".,:;()'\""); prose.IsIdentifier(word) || strings.Contains(word, ".") {
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
	return t.Shares(WordsOf(o.Text)) > similar || o.Shares(WordsOf(t.Text)) > similar
}

// Words are the words of a text that say what it is about, in lower case.
type Words map[string]bool

// WordsOf returns the words of a text.
func WordsOf(text string) Words {
	in := Words{}
	for _, w := range contentWords(text) {
		in[w] = true
	}
	return in
}

// Without returns the words that others have not.
func (w Words) Without(others Words) Words {
	rest := maps.Clone(w)
	maps.DeleteFunc(rest, func(word string, _ bool) bool { return others[word] })
	return rest
}

// Shares is the part of a thought's words that a text has, in [0, 1].
func (t Thought) Shares(text Words) float64 {
	words := contentWords(t.Text)
	n := 0
	for _, w := range words {
		if text[w] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}
