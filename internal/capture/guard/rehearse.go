package guard

import (
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// A Past is a call of an earlier turn that a rule is about.
type Past struct {
	Call      string // in one line of at most toolcall.MaxCommand bytes
	Corrected bool   // the user refused it, stopped Claude at it, or objected in the next prompt
}

// Rehearse returns the calls of a turn that the rule is about; next is the prompt after it, "" for none.
func (m *Matcher) Rehearse(t claudecode.Turn, next string, project memory.Project) []Past {
	var out []Past
	for i, a := range t.Actions {
		what, text, ok := m.find(ReadCall(a.Tool, a.Input, project, t.Cwd))
		if !ok {
			continue
		}
		if a.Command != "" {
			what = strings.Join(strings.Fields(text), " ")
		}
		isStopped := t.Interrupted && i == len(t.Actions)-1
		out = append(out, Past{
			Call:      prose.Clip(prose.OneLine(clean.Text(what)), toolcall.MaxCommand),
			Corrected: a.Refused || isStopped || m.objects(next),
		})
	}
	return out
}

// maxObjection is how much of a prompt is read for an objection, in bytes: it comes first.
const maxObjection = 600

// objects reports whether a prompt rejects what was done, or forbids what the rule names.
func (m *Matcher) objects(prompt string) bool {
	prompt = memory.Clip(prompt, maxObjection)
	if prompt == "" {
		return false
	}
	if said := sentence.Read(prompt); dialogue.Rejects(said) || dialogue.Denies(said) {
		return true
	}
	for _, s := range prose.Sentences(prompt) {
		if low := plainLower(s); (forbids(s) || draftRules().Instead.MatchString(low)) && m.isNamedIn(strings.ToLower(s)) {
			return true
		}
	}
	return false
}

// isNamedIn reports whether a sentence in lower case has a name of the rule.
func (m *Matcher) isNamedIn(sentence string) bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(" `\"'.,;:!?()/", r) }) {
		words[w] = true
	}
	for _, list := range [][]string{m.rule.Programs, m.rule.Subcommands, m.rule.Activities, m.rule.Paths} {
		for _, name := range list {
			for _, part := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" /*.", r) }) {
				if len(part) > 2 && words[part] && part != "git" {
					return true
				}
			}
		}
	}
	return false
}
