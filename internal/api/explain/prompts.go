package explain

import (
	"cmp"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A Prompt is a prompt of the user, with its session and folder.
type Prompt struct{ Text, Session, Dir string }

// Prompts returns the prompts from which episodes were made, each once, at most count. The
// episodes are ordered, the newest first.
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
