package handoff

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract"
	"recollect/internal/capture/toolcall"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// maxCause bounds a cause, in bytes.
const maxCause = 260

// recordCause records the cause that a turn found. What the first sentences of a
// reply to a report of a problem say counts, unless the user contradicts.
func (w *Session) recordCause(s *extract.Turn, p prompt, statements []statement, changed bool) {
	again := w.shownAgain(p)
	if again {
		w.outcomes = slices.DeleteFunc(w.outcomes, w.ofTurnBefore)
	}
	isContradicted := w.guessed == w.turns-1 && rules().Contradiction.MatchString(p.low)
	if again || isContradicted || rules().OtherCause.MatchString(p.low) {
		w.causes = slices.DeleteFunc(w.causes, w.ofTurnBefore)
	}
	reported := rules().Problem.MatchString(p.low)
	w.hasNews = w.hasNews || reported && len(s.Actions) > 0
	kinds := []string{cause}
	if reported || changed {
		kinds = append(kinds, problem)
	}
	text := statedCause(statements, kinds...)
	if dialogue.Explanation(text) == "" {
		text = cmp.Or(prose.Clip(strings.TrimRight(s.Cause(), "."), maxCause), text)
	}
	mayExplain := reported && !changed && len(s.Actions) > 0
	if text == "" && mayExplain && !rules().Obstacle.MatchString(strings.ToLower(s.Reply)) {
		text = firstOf(statements, lead, maxCause)
		w.guessed = w.turns
	}
	if text == "" && reported && changed {
		text = cmp.Or(foundOnTheWay(s.Said()), reasonIn(statements))
	}
	if text == "" || saidIn(text, w.causes) || !tellsCause(text) {
		return
	}
	w.causes = append(w.causes, line{text, w.turns})
	w.causes = w.causes[max(0, len(w.causes)-maxCauses):]
}

// tellsCause reports whether a sentence of a cause is no guess, and says more than that there is a problem.
func tellsCause(text string) bool {
	return slices.ContainsFunc(prose.Sentences(text), func(s string) bool {
		return !prose.Guesses(s) && prose.Informative(withoutTask(s)) > 1
	})
}

// foundOnTheWay returns the cause that Claude named before it changed anything: the reply that
// ends such a turn says what was done. What it says in one reply alone needs no word for it.
func foundOnTheWay(replies []*sentence.Text) string {
	for _, reply := range slices.Backward(replies[:max(0, len(replies)-1)]) {
		statements := readStatements(reply.Said())
		if text := cmp.Or(statedCause(statements, cause, problem), reasonIn(statements)); text != "" {
			return text
		}
		if text := firstOf(statements, lead, maxCause); len(replies) == 2 && len(text) >= minFinding && lastQuestion(reply.Said()) == "" {
			return text
		}
	}
	return ""
}

// minFinding is the length of what tells a finding without a word for it, in bytes.
const minFinding = 60

func (w *Session) ofTurnBefore(l line) bool { return l.turn == w.turns-1 }

// shownAgain reports whether the user shows the error whose cause the turn before found.
func (w *Session) shownAgain(p prompt) bool {
	if !slices.ContainsFunc(w.causes, w.ofTurnBefore) {
		return false
	}
	shown := toolcall.ErrorIn(p.Said())
	return slices.ContainsFunc(w.causes, func(l line) bool { return w.ofTurnBefore(l) && toolcall.SameError(l.text, shown) })
}

// statedCause returns what a reply says was the cause, in parts of these kinds
// or in a sentence.
func statedCause(statements []statement, kinds ...string) string {
	statements = besidesSymptoms(statements)
	for _, kind := range kinds {
		if text := firstOf(statements, kind, maxCause); text != "" {
			return cmp.Or(explanationIn(statements, kind), text)
		}
	}
	return sentenceLike(statements, &rules().Cause)
}

// besidesSymptoms returns what a reply says without the sentences that only tell
// again what goes wrong, and the one that says why of such a sentence as one
// that stands alone.
func besidesSymptoms(statements []statement) []statement {
	var out []statement
	dropped := false
	for _, s := range statements {
		sentence := !s.listed && !s.announces
		if sentence && prose.Symptom(s.text) {
			dropped = true
			continue
		}
		if dropped && sentence {
			s.text = prose.Because(s.text)
		}
		out, dropped = append(out, s), false
	}
	return out
}

// maxUnexplained bounds how many statements of a kind are passed over that only
// say where something was, or what is true in general.
const maxUnexplained = 3

// explanationIn returns the first statements of a kind that say what was wrong, as
// many as there is room for; "" if none does.
func explanationIn(statements []statement, kind string) string {
	passed := 0
	for i, s := range statements {
		if s.kind != kind || s.listed {
			continue
		}
		if text := dialogue.Explanation(firstOf(statements[i:], kind, maxCause)); text != "" {
			return text
		}
		if passed++; passed > maxUnexplained {
			break
		}
	}
	return ""
}

// reasonIn returns the first sentence of a reply that gives a reason, unless it
// is one for what was chosen.
func reasonIn(statements []statement) string {
	if reason := sentenceLike(statements, &rules().Because); !rules().Choice.MatchString(strings.ToLower(reason)) {
		return reason
	}
	return ""
}

// sentenceLike returns the first sentence of a reply that rules take.
func sentenceLike(statements []statement, set *rule.Set) string {
	for _, s := range statements {
		if s.listed || s.kind != lead && s.kind != did {
			continue
		}
		low := strings.ToLower(s.text)
		if set.MatchString(low) && !rules().Resolved.MatchString(low) && !isUninformative(s.text) {
			return prose.Clip(plainText(s.text), maxCause)
		}
	}
	return ""
}
