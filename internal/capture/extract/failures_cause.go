package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// Bounds of the sentences that say why something failed.
const (
	maxCause      = 200  // bytes of one
	maxCauses     = 320  // bytes of those that follow each other
	maxNamesSaid  = 4000 // bytes of the end of an output whose names count
	enoughNamed   = 3    // points for a sentence that gives a reason
	enoughBlamed  = 4    // the same, if the code at hand may have been wrong
	pointsOfAdded = 3    // for what the fix added
)

// causeIn returns the sentences in which Claude said why a call failed: those
// that name what the fault or its fix names, and a reason.
func causeIn(replies [][]string, f toolcall.Failure) string {
	names := namesOf(f)
	var best string
	most := 0
	for _, sentences := range replies {
		for i, sentence := range sentences {
			points := names.scoreSentence(sentence, f, 0)
			if points <= most {
				continue
			}
			most, best = points, prose.Unmark(sentence)
			if i > 0 && leadsToCause(sentences[i-1]) && len(best)+len(sentences[i-1]) < maxCauses {
				best = prose.Unmark(sentences[i-1]) + " " + best
			} else if i+1 < len(sentences) && names.scoreSentence(sentences[i+1], f, 0) > 0 && len(best)+len(sentences[i+1]) < maxCauses {
				best += " " + prose.Unmark(sentences[i+1])
			}
		}
	}
	if best != "" || len(replies) == 0 || len(replies[0]) == 0 {
		return best
	}
	if names.scoreSentence(replies[0][0], f, 1) > 0 {
		return prose.Unmark(replies[0][0]) // said at once, it needs to name less
	}
	return ""
}

// leadsToCause reports whether a sentence says why, so that the cause in the next one begins with it.
func leadsToCause(sentence string) bool {
	return statesCause(sentence) && statements.FailureRules().Cause.MatchString(sentence)
}

// sentencesOf splits replies into sentences.
func sentencesOf(replies []*sentence.Text) [][]string {
	var out [][]string
	for _, reply := range replies {
		out = append(out, prose.Sentences(reply.Said()))
	}
	return out
}

// openingOf returns the first sentence of what Claude said last, if it states
// something: after a call that failed, with which a turn ends, and where the user
// asked, it says why.
func openingOf(replies [][]string) string {
	if len(replies) == 0 {
		return ""
	}
	last := replies[len(replies)-1]
	if len(last) == 0 || !statesCause(last[0]) {
		return ""
	}
	return prose.Unmark(last[0])
}

// minCause is the length, in bytes, below which a sentence gives no reason.
const minCause = 20

// statesCause reports whether a sentence tells how something is: no question, and
// neither what comes next nor what was done.
func statesCause(sentence string) bool {
	switch {
	case len(sentence) < minCause, len(sentence) > maxCause, strings.ContainsAny(sentence, "?|"), strings.HasSuffix(sentence, ":"), prose.IsListed(sentence):
		return false
	}
	return !statements.FailureRules().Announcing.MatchString(sentence)
}

// faultNames are the names of a failure: what its fix added, its line, and
// what else the call said.
type faultNames struct {
	program             string
	added, line, output []string
}

func namesOf(f toolcall.Failure) faultNames {
	output := f.Output[max(0, len(f.Output)-maxNamesSaid):]
	program, _, _ := strings.Cut(f.Call, " ")
	n := faultNames{program: program, added: f.Added, line: wordsNaming(f.Test + " " + f.Line + " " + f.Call)}
	for _, w := range strings.FieldsFunc(clean.Text(output), prose.NotInName) {
		if len(w) > 3 && prose.IsIdentifier(w) {
			prose.AddOnce(&n.output, strings.ToLower(w))
		}
	}
	return n
}

// wordsNaming lists the words of a failure that are not in every other one.
func wordsNaming(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), prose.NotInName) {
		if len(w) > 3 && !generalWords[w] {
			prose.AddOnce(&out, w)
		}
	}
	return out
}

// generalWords are words of errors that name nothing.
var generalWords = prose.WordSet(`error errors failed fails cannot could module found named test tests line file with from this that invalid expected none true false
	exit code command python python3 assertionerror import importerror`)

// scoreSentence tells how surely a sentence says why a call failed; 0 is not. near are points for
// its place, if it names anything of the failure.
func (n faultNames) scoreSentence(sentence string, f toolcall.Failure, near int) int {
	rules := statements.FailureRules()
	points, quotes := 0, false
	for _, name := range n.added {
		if strings.Contains(sentence, name) {
			points, quotes = points+pointsOfAdded, true
		}
	}
	if f.Missing != "" && !quotes {
		if !strings.Contains(sentence, f.Missing) || !rules.Environment.MatchString(sentence) {
			return 0
		}
	}
	if points += n.countShared(sentence); points > 0 {
		points += near
	}
	if points < enoughNamed-1 || !statesCause(sentence) {
		return 0
	}
	enough, reason := enoughNamed, rules.Cause.MatchString(sentence)
	if f.Red || f.Edited && !quotes {
		enough, reason = enoughBlamed, rules.Blame.MatchString(sentence)
	}
	if reason {
		points++
	}
	if points < enough || !reason && !quotes {
		return 0
	}
	return points
}

// countShared counts the names that a sentence has, each once.
func (n faultNames) countShared(sentence string) int {
	said := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(sentence), prose.NotInName) {
		said[w] = true
	}
	points := 0
	for _, name := range slices.Concat([]string{n.program}, n.line, n.output) {
		if said[name] {
			points++
		}
		if name != n.program {
			said[name] = false
		}
	}
	return points
}
