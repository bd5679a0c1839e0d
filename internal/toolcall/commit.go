package toolcall

import (
	"slices"
	"strings"

	"recollect/internal/claudecode"
	"recollect/internal/clean"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

// A Commit is one that a command made.
type Commit struct {
	Branch  string
	Hash    string // short, "" if git did not show it
	Subject string
	Body    string
}

// committed is the line that git prints for a commit: "[main 1a2b3c4] Subject".
var committed = rule.Lazy(`(?m)^\[([^\s\]]+)(?: \([^)]*\))? ([0-9a-f]{7,40})\] (\S.*)$`)

// ReadCommits finds the commits that a command made. Those that git reports
// are certain, even where a later step of the command failed.
func ReadCommits(a claudecode.Action) []Commit {
	command := clean.Text(a.Command)
	if !strings.Contains(command, "commit") && !strings.Contains(command, "cherry-pick") || strings.Contains(command, "--no-edit") {
		return nil
	}
	subject, body := message(command)
	var out []Commit
	for _, m := range committed.FindAllStringSubmatch(clean.Text(a.Output), -1) {
		c := Commit{Branch: m[1], Hash: m[2], Subject: prose.OneLine(m[3])}
		if c.Subject == subject {
			c.Body = body
		}
		out = append(out, c)
	}
	if len(out) == 0 && subject != "" && !a.Failed && silent(command, a.Output) {
		out = append(out, Commit{Subject: subject, Body: body})
	}
	return out
}

// quietly is a commit of which git says nothing.
var quietly = rule.Lazy(`\scommit\b[^\n&;|]*?(?:\s(?:-[a-zA-Z]*q[a-zA-Z]*|--quiet)\b|&?>\s*/dev/null)`)

// silent reports whether a commit that git does not name was made all the
// same: it was run quietly, or says only what changed.
func silent(command, output string) bool {
	if prose.ContainsAny(output, notMade[:]) {
		return false
	}
	return prose.ContainsAny(output, changes[:]) || quietly.MatchString(strings.ReplaceAll(BlankQuoted(command), "\\\n", ""))
}

// notMade is in the output of a commit that was none, changes in that of one
// whose first line was cut off.
var (
	notMade = [...]string{"nothing to commit", "nothing added to commit", "no changes added to commit", "fatal: ", "error: pathspec", "Aborting commit", "hook declined", "hook exited with", "hook failed", "pre-commit script failed"}
	changes = [...]string{" changed, ", " create mode ", " delete mode "}
)

// hereDocument begins one: <<'EOF'.
var hereDocument = rule.Lazy(`<<-?\s*['"\\]?(\w+)['"]?[^\n]*\n`)

// message returns the subject and the body of the message that a command
// commits with. Each further -m is a paragraph.
func message(command string) (subject, body string) {
	subject = CommitMessage(command)
	if subject == "" {
		return "", ""
	}
	i := strings.Index(command, subject)
	if i < 0 {
		return subject, "" // something in it was escaped
	}
	text := document(command, i)
	if text == "" {
		text = paragraphs(command[max(strings.LastIndex(command[:i], " commit"), 0):])
	}
	_, text, _ = strings.Cut(text, "\n")
	return subject, withoutTrailers(text)
}

// document returns the here-document in which the byte at i stands, "" if it
// stands in none.
func document(command string, i int) string {
	at := hereDocument.FindStringSubmatchIndex(command)
	if at == nil || at[1] > i {
		return ""
	}
	var out []string
	for line := range strings.Lines(command[at[1]:]) {
		if line = strings.TrimSpace(line); line == command[at[2]:at[3]] {
			break
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// paragraphs joins the messages of one commit command.
func paragraphs(command string) string {
	var out []string
	for range maxParagraphs {
		start := messageStart(command)
		if start == 0 {
			break
		}
		word := shellWord(command[start:])
		out = append(out, word)
		command = command[min(len(command), start+len(word)+1):]
		command = strings.TrimLeft(command, `"'`)
	}
	return strings.Join(out, "\n")
}

// maxMessage bounds the body of a message, in bytes.
const maxMessage = 700

// maxParagraphs bounds the messages of one command.
const maxParagraphs = 20

// trailers end a message with what is no part of it.
var trailers = rule.Lazy(`^(?i)([a-z-]+-by: |🤖|generated with |change-id: |claude-session: |https?://claude\.)`)

// withoutTrailers returns the body of a message: its lines without the
// trailers, a wrapped line as one.
func withoutTrailers(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case trailers.MatchString(line):
		case len(out) > 0 && out[len(out)-1] != "" && line != "" && !prose.IsListed(line):
			out[len(out)-1] += " " + line
		default:
			out = append(out, line)
		}
	}
	return prose.WholeLines(strings.Join(slices.DeleteFunc(out, func(l string) bool { return l == "" }), "\n"), maxMessage)
}
