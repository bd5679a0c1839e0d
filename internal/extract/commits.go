package extract

import (
	"strings"
	"unicode"

	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/rule"
	"recollect/internal/toolcall"
)

// commits returns what Claude committed and why. A commit that was amended in
// the same turn is described as it became.
func commits(s *Scene) []memory.Draft {
	var out []memory.Draft
	var done toolcall.Actions
	for _, a := range s.Actions {
		if a.Command == "" {
			done.Add(a, s.Paths)
			continue
		}
		if a.Refused {
			continue
		}
		for _, c := range toolcall.ReadCommits(a) {
			if !trivialCommit(c) && reasoned(c) {
				out = replaceSame(out, s.commitMemory(c, done.Edited))
			}
			done = toolcall.Actions{}
		}
	}
	return out
}

// kindOf is the part of a subject that says what kind of change it is.
var kindOf = rule.Lazy(`^(?i)(build|chore|ci|docs?|feat|fix|perf|refactor|revert|style|tests?|wip)(\([^)]*\))?!?: *`)

// routine are words of which no commit says what it did.
var routine = prose.WordSet(`wip fix fixes fixed update updates updated typo typos lint linting format formatting cleanup clean up minor small some changes change stuff misc tweak
	tweaks initial commit bump version review comments address feedback save progress checkpoint tests test files file code readme docs the a in and more
	bug bugs temp tmp errors error warnings add remove apply run of for to from release changelog work`)

// unfinished begin the subjects of commits that are to be changed again, or that
// only join others.
var unfinished = [...]string{"fixup!", "squash!", "amend!", "merge branch", "merge pull request", "merge remote", "wip:", "wip "}

// trivialCommit reports whether a commit says nothing that one would ask for.
func trivialCommit(c toolcall.Commit) bool {
	subject := strings.ToLower(c.Subject)
	if prose.BeginsWith(subject, unfinished[:]) {
		return true
	}
	informative := 0
	for _, word := range strings.Fields(kindOf.ReplaceAllString(subject, "")) {
		if word = strings.Trim(word, ".,:;!()'\"`"); !routine[word] && strings.ContainsFunc(word, unicode.IsLetter) {
			informative++
		}
	}
	return informative == 0 || informative == 1 && len(c.Body) < shortReply
}

// reasoned reports whether a commit says why, in a sentence of its body: what
// changed, git knows too.
func reasoned(c toolcall.Commit) bool {
	for line := range strings.Lines(c.Body) {
		line = strings.TrimSpace(line)
		if prose.FindReason(line) != nil || !prose.IsListed(line) && len(strings.Fields(line)) >= shortestReason {
			return true
		}
	}
	return false
}

// shortestReason is the number of words below which a line of a commit's body
// says nothing that its subject does not say.
const shortestReason = 3

// commitMemory makes the memory of a commit.
func (s *Scene) commitMemory(c toolcall.Commit, edited []string) memory.Draft {
	m := s.Draft(memory.Journal, memory.OriginAssistant)
	m.Title, m.Text = c.Subject, c.Body
	if c.Hash != "" {
		m.Text = strings.TrimSpace("Committed as " + c.Hash + " on " + c.Branch + ".\n" + c.Body)
	}
	m.Tags, m.Confidence = []string{memory.TagCommit}, confidenceCommit
	m.Files = edited[:min(len(edited), toolcall.MaxFiles)]
	m.Keywords, m.Evidence = prose.Keywords(c.Subject, c.Body), c.Subject
	m.Subject = []string{memory.TagCommit, s.ID, c.Subject}
	return m
}
