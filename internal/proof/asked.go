package proof

import (
	"slices"
	"strings"

	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// How alike two sentences of a user are that say the same: the words that both have, and the share of those of
// the shorter one. consolidate asks for as much before two rules are one.
const (
	strictWords, strictShare = 4, 0.7
	looseWords, looseShare   = 3, 0.5
	fewWords                 = 2 // are enough where there are no others
)

// How much of a rule a line must have that says it.
const (
	saidStrictly = 0.8
	saidLoosely  = 0.5
)

// What an answer must have in common with another, in the points of package usage.
const (
	sameAnswer = 4
	likeAnswer = 2
)

// countRules finds the rules that the user said as in an earlier session: what capture takes as a preference. A rule
// is a correction if Claude had done or said something in the session before. Only what was said earlier in the session
// would have spared the user the words.
func (r *replay) countRules(t *turn) {
	kind := Rule
	if r.acted {
		kind = Correction
	}
	for _, d := range t.drafts {
		if d.Source != memory.Preferences || d.Origin != memory.OriginUser {
			continue
		}
		text := d.Evidence
		said := statement{Project: t.key, Text: text, Words: wordList(text), At: t.At}
		if d.AppliesTo == memory.Global {
			said.Project = ""
		}
		r.facts.Rules = append(r.facts.Rules, said)
		if kind == Correction {
			r.out.Corrections++
		}
		known, match := sameStatement(r.ledger.rules, t.key, said)
		if match == NoMatch || r.isAgain(said) {
			continue
		}
		f := r.finding(kind, t, known.At)
		f.What, f.Match = text, match
		content := wordList(strings.Join(prose.SubjectWords(strings.ToLower(known.Text)), " "))
		f.Known, f.Said = r.said.find(place{t.place, atPrompt}, true, func(l line) Match { return l.tells(content) })
		r.add(f)
	}
}

// tells reports whether a line has the words of a rule that name its subject.
func (l line) tells(words []string) Match {
	part, n := share(words, l.words)
	switch {
	case n >= min(strictWords, len(words)) && part >= saidStrictly:
		return Strict
	case n >= min(looseWords, len(words)) && part >= saidLoosely:
		return Loose
	}
	return NoMatch
}

// sameStatement returns the last statement of a project, or of all, that says the same.
func sameStatement(all map[string][]statement, project string, said statement) (found statement, best Match) {
	words := setOf(said.Words)
	for _, key := range []string{project, ""} {
		for _, old := range all[key] {
			m := alike(old.Words, said.Words, words)
			if m != NoMatch && m.better(best) == m {
				found, best = old, m
			}
		}
	}
	return found, best
}

// alike reports whether two statements, of which set has the words of the second, say the same.
func alike(old, fresh []string, set map[string]bool) Match {
	if slices.Contains(old, "not") != set["not"] {
		return NoMatch
	}
	_, n := share(old, set)
	part := float64(n) / float64(max(1, min(len(old), len(fresh))))
	switch {
	case n >= fewWords && n == len(old) && n == len(fresh), n >= strictWords && part >= strictShare:
		return Strict
	case n >= looseWords && part >= looseShare:
		return Loose
	}
	return NoMatch
}

// isAgain reports whether the session itself has met a statement before, and records it.
func (r *replay) isAgain(said statement) bool {
	if _, m := sameStatement(r.met, said.Project, said); m != NoMatch {
		return true
	}
	push(r.met, said.Project, said)
	return false
}

// countQuestions finds the questions that the user asked as in an earlier session, by the strict rule of two sentences.
// Strictly one is asked again if the answer is the same, too: the replies share names, numbers or pairs of words that
// the question does not have. Loosely they share fewer.
func (r *replay) countQuestions(t *turn) {
	text, ok := questionOf(t)
	if !ok {
		return
	}
	asked := statement{Project: t.key, Text: text, Words: wordList(text), Signs: answerSigns(t), Answer: prose.Clip(prose.OneLine(t.Reply), maxAnswer), At: t.At}
	r.facts.Questions = append(r.facts.Questions, asked)
	known, match := sameStatement(map[string][]statement{t.key: r.ledger.questions[t.key]}, t.key, asked)
	common := inBoth(known.Signs, asked.Signs)
	if match != Strict || points(common) < likeAnswer || r.isAgain(asked) {
		return
	}
	if points(common) < sameAnswer {
		match = Loose
	}
	f := r.finding(Question, t, known.At)
	f.What, f.Answer, f.Match = text, known.Answer, match
	f.Known, f.Said = r.said.find(place{t.place, atPrompt}, false, func(l line) Match { return l.answers(common) })
	f.Seconds, f.Tokens = min(t.End.Sub(t.At), longestGap).Seconds(), t.Tokens
	r.add(f)
}

const (
	maxQuestion = 400 // bytes of a prompt that only asks
	maxAnswer   = 200
	maxSigns    = 200
)

// requests are what orders in the form of a question have.
var requests = []string{"can you", "could you", "would you", "will you", "please"}

// questionOf returns the question that a prompt asks, if that is all of it.
func questionOf(t *turn) (string, bool) {
	if t.Program || t.Command != "" || len(t.Asked) > maxQuestion || t.Reply == "" {
		return "", false
	}
	for _, s := range prose.OwnSentences(t.Asked) {
		scores := sentence.New(s).Scores("")
		if scores.Best() == sentence.Question && !prose.ContainsAny(strings.ToLower(s), requests) {
			return s, true
		}
	}
	return "", false
}

// answerSigns returns what the answer to a question may be recognized by.
func answerSigns(t *turn) map[string]int {
	signs, asked := map[string]int{}, usage.Signs(t.Asked)
	for sign, n := range usage.Signs(t.Reply) {
		if asked[sign] == 0 && len(signs) < maxSigns {
			signs[sign] = n
		}
	}
	return signs
}

// answers reports whether a line has what both answers have.
func (l line) answers(common map[string]int) Match {
	switch n := points(inBoth(common, usage.Signs(l.text))); {
	case n >= sameAnswer:
		return Strict
	case n >= likeAnswer:
		return Loose
	}
	return NoMatch
}

func inBoth(a, b map[string]int) map[string]int {
	both := map[string]int{}
	for sign, n := range a {
		if b[sign] > 0 {
			both[sign] = n
		}
	}
	return both
}

func points(signs map[string]int) int {
	sum := 0
	for _, n := range signs {
		sum += n
	}
	return sum
}
