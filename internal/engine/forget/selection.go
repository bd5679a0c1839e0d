// Package forget finds what a user wants forgotten: a Selection picks the memories, and
// Traces find what they have left behind in files other than the store's.
package forget

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/store/forgotten"
)

// A Selection is the set of memories that a user wants forgotten.
type Selection struct {
	ids     map[string]bool // the only condition if it is not nil
	project memory.Project
	session string
	source  memory.Source
	before  time.Time
	words   *regexp.Regexp // as they stand in a memory
	raw     *regexp.Regexp // as they stand in a file
}

// One selects one memory.
func One(id string) Selection { return Selection{ids: map[string]bool{id: true}} }

// Select makes a Selection of a client's request. project is the one that in names, or
// the zero project.
func Select(in api.Forget, project memory.Project) (Selection, error) {
	sel := Selection{project: project, session: in.Session, before: in.Before}
	if len(in.IDs) > 0 {
		sel.ids = map[string]bool{}
		for _, id := range in.IDs {
			sel.ids[id] = true
		}
	}
	if in.Source != "" {
		src, err := memory.ParseSource(in.Source)
		if err != nil {
			return sel, &api.BadRequest{Err: err}
		}
		sel.source = src
	}
	if in.Matching != "" {
		var err error
		if sel.words, sel.raw, err = seek(in.Matching); err != nil {
			return sel, &api.BadRequest{Err: err}
		}
	}
	return sel, sel.check()
}

func (sel *Selection) check() error {
	some := sel.words != nil || sel.isNarrowed()
	switch {
	case sel.ids != nil && some:
		return &api.BadRequest{Err: errors.New("forget: ids cannot be combined with other conditions")}
	case sel.ids == nil && !some:
		return &api.BadRequest{Err: errors.New("forget: no condition is given")}
	}
	return nil
}

// isNarrowed reports whether there are conditions other than words and ids.
func (sel *Selection) isNarrowed() bool {
	return !sel.before.IsZero() || !sel.project.Zero() || sel.session+string(sel.source) != ""
}

// seek returns the patterns that find words in a memory, and in a file, where JSON or a
// log may have escaped some of their characters. They ignore case and the amount of
// white space.
func seek(matching string) (words, raw *regexp.Regexp, err error) {
	if n := len(matching); n > 2 && matching[0] == '/' && matching[n-1] == '/' {
		words, err = regexp.Compile("(?i)" + matching[1:n-1])
		if err != nil {
			return nil, nil, fmt.Errorf("matching: %w", err)
		}
		if words.MatchString("") {
			return nil, nil, errors.New("matching: it fits everything")
		}
		return words, words, nil
	}
	parts := strings.Fields(matching)
	if len(parts) == 0 {
		return nil, nil, errors.New("matching: must not be empty")
	}
	plain, escaped := make([]string, len(parts)), make([]string, len(parts))
	for i, part := range parts {
		quoted, err := json.Marshal(part)
		if err != nil {
			return nil, nil, fmt.Errorf("matching: %w", err)
		}
		plain[i], escaped[i] = regexp.QuoteMeta(part), regexp.QuoteMeta(strings.Trim(string(quoted), `"`))
	}
	words, err = regexp.Compile("(?i)" + strings.Join(plain, `\s+`))
	if err != nil {
		return nil, nil, fmt.Errorf("matching: %w", err) // not UTF-8
	}
	const space = `(?:\s|\\[nrt])+`
	raw, err = regexp.Compile("(?i)(?:" + strings.Join(plain, space) + "|" + strings.Join(escaped, space) + ")")
	return words, raw, err
}

// IDs returns the selected ids, and whether the selection consists of ids alone.
func (sel *Selection) IDs() (map[string]bool, bool) { return sel.ids, sel.ids != nil }

// ByWords reports whether the words of a memory decide whether it is selected.
func (sel *Selection) ByWords() bool { return sel.words != nil }

// Picks reports whether m is selected.
func (sel *Selection) Picks(m *memory.Memory) bool {
	if sel.ids != nil {
		return sel.ids[m.ID]
	}
	switch {
	case sel.session != "" && sel.session != m.Session,
		sel.source != "" && sel.source != m.Source,
		!sel.before.IsZero() && !m.When().Before(sel.before),
		!sel.project.Zero() && !sel.project.Same(m.Home()):
		return false
	}
	return sel.words == nil || sel.words.MatchString(everything(m))
}

// PicksOutcome returns what selects how the commands of a turn ended, which is shown to it as a memory of a
// failure. With a memory of a failure goes the turn that it is of.
func (sel *Selection) PicksOutcome(deleted []memory.Memory) func(*memory.Memory) bool {
	turns := map[string]bool{}
	for _, m := range deleted {
		if m.Source == memory.Failures && m.Turn != "" {
			turns[m.Turn] = true
		}
	}
	return func(m *memory.Memory) bool { return turns[m.Turn] || sel.Picks(m) }
}

// everything returns the whole text of a memory, with its names and ids.
func everything(m *memory.Memory) string {
	parts := []string{m.Title, m.Text, m.Evidence, m.Project, m.ProjectPath, m.ProjectRemote, m.AppliesTo, m.Agent, m.Client, m.ID, m.Session, m.Turn}
	for k, v := range m.Fields {
		parts = append(parts, k, v)
	}
	return strings.Join(slices.Concat(parts, m.Keywords, m.Files, m.Tags), "\n")
}

// Rule returns the rule that keeps capture from learning again what was deleted, or false
// where the deleted ids are enough for that. A selection by words is stored as the turns
// of the deleted memories, so that the words themselves are not stored.
func (sel *Selection) Rule(deleted []memory.Memory, now time.Time) (forgotten.Rule, bool) {
	if sel.ids != nil {
		return forgotten.Rule{}, false
	}
	r := forgotten.Rule{Session: sel.session, Source: sel.source, Before: now}
	if !sel.before.IsZero() && sel.before.Before(now) {
		r.Before = sel.before
	}
	if !sel.project.Zero() {
		r.Project = forgotten.IdentityKeys(sel.project)
	}
	if sel.words == nil {
		return r, true
	}
	for _, m := range deleted {
		if m.Turn != "" {
			r.Turns = append(r.Turns, m.Turn)
		}
	}
	slices.Sort(r.Turns)
	r.Turns = slices.Compact(r.Turns)
	return r, len(r.Turns) > 0
}
