package toolcall

import (
	"encoding/json"
	"iter"
	"strings"

	"recollect/internal/prose"
	"recollect/internal/rule"
)

// Member returns the first of the named string members of a call's input.
func Member(input string, names ...string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(input), &members) != nil {
		return ""
	}
	for _, name := range names {
		var s string
		if json.Unmarshal(members[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// shorten returns a command as one line of at most MaxCommand bytes, without
// its here-document and further lines.
func shorten(command string) string {
	line := prose.OneLine(command)
	if before, _, ok := strings.Cut(line, "<<"); ok {
		line = strings.TrimSpace(before) + " <<…"
	} else if strings.Contains(strings.TrimSpace(command), "\n") {
		line += " …"
	}
	return prose.Clip(strings.ReplaceAll(line, "`", "'"), MaxCommand)
}

// unpiped drops what only trims a command's output. piped means that the exit
// status was that of the last filter, so that success says nothing.
func unpiped(command string) (line string, piped bool) {
	command = strings.TrimSpace(command)
	blank := BlankQuoted(command)
	for {
		command = strings.TrimSpace(command)
		command = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(command, "2>/dev/null"), "2>&1"))
		i := strings.LastIndexByte(blank[:len(command)], '|')
		if i < 1 || command[i-1] == '|' {
			return command, piped
		}
		switch filter, _, _ := strings.Cut(strings.TrimSpace(command[i+1:]), " "); filter {
		case "head", "tail", "grep", "cat", "less", "tee", "sort", "wc":
			command, piped = command[:i], true
		default:
			return command, piped
		}
	}
}

// stepInto drops comments and every leading "cd DIR &&" (or ";", or a line).
func stepInto(command string) string {
	for {
		command = strings.TrimSpace(command)
		if strings.HasPrefix(command, "#") {
			_, command, _ = strings.Cut(command, "\n")
			continue
		}
		i := strings.IndexAny(command, "&;\n")
		if !strings.HasPrefix(command, "cd ") || i < 0 {
			return command
		}
		command = strings.TrimLeft(command[i:], "&;\n ")
	}
}

// readOnlyPrograms are programs that change nothing: what they were asked is in the
// prompt, what they showed in the answer.
var readOnlyPrograms = map[string]bool{
	"ls": true, "cat": true, "cd": true, "pwd": true, "echo": true, "head": true, "tail": true, "grep": true, "rg": true,
	"find": true, "fd": true, "wc": true, "which": true, "file": true, "stat": true, "tree": true, "env": true, "date": true, "true": true,
	"sed -n": true, "sort": true, "uniq": true, "diff": true, "less": true, "mkdir": true, "touch": true, "sleep": true, "ps": true, "jq": true, "chmod": true,
	"git status": true, "git log": true, "git diff": true, "git show": true, "git branch": true, "git add": true, "git fetch": true,
	"git rev-parse": true, "git blame": true, "git remote": true, "git ls-files": true, "git config": true,
}

// stepEnds puts each step of a command line in a line of its own.
var stepEnds = strings.NewReplacer("&&", "\n", "||", "\n", ";", "\n", "|", "\n")

// stepMarks puts each step of a command line in a line of its own, pipes left
// whole, without making it longer or shorter.
var stepMarks = strings.NewReplacer("&&", "\n\n", "||", "\n\n", ";", "\n")

// stepsOf yields the steps of a command line that are not empty, and each with
// what stands in quotes blanked.
func stepsOf(command string) iter.Seq2[string, string] {
	return func(yield func(step, blank string) bool) {
		from := 0
		for blank := range strings.Lines(stepMarks.Replace(BlankQuoted(command))) {
			step := strings.TrimRight(command[from:from+len(blank)], "\n&|; ")
			from += len(blank)
			if strings.TrimSpace(step) != "" && !yield(step, blank) {
				return
			}
		}
	}
}

// onlyReads reports whether every step of a command only reads.
func onlyReads(line string) bool {
	for step := range strings.Lines(stepEnds.Replace(BlankQuoted(line))) {
		words := strings.Fields(step)
		if len(words) > 3 && words[0] == "git" && words[1] == "-C" {
			words = append([]string{"git"}, words[3:]...)
		}
		if len(words) > 0 && !readOnlyPrograms[words[0]] && (len(words) < 2 || !readOnlyPrograms[words[0]+" "+words[1]]) {
			return false
		}
	}
	return true
}

// BlankQuoted overwrites what stands in quotes.
func BlankQuoted(s string) string {
	b := []byte(s)
	var quote byte
	for i, c := range b {
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		case quote != 0:
			b[i] = '_'
		}
	}
	return string(b)
}

// CommitMessage returns the first line of the message that a command commits
// with, or "".
func CommitMessage(command string) string {
	i := strings.Index(command, "git commit")
	if j := strings.Index(command, " commit "); i < 0 && strings.Contains(command, "git -") {
		i = j
	}
	if i < 0 {
		return ""
	}
	words := command[i:]
	if from := messageStart(words); from > 0 {
		return prose.OneLine(shellWord(words[from:]))
	}
	if _, rest, ok := strings.Cut(words, "<<"); ok {
		return prose.OneLine(afterLine(rest))
	}
	return ""
}

// messageFlag is where a message begins: -m, -qam, --message=, -m"text".
var messageFlag = rule.Lazy(`\s(?:-[a-zA-Z]*m|--message)(?:\s+|=|(["'$]))`)

// messageStart returns where the first message of a commit begins, 0 if its
// command has none, or takes it from a here-document.
func messageStart(words string) int {
	words = strings.ReplaceAll(BlankQuoted(words), "\\\n", "  ")
	at := messageFlag.FindStringSubmatchIndex(words)
	if at == nil || strings.ContainsAny(words[:at[0]], "<&;|\n") {
		return 0
	}
	if at[2] >= 0 {
		return at[2]
	}
	return at[1]
}

// shellWord returns the first word of s without its quotes; of "$(cat <<EOF"
// the document's text.
func shellWord(s string) string {
	switch {
	case s == "":
		return ""
	case strings.HasPrefix(s, `"$(`), strings.HasPrefix(s, "$("):
		return afterLine(s)
	case s[0] == '"', s[0] == '\'':
		return unquote(s[1:], s[0])
	}
	word, _, _ := strings.Cut(s, " ")
	return word
}

func unquote(s string, quote byte) string {
	var b strings.Builder
	for i := 0; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' && quote == '"' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func afterLine(s string) string {
	_, rest, _ := strings.Cut(s, "\n")
	return rest
}

// RanLine is a command as memories name it, "" if it only reads.
func RanLine(command string) string {
	command, _ = unpiped(stepInto(command))
	if line := shorten(command); !onlyReads(line) {
		return line
	}
	return ""
}
