package extract

import (
	"strings"
	"unicode"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// commits returns what Claude committed and why. What the turn before committed
// about an error that the user shows again did not help.
func commits(s *Turn) []memory.Draft {
	out := s.committedDrafts()
	if len(out) > 0 {
		out[0].Supersedes = s.refutedCommits()
	}
	return out
}

// committedDrafts makes the memories of a turn's commits. One that was amended in the
// same turn is described as it became.
func (s *Turn) committedDrafts() []memory.Draft {
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
			if why := reasonsOf(c); !trivialCommit(c) && len(why) > 0 {
				out = replaceSame(out, s.commitMemory(c, why, done.Edited))
			}
			done = toolcall.Actions{}
		}
	}
	return out
}

// refutedCommits returns the ids of the commits of the turn before that were about an error which
// the user shows again.
func (s *Turn) refutedCommits() []string {
	if s.before == nil {
		return nil
	}
	shown := toolcall.ErrorIn(s.Asked)
	if shown == "" {
		return nil
	}
	var ids []string
	for _, d := range s.before.committedDrafts() {
		if m, err := clean.Draft(d); err == nil && toolcall.SameError(d.Title+"\n"+d.Text, shown) {
			ids = append(ids, m.Memory().ID)
		}
	}
	return ids
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

// reasonsOf returns the lines of a commit's message that say why, or what it does
// rather than something else: what changed, git knows too.
func reasonsOf(c toolcall.Commit) []string {
	rules := statements.DecisionRules()
	var out []string
	for line := range strings.Lines(c.Subject + "\n" + c.Body) {
		line = strings.TrimSpace(line)
		lower := strings.ToLower(line)
		chooses := prose.FindReason(line) != nil || rules.ChosenOver.MatchString(lower)
		isOfBody := line != c.Subject && !prose.IsListed(line)
		explains := isOfBody && len(strings.Fields(line)) >= shortestReason && !rules.Reported.MatchString(lower)
		if chooses || explains {
			out = append(out, prose.ItemWords(line))
		}
	}
	return out
}

// shortestReason is the number of words below which a line of a commit's body
// says nothing that its subject does not say.
const shortestReason = 3

// maxPlaces is how many files are named as those that a commit is about.
const maxPlaces = 3

// commitMemory makes the memory of a commit, and of why it was made.
func (s *Turn) commitMemory(c toolcall.Commit, why, edited []string) memory.Draft {
	m := s.Draft(memory.Journal, memory.OriginAssistant)
	m.Title = strings.TrimPrefix(c.Subject, kindOf.FindString(c.Subject))
	if why[0] == prose.ItemWords(c.Subject) {
		why = why[1:]
	}
	if n := len(edited); n > 0 && n <= maxPlaces {
		why = append(why, "In "+strings.Join(edited, ", ")+".")
	}
	m.Text = strings.Join(why, "\n")
	m.Tags, m.Confidence = []string{memory.TagCommit}, confidenceCommit
	m.Files = edited[:min(len(edited), toolcall.MaxFiles)]
	m.Keywords, m.Evidence = prose.Keywords(c.Subject, c.Body), c.Subject
	m.Subject = []string{memory.TagCommit, s.ID, c.Subject}
	return m
}
