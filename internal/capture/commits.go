package capture

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// A commit is one that a command made.
type commit struct {
	branch  string
	hash    string // short, "" if git did not show it
	subject string
	body    string
}

// commits tells what Claude committed and why. A commit that was amended in
// the same turn is told as it became.
func commits(s *scene) []memory.Memory {
	var out []memory.Memory
	var done deeds
	for _, a := range s.Actions {
		if a.Command == "" {
			done.add(a, s.project)
			continue
		}
		if a.Refused {
			continue
		}
		for _, c := range readCommits(a) {
			if !trivialCommit(c) {
				out = replaceSame(out, s.commitMemory(c, done.edited))
			}
			done = deeds{}
		}
	}
	return out
}

// committed is the line that git prints for a commit: "[main 1a2b3c4] Subject".
var committed = lazy(`(?m)^\[([^\s\]]+)(?: \([^)]*\))? ([0-9a-f]{7,40})\] (\S.*)$`)

// readCommits finds the commits that a command made. Those that git reports
// are certain, even where a later step of the command failed.
func readCommits(a claudecode.Action) []commit {
	command := Clean(a.Command)
	if !strings.Contains(command, "commit") && !strings.Contains(command, "cherry-pick") || strings.Contains(command, "--no-edit") {
		return nil
	}
	subject, body := message(command)
	var out []commit
	for _, m := range committed.FindAllStringSubmatch(Clean(a.Output), -1) {
		c := commit{branch: m[1], hash: m[2], subject: oneLine(m[3])}
		if c.subject == subject {
			c.body = body
		}
		out = append(out, c)
	}
	if len(out) == 0 && subject != "" && !a.Failed && silent(command, a.Output) {
		out = append(out, commit{subject: subject, body: body})
	}
	return out
}

// quietly is a commit of which git says nothing.
var quietly = lazy(`\scommit\b[^\n&;|]*?(?:\s(?:-[a-zA-Z]*q[a-zA-Z]*|--quiet)\b|&?>\s*/dev/null)`)

// silent reports whether a commit that git does not name was made all the
// same: it was told to say nothing, or says only what changed.
func silent(command, output string) bool {
	if containsAny(output, notMade[:]) {
		return false
	}
	return containsAny(output, changes[:]) || quietly.MatchString(strings.ReplaceAll(blankQuoted(command), "\\\n", ""))
}

// notMade is in the output of a commit that was none, changes in that of one
// whose first line was cut off.
var (
	notMade = [...]string{"nothing to commit", "nothing added to commit", "no changes added to commit", "fatal: ", "error: pathspec", "Aborting commit", "hook declined", "hook exited with", "hook failed", "pre-commit script failed"}
	changes = [...]string{" changed, ", " create mode ", " delete mode "}
)

// hereDocument begins one: <<'EOF'.
var hereDocument = lazy(`<<-?\s*['"\\]?(\w+)['"]?[^\n]*\n`)

// message returns the subject and the body of the message that a command
// commits with. Each further -m is a paragraph.
func message(command string) (subject, body string) {
	subject = commitMessage(command)
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
var trailers = lazy(`^(?i)([a-z-]+-by: |🤖|generated with |change-id: |claude-session: |https?://claude\.)`)

// withoutTrailers returns the body of a message: its lines without the
// trailers, a wrapped line as one.
func withoutTrailers(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case trailers.MatchString(line):
		case len(out) > 0 && out[len(out)-1] != "" && line != "" && !isListed(line):
			out[len(out)-1] += " " + line
		default:
			out = append(out, line)
		}
	}
	return wholeLines(strings.Join(slices.DeleteFunc(out, func(l string) bool { return l == "" }), "\n"), maxMessage)
}

// kindOf is the part of a subject that says what kind of change it is.
var kindOf = lazy(`^(?i)(build|chore|ci|docs?|feat|fix|perf|refactor|revert|style|tests?|wip)(\([^)]*\))?!?: *`)

// routine are words of which no commit says what it did.
var routine = wordSet(`wip fix fixes fixed update updates updated typo typos lint linting format formatting cleanup clean up minor small some changes change stuff misc tweak
	tweaks initial commit bump version review comments address feedback save progress checkpoint tests test files file code readme docs the a in and more
	bug bugs temp tmp errors error warnings add remove apply run of for to from release changelog work`)

// unsettled begin the subjects of commits that are to be changed again, or that
// only join others.
var unsettled = [...]string{"fixup!", "squash!", "amend!", "merge branch", "merge pull request", "merge remote", "wip:", "wip "}

// trivialCommit reports whether a commit says nothing that one would ask for.
func trivialCommit(c commit) bool {
	subject := strings.ToLower(c.subject)
	if beginsWith(subject, unsettled[:]) {
		return true
	}
	told := 0
	for _, word := range strings.Fields(kindOf.ReplaceAllString(subject, "")) {
		if word = strings.Trim(word, ".,:;!()'\"`"); !routine[word] && strings.ContainsFunc(word, unicode.IsLetter) {
			told++
		}
	}
	return told == 0 || told == 1 && len(c.body) < shortReply
}

// commitMemory makes the memory of a commit.
func (s *scene) commitMemory(c commit, edited []string) memory.Memory {
	m := s.memory(memory.Journal, memory.OriginAssistant)
	m.Title, m.Text = c.subject, c.body
	if c.hash != "" {
		m.Text = strings.TrimSpace("Committed as " + c.hash + " on " + c.branch + ".\n" + c.body)
	}
	m.Tags, m.Confidence = []string{memory.TagCommit}, sureCommit
	m.Files = edited[:min(len(edited), maxFiles)]
	m.Keywords, m.Evidence = keywords(c.subject, c.body), c.subject
	m.SetSubject(memory.TagCommit, s.ID, c.subject)
	return m
}
