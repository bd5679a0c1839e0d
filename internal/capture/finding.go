package capture

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/memory"
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

// Bounds of what a model may say, in bytes unless said otherwise, and of how
// sure of it one may be: rules are surer.
const (
	minFoundTitle    = 10
	maxFoundText     = 1000
	maxFoundField    = 400
	minFoundEvidence = 12
	minFoundSure     = 0.5
	maxFoundSure     = 0.7
)

// tagModel marks what a model found.
const tagModel = "model"

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

// memory makes a memory of what a model found in the turn, unless it breaks a
// rule: of an unknown kind, too long, without evidence in the turn, of
// somebody who may not say such a thing, not sure enough, made up, or written
// to be obeyed.
func (s *sheet) memory(f Finding) (memory.Memory, bool) {
	f = f.clean()
	evidence := folded(f.Evidence)
	if len(evidence) < minFoundEvidence || len(evidence) > memory.MaxEvidence || !f.wellFormed() {
		return memory.Memory{}, false
	}
	origin := s.origin(evidence)
	if !slices.Contains(findable[f.Source].origins, origin) || !s.grounds(f) {
		return memory.Memory{}, false
	}
	m := s.scene.memory(f.Source, origin)
	m.Title, m.Text, m.Fields, m.Evidence = f.Title, f.Text, f.Fields, evidence
	m.Confidence, m.Tags = min(f.Confidence, maxFoundSure), []string{tagModel}
	m.Keywords = keywords(append(f.words(), evidence)...)
	if f.Source == memory.Preferences {
		setScope(&m, strings.ToLower(evidence))
	}
	m.SetSubject(tagModel, strings.Join(sorted(telling(strings.ToLower(f.Title))), " "))
	return m, true
}

// clean returns f as it may be stored.
func (f Finding) clean() Finding {
	f.Title, f.Text, f.Evidence = folded(Clean(f.Title)), squeeze(Clean(f.Text)), Clean(f.Evidence)
	if f.Text == f.Title {
		f.Text = ""
	}
	fields := map[string]string{}
	for key, value := range f.Fields {
		if value = folded(Clean(value)); value != "" {
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
	if !ok || len(f.Title) < minFoundTitle || len([]rune(f.Title)) > memory.MaxTitle || len(f.Text) > maxFoundText {
		return false
	}
	if !(f.Confidence >= minFoundSure && f.Confidence <= 1) || len(telling(strings.ToLower(f.Title))) == 0 {
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
	return !slices.ContainsFunc(f.words(), imperious.MatchString)
}

// imperious is text that wants to be obeyed or taken for something else, and
// what has no place in a note: headings, blocks of code.
var imperious = lazy("(?im)" +
	`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|guidelines|rules|above|previous|prior)\b` +
	`|\bsystem prompts?\b|\byou (?:are now|must now|will now)\b|\b(?:do not|don't|never) (?:tell|inform) the user\b` +
	`|</?(?:system|system-reminder|memory-data|instructions?|private|tool\w*|function\w*|user|human|assistant|command-\w+)\b` +
	`|\[/?inst\]|<\||\[recollect` +
	`|^ *(?:system|assistant|human|user|developer) ?:` +
	"|```|~~~|^ {0,3}#{1,6} ")

// grounds reports whether what f says can be told from the turn: every name,
// path, number and flag stands there, and so do half of the title's words.
func (s *sheet) grounds(f Finding) bool {
	text := strings.ToLower(s.text)
	for _, words := range f.words() {
		for _, word := range namesIn(words) {
			if !strings.Contains(text, strings.ToLower(word)) {
				return false
			}
		}
	}
	said := telling(strings.ToLower(f.Title))
	met := 0
	for _, word := range said {
		if strings.Contains(text, beginning(word)) {
			met++
		}
	}
	return 2*met >= len(said)
}

// beginning returns the first letters of a word, which its other forms share.
func beginning(word string) string {
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
		case strings.ContainsFunc(word, unicode.IsDigit), strings.HasPrefix(word, "--"), strings.ContainsAny(inner, `_/\.`), humps(inner) > 0:
			out = append(out, word)
		}
	}
	return out
}
