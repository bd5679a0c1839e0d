package forget

import (
	"regexp"

	"recollect/internal/memory"
)

// Traces identify what forgotten memories have left behind in files other than the
// store's.
type Traces struct {
	IDs      map[string]bool
	Sessions map[string]bool       // that they came from: their last prompts are forgotten too
	Words    *regexp.Regexp        // as they stand in a file, or nil
	Within   func(cwd string) bool // whether a folder lies in the project that was selected
}

// Traces returns the traces of deleted memories, which were selected. project finds the
// project that a folder lies in.
func (sel *Selection) Traces(deleted []memory.Memory, project func(cwd string) memory.Project) Traces {
	t := Traces{IDs: map[string]bool{}, Sessions: map[string]bool{sel.session: true}, Words: sel.raw}
	for _, m := range deleted {
		t.IDs[m.ID] = true
		t.Sessions[m.Session] = true
	}
	delete(t.Sessions, "")
	t.Within = func(cwd string) bool {
		return !sel.project.Zero() && cwd != "" && sel.project.Same(project(cwd))
	}
	return t
}

// HasWords reports whether a text has one of the words.
func (t Traces) HasWords(text string) bool { return t.Words != nil && t.Words.MatchString(text) }

// In reports whether a line of a file has one of the words, or the id of one of the
// memories.
func (t Traces) In(line []byte) bool {
	if t.HasWords(string(line)) {
		return true
	}
	for _, found := range idIn.FindAllSubmatch(line, -1) {
		if t.IDs[string(found[1])] {
			return true
		}
	}
	return false
}

// idIn finds the ids that a line of JSON states.
var idIn = regexp.MustCompile(`"id":"([^"\\]*)"`)
