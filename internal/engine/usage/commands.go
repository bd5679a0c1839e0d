package usage

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// ranRecommended reports whether Claude ran, word for word, a command that a memory recommends,
// and that neither the prompt nor the output of a tool had before.
func ranRecommended(t claudecode.Turn, m memory.Memory) bool {
	recommended := prose.Fold(commandsIn(m))
	if recommended == "" {
		return false
	}
	had := []string{prose.Fold(t.Prompt)}
	for _, a := range t.Actions {
		for _, command := range simpleCommands(a.Command) {
			if isParticular(command) && hasCommand(recommended, command) && !slices.ContainsFunc(had, func(text string) bool { return hasCommand(text, command) }) {
				return true
			}
		}
		had = append(had, prose.Fold(a.Output))
	}
	return false
}

// commandsIn returns the parts of a memory that may recommend a command: what fixed or solved
// something, else what is quoted as code. What a turn ran is no recommendation.
func commandsIn(m memory.Memory) string {
	if m.Fields["fix"] != "" || m.Fields["solution"] != "" {
		return m.Fields["fix"] + "\n" + m.Fields["solution"]
	}
	if m.Source == memory.Episodes || m.Source == memory.Thinking || m.Source == memory.Failures {
		return ""
	}
	var parts []string
	before := ""
	for i, part := range strings.Split(m.Title+"\n"+m.Text, "`") {
		if i%2 == 1 && !endsInRejection(before) {
			parts = append(parts, part)
		}
		before = part
	}
	return strings.Join(parts, "\n")
}

// endsInRejection reports whether a text ends in a clause that says that what follows is not wanted.
func endsInRejection(text string) bool {
	clause := strings.ToLower(text[strings.LastIndexAny(text, ".,;:!?\n")+1:])
	return slices.ContainsFunc(strings.FieldsFunc(clause, prose.NotInName), func(word string) bool { return unwanted[word] })
}

// simpleCommands divides a command line into its commands, without redirections.
func simpleCommands(line string) []string {
	var commands []string
	for _, command := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("&|;\n", r) }) {
		words := strings.Fields(command)
		if at := slices.IndexFunc(words, func(w string) bool { return strings.ContainsAny(w, "<>") }); at >= 0 {
			words = words[:at]
		}
		commands = append(commands, strings.Join(words, " "))
	}
	return commands
}

// isParticular reports whether a command is not run every day: it has two words or more, and
// one that is not the name of an everyday tool.
func isParticular(command string) bool {
	words := strings.Fields(command)
	return len(words) > 1 && slices.ContainsFunc(words, func(w string) bool {
		return strings.ContainsFunc(w, unicode.IsLetter) && !everydayTools[w] && !vagueWords[w]
	})
}

// hasCommand reports whether a command stands in a text as whole words.
func hasCommand(text, command string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], command)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(command)
		if begins := at == 0 || !pathRune(rune(text[at-1])); begins && !partOfWord(text[end:]) {
			return true
		}
		from = at + 1
	}
}

// partOfWord reports whether rest goes on with the word before it; a full stop ends it.
func partOfWord(rest string) bool {
	rest = strings.TrimPrefix(rest, ".")
	return rest != "" && pathRune(rune(rest[0]))
}
