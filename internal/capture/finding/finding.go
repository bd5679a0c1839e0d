// Package finding lets a model look for memories in a turn, besides the rules
// of package extract, and accepts of what it finds only what the turn confirms.
//
// An excerpt is a turn as the model reads it. A finding is what it says that the
// turn teaches.
package finding

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/instruction"
	"recollect/internal/text/prose"
)

// A Finding is what a model says that a turn teaches. Nothing in it is
// trusted.
type Finding struct {
	Turn       int // from 0, among those it was asked about
	Source     memory.Source
	Title      string
	Text       string
	Fields     map[string]string
	Evidence   string // words of the turn
	Confidence float64
}

// Bounds of what a model may say, in bytes unless said otherwise, and of the
// confidence in it, which is lower than that in the rules.
const (
	minFoundTitle    = 10
	maxFoundText     = 1000
	maxFoundField    = 400
	minFoundEvidence = 12
	minConfidence    = 0.5
	maxConfidence    = 0.7
)

// findable are the sources that a model may add to, the fields it may name,
// and who must have said what it goes by. Episodes, handoffs and registry are
// the turn itself; a goal needs somebody who sees when it is reached.
var findable = map[memory.Source]struct {
	fields  []string
	origins []string
}{
	memory.Patterns:    {[]string{"context", "problem", "solution"}, []string{memory.OriginUser, memory.OriginAssistant}},
	memory.Journal:     {[]string{"rationale", "alternatives"}, []string{memory.OriginUser, memory.OriginAssistant}},
	memory.Failures:    {[]string{"tool", "error", "fix"}, []string{memory.OriginUser, memory.OriginAssistant, memory.OriginTool}},
	memory.Preferences: {nil, []string{memory.OriginUser}},
	memory.Thinking:    {nil, []string{memory.OriginAssistant}},
}

// Draft makes a memory of what a model found in the turn, unless it breaks a
// rule: of an unknown kind, too long, without evidence in the turn, of
// somebody who may not say such a thing, of too little confidence, made up, or
// written to be obeyed.
func (e *Excerpt) Draft(f Finding) (memory.Draft, bool) {
	f = f.cleaned()
	evidence := prose.Fold(f.Evidence)
	if len(evidence) < minFoundEvidence || len(evidence) > memory.MaxEvidence || !f.wellFormed() {
		return memory.Draft{}, false
	}
	origin := e.origin(evidence)
	if !slices.Contains(findable[f.Source].origins, origin) || !e.isGrounded(f) {
		return memory.Draft{}, false
	}
	m := e.Turn.Draft(f.Source, origin)
	m.Title, m.Text, m.Fields, m.Evidence = f.Title, f.Text, f.Fields, evidence
	m.Confidence, m.Tags = min(f.Confidence, maxConfidence), []string{memory.TagModel}
	m.Keywords = prose.Keywords(append(f.words(), evidence)...)
	if f.Source == memory.Preferences {
		extract.SetScope(&m, strings.ToLower(evidence))
	}
	m.Subject = []string{memory.TagModel, strings.Join(prose.SortedSet(prose.SubjectWords(strings.ToLower(f.Title))), " ")}
	return m, true
}

// cleaned returns f as it may be stored.
func (f Finding) cleaned() Finding {
	f.Title, f.Text, f.Evidence = prose.Fold(clean.Text(f.Title)), prose.Squeeze(clean.Text(f.Text)), clean.Text(f.Evidence)
	if f.Text == f.Title {
		f.Text = ""
	}
	fields := map[string]string{}
	for key, value := range f.Fields {
		if value = prose.Fold(clean.Text(value)); value != "" {
			fields[key] = value
		}
	}
	f.Fields = fields
	return f
}

// words returns all that f says in its own words.
func (f Finding) words() []string {
	out := []string{f.Title, f.Text}
	for _, field := range findable[f.Source].fields {
		out = append(out, f.Fields[field])
	}
	return out
}

// wellFormed reports whether f has the form of a memory.
func (f Finding) wellFormed() bool {
	kind, ok := findable[f.Source]
	if !ok || len(f.Text) > maxFoundText {
		return false
	}
	if len(f.Title) < minFoundTitle || len([]rune(f.Title)) > memory.MaxTitle {
		return false
	}
	if !(f.Confidence >= minConfidence && f.Confidence <= 1) || len(prose.SubjectWords(strings.ToLower(f.Title))) == 0 {
		return false
	}
	for key, value := range f.Fields {
		if !slices.Contains(kind.fields, key) || len(value) > maxFoundField {
			return false
		}
	}
	if f.Source == memory.Failures && f.Fields["error"] == "" {
		return false
	}
	return !slices.ContainsFunc(f.words(), func(words string) bool {
		return orderRules().Order.MatchString(words) || f.Source != memory.Preferences && instruction.Orders(words)
	})
}

// isGrounded reports whether what f says has its ground in the turn: every name,
// path, number and flag stands there, and so do half of the title's words.
func (e *Excerpt) isGrounded(f Finding) bool {
	text := strings.ToLower(e.Text)
	for _, words := range f.words() {
		for _, word := range namesIn(words) {
			if !strings.Contains(text, strings.ToLower(word)) {
				return false
			}
		}
	}
	words := prose.SubjectWords(strings.ToLower(f.Title))
	met := 0
	for _, word := range words {
		if strings.Contains(text, beginningOf(word)) {
			met++
		}
	}
	return 2*met >= len(words)
}

// beginningOf returns the first letters of a word, which its other forms share.
func beginningOf(word string) string {
	const n = 5
	if runes := []rune(word); len(runes) > n {
		return string(runes[:n])
	}
	return word
}

// namesIn returns the words of a text that nobody says by chance: paths, flags,
// numbers, identifiers.
func namesIn(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("`\"'“”‘’()[]{},;=→", r)
	}) {
		word = strings.Trim(word, ".:!?*…")
		inner := strings.Trim(word, "-_/")
		switch {
		case len(inner) < 3:
		case strings.ContainsFunc(word, unicode.IsDigit), strings.HasPrefix(word, "--"), strings.ContainsAny(inner, `_/\.`), prose.Humps(inner) > 0:
			out = append(out, word)
		}
	}
	return out
}

// ErrAnswer says that a model answered, but not with memories. To ask it the
// same again would bring the same: go on with the next turns.
var ErrAnswer = errors.New("unusable answer")

// A Reader has a model read turns, each in a few lines, and returns what it
// found in them. The error is ErrAnswer where asking again is of no use.
type Reader func(ctx context.Context, turns []string) ([]Finding, error)

// Duplicate reports whether a model's finding says what the rules' memory of
// the same turn does: they rest on the same words, or their titles are made of
// the same ones.
func Duplicate(own, found memory.Draft) bool {
	if own.Source != found.Source {
		return false
	}
	a, b := prose.Fold(own.Evidence), prose.Fold(found.Evidence)
	if a != "" && (strings.Contains(a, b) || strings.Contains(b, a)) {
		return true
	}
	x, y := prose.SortedSet(prose.SubjectWords(strings.ToLower(own.Title))), prose.SortedSet(prose.SubjectWords(strings.ToLower(found.Title)))
	shared := 0
	for _, word := range x {
		if slices.Contains(y, word) {
			shared++
		}
	}
	return 2*shared >= max(1, min(len(x), len(y))) && 3*shared >= max(len(x), len(y))
}
