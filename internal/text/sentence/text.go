package sentence

import (
	"strings"
	"sync"

	"recollect/internal/text/prose"
)

// Bounds of sentences that are looked at, in bytes.
const (
	minSentence = 8
	maxSentence = 240
	maxLong     = 700 // of one that a patient writer makes
)

// A Text is what one side said in a turn, read once: each of its readings is made when it is first asked for. It may be
// used by several at once.
type Text struct {
	said, own, topic   func() string
	sentences, request func() []string
	usual, long        func() []Sentence
}

// Read returns a text.
func Read(said string) *Text { return ReadLater(func() string { return said }) }

// ReadLater returns a text that said returns, which is called once, if ever.
func ReadLater(said func() string) *Text {
	t := &Text{said: sync.OnceValue(said)}
	t.own = sync.OnceValue(func() string { return prose.WithoutElements(t.Said()) })
	t.sentences = sync.OnceValue(func() []string { return prose.OwnSentences(t.Own()) })
	t.request = sync.OnceValue(func() []string { return prose.Request(t.Said()) })
	t.topic = sync.OnceValue(func() string { return prose.Topic(t.Request()) })
	t.usual = sync.OnceValue(func() []Sentence { return t.between(minSentence, maxSentence) })
	t.long = sync.OnceValue(func() []Sentence { return t.between(maxSentence+1, maxLong) })
	return t
}

// Said returns all of the text.
func (t *Text) Said() string { return t.said() }

// Own returns the text without what somebody else wrote: what was wrapped into it, forwarded or quoted in blocks.
func (t *Text) Own() string { return t.own() }

// Sentences returns the sentences that the author wrote, as they stand there, the shortest too.
func (t *Text) Sentences() []string { return t.sentences() }

// Statements returns those of them that are no fragments, not too long, and neither quote nor say what others say.
func (t *Text) Statements() []Sentence { return t.usual() }

// Long returns the sentences that Statements leaves out because they are long.
func (t *Text) Long() []Sentence { return t.long() }

// Request returns the sentences in which the author says what the text is about.
func (t *Text) Request() []string { return t.request() }

// Topic returns what the text is about, in its author's words, "" if it has none of its own.
func (t *Text) Topic() string { return t.topic() }

// between returns the sentences that have from least to most bytes.
func (t *Text) between(least, most int) []Sentence {
	all := t.Sentences()
	var out []Sentence
	for i, text := range all {
		if len(text) < least || len(text) > most || strings.ContainsAny(text[:1], "\"'“„«") {
			continue
		}
		s := New(prose.WithoutLead(text))
		s.Lead = strings.ToLower(strings.TrimSpace(text[:len(text)-len(s.Text)]))
		if i+1 < len(all) {
			s.Next = all[i+1]
		}
		if s.Text != "" && !s.IsOfOthers() {
			out = append(out, s)
		}
	}
	return out
}

// Typed returns the text without all that is not its author's, the lines that are quoted as in a mail among it.
func (t *Text) Typed() string { return prose.WithoutQuoted(t.Own()) }

// OwnLength returns how many bytes of the text are its author's.
func (t *Text) OwnLength() int { return prose.OwnLength(t.Own()) }
