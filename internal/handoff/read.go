package handoff

import (
	"slices"
	"strings"

	"recollect/internal/clean"
	"recollect/internal/extract"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

// maxAsked bounds the prompts that are read for what their author puts off, in
// bytes: longer ones were pasted.
const maxAsked = 2000

// read takes from a turn what was put off, explained, done and left open, and
// forgets of what was open what is done now.
func (w *Session) read(s *extract.Scene, own string, changed bool) {
	statements := read(s.Reply)
	w.settle(s, own, statements, changed)
	w.putOff(own)
	w.explain(s, own, statements, changed)
	if outcome := outcomeOf(statements, w.now.title); outcome != "" {
		if w.first == "" {
			w.first = cut(strings.TrimRight(outcome, "."), maxTitle)
		}
		done := rules().Done.MatchString(strings.ToLower(outcome))
		if changed && (done || lastQuestion(s.Reply) == "") || done && w.work.ranIn == w.turns && w.work.failed == "" {
			w.came(outcome)
		}
	}
	w.question = lastQuestion(s.Reply)
	w.announce(statements, changed)
	for _, reply := range s.Replies {
		w.told = w.told || promises(clean.Text(reply))
	}
}

// came records how a turn came out, unless that is known as a cause.
func (w *Session) came(outcome string) {
	if !saidIn(outcome, w.causes) && !covers(keys(strings.Join(w.work.commits, " ")), outcome) {
		w.outcomes = append(w.outcomes, line{outcome, w.turns})
	}
}

// promises reports whether a reply names a cause, leaves something open or
// announces it.
func promises(reply string) bool {
	for _, s := range read(reply) {
		if (s.kind == open && !s.cued || s.kind == next || s.kind == cause) && itemOf(s) != "" {
			return true
		}
	}
	return false
}

// settle forgets what was open or next and is done now: the reply, a commit or
// the user says so, or it was asked for and something was changed.
func (w *Session) settle(s *extract.Scene, own string, statements []statement, changed bool) {
	var said []string
	for _, clause := range clauses(own) {
		if changed || rules().Done.MatchString(strings.ToLower(clause)) {
			said = append(said, clause)
		}
	}
	for _, st := range statements {
		if (st.kind == lead || st.kind == did) && rules().Done.MatchString(strings.ToLower(st.text)) {
			said = append(said, st.text)
		}
	}
	if w.work.committed == w.turns {
		said = append(said, w.work.commits[len(w.work.commits)-1])
	}
	if w.work.editIn == w.turns {
		said = append(said, w.work.edited[max(0, len(w.work.edited)-1):]...)
	}
	if changed {
		w.next = slices.DeleteFunc(w.next, func(l line) bool { return !rules().Lasting.MatchString(strings.ToLower(l.text)) })
	}
	for _, text := range said {
		if lower := strings.ToLower(text); rules().PutOff.MatchString(lower) || rules().Later.MatchString(lower) {
			continue
		}
		w.open, w.next = without(w.open, text), without(w.next, text)
	}
}

// clauses returns the sentences of a prompt, whether they begin with a capital
// or not.
func clauses(own string) []string {
	if len(own) > maxAsked {
		return nil
	}
	var out []string
	for _, s := range prose.Sentences(strings.NewReplacer(". ", ".\n", "; ", ";\n").Replace(own)) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// putOff records what the user wants to do another time.
func (w *Session) putOff(own string) {
	for i, clause := range clauses(own) {
		words := strings.TrimRight(strings.ToLower(clause), " .!")
		switch {
		case strings.HasSuffix(clause, "?"):
		case rules().Later.MatchString(words):
			before := w.question
			if before == "" && i > 0 {
				before = clauses(own)[i-1]
				own = clause
			}
			if before != "" {
				w.expect(before + " " + prose.Clip(prose.Fold(own), maxItem/2))
			} else if w.now.title != "" {
				w.expect(w.now.title + ": " + clause)
			}
		case rules().PutOff.MatchString(words):
			w.expect(clause)
		}
	}
}

// expect records what comes next, once.
func (w *Session) expect(text string) {
	if text = prose.Clip(strings.TrimSpace(text), maxItem); !saidIn(text, w.next) {
		w.open = without(w.open, text)
		w.next = append(without(w.next, text), line{text, w.turns})
		w.told = true
	}
}

// announce records what a reply says is open or comes next. A new list of what
// is open replaces the one before.
func (w *Session) announce(statements []statement, changed bool) {
	var left []line
	for _, s := range statements {
		switch item := itemOf(s); {
		case item == "":
		case s.kind == open && !s.cued:
			for _, part := range parts(item) {
				left = append(left, line{part, w.turns})
			}
		case s.kind == open && w.work.changed && !saidIn(item, w.open):
			w.open = append(w.open, line{item, w.turns})
		case s.kind == next:
			w.expect(item)
		}
	}
	if len(left) > 0 {
		said := slices.DeleteFunc(w.open, func(l line) bool { return l.turn < w.turns })
		w.open = append(left[:min(len(left), maxItems)], said...)
	}
}

// itemOf returns what a statement names to be done, "" for nothing.
func itemOf(s statement) string {
	text := strings.Trim(prose.ItemWords(s.text), " ;")
	if low := strings.ToLower(text); text == "" || rules().Empty.MatchString(low) || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "?") || len(keys(text)) == 0 {
		return ""
	}
	return prose.Clip(text, maxItem)
}

// maxPart bounds the words of each of the things that a sentence lists.
const maxPart = 9

// parts divides what a line lists: "db02, and a restore test". What is no
// list remains whole.
func parts(item string) []string {
	var out []string
	for _, part := range strings.Split(rules().Between.ReplaceAllString(strings.TrimRight(item, "."), "\n$1"), "\n") {
		if part = strings.TrimSpace(part); part == "" || len(strings.Fields(part)) > maxPart || len(keys(part)) == 0 {
			return []string{item}
		}
		out = append(out, part)
	}
	return out
}

// maxCause bounds a cause, in bytes.
const maxCause = 260

// explain records the cause that a turn found. What the first sentences of a
// reply to a report of a problem say counts, unless the user contradicts.
func (w *Session) explain(s *extract.Scene, own string, statements []statement, changed bool) {
	asked := strings.ToLower(own)
	if n := len(w.causes); n > 0 && w.guessed == w.turns-1 && w.causes[n-1].turn == w.guessed && rules().Contradiction.MatchString(asked) {
		w.causes = w.causes[:n-1]
	}
	reported := rules().Problem.MatchString(asked)
	w.told = w.told || reported && len(s.Actions) > 0
	text := statedCause(statements)
	if text == "" && reported && !changed && len(s.Actions) > 0 && !rules().Obstacle.MatchString(strings.ToLower(s.Reply)) {
		text = firstOf(statements, lead, maxCause)
		w.guessed = w.turns
	}
	if text == "" && reported && changed {
		text = reasonIn(statements)
	}
	if text == "" || saidIn(text, w.causes) {
		return
	}
	w.causes = append(w.causes, line{text, w.turns})
	w.causes = w.causes[max(0, len(w.causes)-maxCauses):]
}

// statedCause returns what a reply says was the cause.
func statedCause(statements []statement) string {
	for _, kind := range []string{cause, problem} {
		if text := firstOf(statements, kind, maxCause); text != "" {
			return text
		}
	}
	return sentenceLike(statements, &rules().Cause)
}

// reasonIn returns the first sentence of a reply that gives a reason.
func reasonIn(statements []statement) string { return sentenceLike(statements, &rules().Because) }

// sentenceLike returns the first sentence of a reply that rules take.
func sentenceLike(statements []statement, set *rule.Set) string {
	for _, s := range statements {
		low := strings.ToLower(s.text)
		if (s.kind == lead || s.kind == did) && !s.listed && set.MatchString(low) && !rules().Resolved.MatchString(low) && !uninformative(s.text) {
			return prose.Clip(plain(s.text), maxCause)
		}
	}
	return ""
}

// firstOf returns the first statements of a kind that say something, as many
// as there is room for. A line that announces others counts if it says what
// was done, or why something was wrong.
func firstOf(statements []statement, kind string, room int) string {
	out, announced := "", false
	for i, s := range statements {
		text := plain(s.text)
		if s.announces && rules().Hanging.MatchString(strings.ToLower(text)) && (i+1 == len(statements) || !statements[i+1].listed) {
			continue // what it announced was code
		}
		announces := s.announces && (kind == did && rules().Done.MatchString(strings.ToLower(text)) || kind == cause || kind == problem)
		if s.kind != kind || s.announces && !announces || uninformative(text) || kind != did && s.listed && out != "" && !announced {
			continue
		}
		switch {
		case out == "":
			out = prose.Clip(text, room)
		case len(out)+len(text)+2 > room:
			return out
		case announced && s.listed:
			out += ": " + text
		case s.listed:
			out = strings.TrimRight(out, ".;") + "; " + text
		default:
			out = ended(out) + " " + text
		}
		announced = s.announces
	}
	return out
}

// outcomeOf returns what a reply says came out: what was done about it, and
// before that the first sentence unless the title says the same.
func outcomeOf(statements []statement, title string) string {
	fix := firstOf(statements, did, maxOutcome)
	first := firstOf(statements, lead, maxOutcome)
	switch {
	case fix == "":
		return first
	case first == "", covers(keys(title+" "+fix), first), len(first)+len(fix) > maxOutcome:
		return fix
	}
	return ended(first) + " " + fix
}
