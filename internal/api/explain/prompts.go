package explain

import (
	"cmp"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A Prompt is one that the user typed, with the session and the folder in which that was.
type Prompt struct{ Text, Session, Dir string }

// Prompts returns the prompts that episodes, the newest first, were made of: count at most,
// each once.
func Prompts(episodes []api.Shown, count int) []Prompt {
	var out []Prompt
	for _, m := range episodes {
		text := cmp.Or(m.Evidence, m.Title) // the title of a turn is not always its prompt
		again := slices.ContainsFunc(out, func(p Prompt) bool { return p.Text == text })
		typed := m.Source == memory.Episodes && m.Agent == ""
		if typed && !again && len(out) < count {
			out = append(out, Prompt{text, m.Session, m.ProjectPath})
		}
	}
	return out
}

// Lacking returns the candidates of list that are not in other.
func Lacking(list, other []api.Candidate) (out []api.Candidate) {
	for _, c := range list {
		if !slices.ContainsFunc(other, func(o api.Candidate) bool { return o.ID == c.ID }) {
			out = append(out, c)
		}
	}
	return out
}
