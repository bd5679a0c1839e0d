package toolcall

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
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
	call, _ := commitIn(command)
	subject := prose.OneLine(call.message)
	_, body, _ := strings.Cut(strings.TrimSpace(call.message), "\n")
	body = withoutTrailers(body)
	var out []Commit
	for _, m := range committed.FindAllStringSubmatch(clean.Text(a.Output), -1) {
		c := Commit{Branch: m[1], Hash: m[2], Subject: prose.OneLine(m[3])}
		if !call.mayHaveMade(command, c.Subject) {
			continue
		}
		if c.Subject == subject {
			c.Body = body
		}
		out = append(out, c)
	}
	isUnreported := len(out) == 0 && subject != ""
	if isUnreported && !a.Failed && call.isSilent(a.Output) {
		out = append(out, Commit{Subject: subject, Body: body})
	}
	return out
}

// mayHaveMade reports whether a subject can be of the commit: what another program printed in the form
// of git's line is not in the command, if that says its message.
func (c commitCall) mayHaveMade(command, subject string) bool {
	return c.message == "" || strings.ContainsAny(c.message, "$`") || strings.Contains(withoutQuotes.Replace(command), withoutQuotes.Replace(subject))
}

// withoutQuotes removes what the shell may need around the words of a message.
var withoutQuotes = strings.NewReplacer("\\", "", "'", "", `"`, "")

// isSilent reports whether a commit that git does not name was made all the
// same: it was asked to say nothing, or says only what changed.
func (c commitCall) isSilent(output string) bool {
	return !prose.ContainsAny(output, notMade[:]) && (c.quiet || prose.ContainsAny(output, changes[:]))
}

// notMade is in the output of a commit that was none, changes in that of one
// whose first line was cut off.
var (
	notMade = [...]string{
		"nothing to commit", "nothing added to commit", "no changes added to commit", "fatal: ", "error: pathspec", "Aborting commit",
		"hook declined", "hook exited with", "hook failed", "pre-commit script failed",
	}
	changes = [...]string{" changed, ", " create mode ", " delete mode "}
)

// A commitCall is a command that commits.
type commitCall struct {
	message string // each further -m is a paragraph
	quiet   bool   // git says nothing of it
}

// commitIn returns the first command of a command line that commits.
func commitIn(command string) (out commitCall, found bool) {
	if !strings.Contains(command, "commit") {
		return out, false
	}
	file := parseShell(command)
	if file == nil {
		return out, false
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if stmt, ok := n.(*syntax.Stmt); ok && !found {
			out, found = readCommit(command, stmt)
		}
		return !found
	})
	return out, found
}

func readCommit(command string, stmt *syntax.Stmt) (out commitCall, ok bool) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "git" {
		return out, false
	}
	var words []string
	for _, w := range call.Args {
		words = append(words, text(command, w.Parts, false))
	}
	at := slices.Index(words, "commit")
	if at != 1 && (at < 0 || !strings.HasPrefix(words[1], "-")) { // git -C DIR commit
		return out, false
	}
	var messages []string
	for words = words[at+1:]; len(words) > 0; words = words[1:] {
		out.quiet = out.quiet || quietFlag.MatchString(words[0])
		if m := messageFlag.FindStringSubmatch(words[0]); m != nil && m[1] != "" {
			messages = append(messages, m[1])
		} else if m != nil && len(words) > 1 {
			words = words[1:]
			messages = append(messages, words[0])
		}
	}
	if len(messages) == 0 {
		messages = []string{document(command, stmt)}
	}
	for _, r := range stmt.Redirs {
		out.quiet = out.quiet || r.Word != nil && r.Word.Lit() == "/dev/null"
	}
	out.message = strings.Join(messages, "\n")
	return out, true
}

var (
	messageFlag = rule.Lazy(`^(?s:-[a-zA-Z]*?m|--message=?)(.*)$`)
	quietFlag   = rule.Lazy(`^(-[a-zA-Z]*q[a-zA-Z]*|--quiet)$`)
)

// text returns the parts of a word without their quotes; of "$(cat <<EOF" the
// document's text. What would be replaced stays as it is written, and so do
// backslashes in a literal text.
func text(command string, parts []syntax.WordPart, literal bool) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if literal {
				b.WriteString(p.Value)
			} else {
				b.WriteString(unescaped.Replace(p.Value))
			}
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(text(command, p.Parts, literal))
		case *syntax.CmdSubst:
			b.WriteString(cmp.Or(document(command, p.Stmts...), source(command, p)))
		default:
			b.WriteString(source(command, part))
		}
	}
	return b.String()
}

// document returns the first here-document of commands.
func document(command string, stmts ...*syntax.Stmt) string {
	for _, stmt := range stmts {
		for _, r := range stmt.Redirs {
			if r.Hdoc != nil {
				return text(command, r.Hdoc.Parts, true)
			}
		}
	}
	return ""
}

var unescaped = strings.NewReplacer(`\\`, `\`, `\`, "")

// CommitMessage returns the first line of the message that a command commits
// with; ok reports whether it commits.
func CommitMessage(command string) (subject string, ok bool) {
	c, ok := commitIn(command)
	return prose.OneLine(c.message), ok
}

// maxMessage bounds the body of a message, in bytes.
const maxMessage = 700

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
		case line != "" && continuesLine(out) && !prose.IsListed(line):
			out[len(out)-1] += " " + line
		default:
			out = append(out, line)
		}
	}
	return prose.WholeLines(strings.Join(slices.DeleteFunc(out, func(l string) bool { return l == "" }), "\n"), maxMessage)
}

// continuesLine reports whether the last of some lines is not empty, so that the next goes on with it.
func continuesLine(lines []string) bool { return len(lines) > 0 && lines[len(lines)-1] != "" }
