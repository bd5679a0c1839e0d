package bench

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"recollect/internal/memory"
)

// labelledSources are the sources that are extracted from a single turn, so that a reader of the turn can
// say what should be extracted. Episodes are not among them, because every turn has one, and the other
// sources need more than one turn.
var labelledSources = []memory.Source{
	memory.Failures, memory.Journal, memory.Preferences, memory.Goals, memory.Patterns, memory.Thinking,
}

// A Label says what should be extracted from a turn of a transcript, in the opinion of a reader.
type Label struct {
	In   string          `json:"in"`   // place of the transcript: a name that the caller maps to a folder
	File string          `json:"file"` // the transcript's path below that folder
	Turn string          `json:"turn"` // id
	Only []memory.Source `json:"only"` // the sources that the label covers; all if empty
	Note string          `json:"note"` // why the label is in the set
	Want []*Want         `json:"want"`
}

// A Want is a memory that should be extracted from a turn. It is found if a memory of its source matches
// all patterns of Must in its title, text or fields.
type Want struct {
	Source   memory.Source `json:"source"`
	Or       memory.Source `json:"or"`       // another acceptable source
	Must     []string      `json:"must"`     // regular expressions, matched without regard to case
	Optional bool          `json:"optional"` // right if extracted, but not a miss otherwise

	must []*regexp.Regexp
}

// ReadLabels reads labels from a file of JSON Lines.
func ReadLabels(path string) ([]Label, error) {
	var all []Label
	seen := map[string]bool{}
	err := readLines(filepath.Dir(path), filepath.Base(path), func(l Label) error {
		if err := l.compile(); err != nil {
			return err
		}
		all = append(all, l)
		return newID(seen, l.In+"/"+l.File+"#"+l.Turn)
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("read %s: it has no label", path)
	}
	return all, err
}

func (l *Label) compile() error {
	if l.In == "" || l.File == "" || l.Turn == "" {
		return errors.New("in, file, turn: must not be empty")
	}
	for _, s := range l.Only {
		if !slices.Contains(labelledSources, s) {
			return fmt.Errorf("only: %s: is not extracted from single turns", s)
		}
	}
	for _, w := range l.Want {
		if err := w.compile(); err != nil {
			return err
		}
		if !l.covers(w.Source) {
			return fmt.Errorf("want: %s: is not in only", w.Source)
		}
	}
	return nil
}

func (w *Want) compile() error {
	if !slices.Contains(labelledSources, w.Source) || w.Or != "" && !slices.Contains(labelledSources, w.Or) {
		return fmt.Errorf("want: source %q or %q: is not extracted from single turns", w.Source, w.Or)
	}
	if len(w.Must) == 0 {
		return errors.New("want: must: must not be empty")
	}
	for _, m := range w.Must {
		re, err := regexp.Compile("(?is)" + m)
		if err != nil {
			return fmt.Errorf("want: must: %w", err)
		}
		w.must = append(w.must, re)
	}
	return nil
}

// covers reports whether l lists everything of a source that should be extracted from its turn.
func (l *Label) covers(s memory.Source) bool {
	return slices.Contains(labelledSources, s) && (len(l.Only) == 0 || slices.Contains(l.Only, s))
}

// matches reports whether m is the memory that w describes.
func (w *Want) matches(m *memory.Memory) bool {
	if m.Source != w.Source && m.Source != w.Or {
		return false
	}
	words := []string{m.Title, m.Text}
	for _, f := range m.Fields {
		words = append(words, f)
	}
	text := strings.Join(words, "\n")
	return !slices.ContainsFunc(w.must, func(re *regexp.Regexp) bool { return !re.MatchString(text) })
}
