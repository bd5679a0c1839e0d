package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// maxWay bounds the words of a way.
const maxWay = 8

// wayOf returns the way in which a command is called, whatever it is run on: what runs its program, the
// program, its subcommands, the variables that are set and, in order, the names of its options. "rtk go
// test -run X ./store" is called as "rtk go test -run".
func wayOf(words []string) []string {
	var options []string
	for len(words) > 1 && isLead(words) {
		if name, _, sets := strings.Cut(words[0], "="); sets && isVariable(name) {
			prose.AddOnce(&options, name+"=")
		}
		words = words[1:]
	}
	if words[0] == "timeout" && len(words) > 2 {
		words = words[2:]
	}
	head, subs := []string{programWord(words[0])}, subsOf(words[0])
	for i, w := range words[1:] {
		isNext := words[i] == head[len(head)-1] || i == 0 // nothing but the program stands before it
		switch {
		case head[len(head)-1] == "-m": // the module that Python runs
			head, subs = append(head, w), subsOf(w)
		case w == "-m" && len(head) == 1 && bareProgram(head[0]) == "python":
			head = append(head, w)
		case isNoise(w):
		case strings.HasPrefix(w, "-"):
			if isMessage := w == "-m" || w == "-am"; isMessage && !scripted[bareProgram(head[0])] {
				return joinWay(head, options)
			}
			prose.AddOnce(&options, optionName(w))
			if scripted[bareProgram(head[0])] && (w == "-c" || w == "-e") {
				return joinWay(head, options)
			}
		case isNext && isStarted(w, words[i]):
			head, subs = append(head, w), subsOf(w) // what stands before it runs it
		case isNext && (w == "run" || w == "exec"):
			head, subs = append(head, w), max(subs, 1)
		case subs > 0 && isPlain(w):
			head, subs = append(head, w), subs-1
		case scripted[bareProgram(words[0])] && len(head) == 1:
			head = append(head, w)
		case !strings.HasPrefix(words[i], "-"): // it may be the value of an option
			subs = 0
		}
	}
	return joinWay(head, options)
}

// InEnvironment ends the way of a command that an earlier step of its line prepared the shell for.
const InEnvironment = " +env"

// wayIn returns the way in which a command is called behind the steps before it.
func wayIn(before []step, c simple) string {
	way := strings.Join(wayOf(c.words), " ")
	if slices.ContainsFunc(before, step.preparesShell) {
		way += InEnvironment
	}
	return way
}

// preparesShell reports whether a step changes what later steps find: "source .venv/bin/activate".
func (s step) preparesShell() bool {
	return slices.Contains([]string{"source", ".", "export", "conda", "nvm"}, s.calls[0].words[0])
}

// asksForHelp reports whether a command only tells about itself.
func (c simple) asksForHelp() bool {
	return slices.Contains([]string{"--help", "-h", "--version", "help"}, c.words[len(c.words)-1])
}

func joinWay(head, options []string) []string {
	slices.Sort(options)
	way := append(head, options...)
	return way[:min(len(way), maxWay)]
}

// isLead reports whether the first word of a command only starts what follows it, or sets a variable.
func isLead(words []string) bool {
	name, _, sets := strings.Cut(words[0], "=")
	isStarter := plainStarters[words[0]] && words[0] != "sudo"
	return isStarter || sets && isVariable(name)
}

// isNoise reports whether an option only changes what is said of a run.
func isNoise(word string) bool {
	return slices.Contains([]string{"-v", "-q", "-vv", "--verbose", "--quiet"}, word) || narrowing[optionName(word)] || strings.Trim(word, "-0123456789") == "" // "--", "-10"
}

// optionName returns an option without its value.
func optionName(word string) string {
	name, _, _ := strings.Cut(word, "=")
	if !strings.HasPrefix(name, "--") {
		name = strings.TrimRight(name, "0123456789")
	}
	return name
}

// programWord is a program as it is called; what lies in no folder of the project loses its folder.
func programWord(word string) string {
	word = strings.Trim(word, `"'`)
	if strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
		return path.Base(word)
	}
	return word
}

// subsOf returns how many words behind a program say what it is to do.
func subsOf(word string) int {
	program := bareProgram(word)
	switch n, known := subcommands[program]; {
	case deepPrograms[program]:
		return 2
	case known:
		return n
	case scripted[program], filters[program], handling[program], readOnlyPrograms[program]:
		return 0
	}
	return 1
}

// launchers are programs that start another one by its name.
var launchers = prose.WordSet("npx bunx uvx pipx")

// deepPrograms have subcommands of subcommands.
var deepPrograms = prose.WordSet(`gh aws az gcloud docker kubectl`)

// isKnown reports whether a word is the name of a program that people run through others.
func isKnown(word string) bool { return subcommands[word] > 0 || scripted[word] }

// isStarted reports whether the word before it starts a word: "npm test", "uv run pytest".
func isStarted(word, before string) bool { return isKnown(word) || launchers[before] && isPlain(word) }

// isPlain reports whether a word may be a subcommand: "test:unit".
func isPlain(word string) bool {
	const small = "abcdefghijklmnopqrstuvwxyz"
	return word != "" && strings.IndexByte(small, word[0]) >= 0 && strings.Trim(word, small+"0123456789:_-") == ""
}
