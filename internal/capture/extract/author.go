package extract

import (
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/text/prose"
)

// What a human types for one run, in bytes and sentences. Programs write longer prompts, in paragraphs, with what
// they are about below.
const (
	maxTyped         = 300
	maxTypedSentence = 3
)

// Typed reports whether somebody asked, in words of their own or by a command.
func (s *Turn) Typed() bool {
	return s.Command != "" || claudecode.Typed(s.Prompt) && claudecode.Typed(s.Asked)
}

// ByUser reports whether the user asked: not Claude, of a sub-agent, and no program.
func (s *Turn) ByUser() bool {
	isMain := !s.Sidechain && s.Agent == ""
	return isMain && s.Typed() && !s.isByProgram()
}

// inOwnWords reports whether the prompt is in the user's own words: no plan that Claude wrote either.
func (s *Turn) inOwnWords() bool { return s.ByUser() && s.Plan == "" }

// isByProgram reports whether a program wrote the prompt. What comes through the SDK or "claude -p" may also be a
// human's, who says it shortly.
func (s *Turn) isByProgram() bool {
	if !s.Program {
		return false
	}
	text, rules := strings.ToLower(s.Asked), statements.AuthorRules()
	switch {
	case len(text) > maxTyped, strings.Contains(text, "\n\n"), strings.Contains(text, "</"), rules.Role.MatchString(text):
		return true
	}
	return !rules.Lasting.MatchString(text) && (rules.Form.MatchString(text) || len(prose.Sentences(s.Asked)) > maxTypedSentence)
}
