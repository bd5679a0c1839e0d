package handoff

import (
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract"
	"recollect/internal/text/prose"
)

// maxAsked bounds the prompts that are read for what their author puts off, in
// bytes: longer ones were pasted.
const maxAsked = 2000

// readReplies takes from a turn what was put off, explained, done and left open, and
// forgets of what was open what is done now.
func (w *Session) readReplies(s *extract.Turn, p prompt, changed bool) {
	statements := readStatements(s.Reply)
	w.settleOpen(p, statements, changed)
	w.putOff(prose.Squeeze(p.Typed()))
	w.recordCause(s, p, statements, changed)
	if outcome := outcomeOf(w.besidesCauses(statements), w.now.title); outcome != "" && !isNarration(s.Reply) {
		if w.first == "" {
			w.first = cutText(strings.TrimRight(outcome, "."), maxTitle)
		}
		done := rules().Done.MatchString(strings.ToLower(outcome))
		isOfChange := changed && (done || lastQuestion(s.Reply) == "")
		if isOfChange || done && w.work.passedIn(w.turns) {
			w.recordOutcome(outcome)
		}
	}
	w.question = lastQuestion(s.Reply)
	w.recordAnnounced(slices.DeleteFunc(statements, func(st statement) bool { return (st.kind == open || st.kind == next) && s.Elsewhere(st.text) }))
	for _, reply := range s.Said() {
		w.hasNews = w.hasNews || promisesMore(reply.Said())
	}
}

// isNarration reports whether a reply ends with what comes next, before a tool call
// of which nothing was said any more: it does not say how the turn came out.
func isNarration(reply string) bool { return strings.HasSuffix(prose.Unmark(reply), ":") }

// besidesCauses returns what a reply says without what is known as a cause,
// unless the next sentence points to it.
func (w *Session) besidesCauses(statements []statement) []statement {
	var out []statement
	for i, s := range statements {
		said := strings.TrimRight(plainText(s.text), ".")
		known := said != "" && slices.ContainsFunc(w.causes, func(cause line) bool { return strings.Contains(cause.text, said) })
		if !known || i+1 < len(statements) && prose.Leans(statements[i+1].text) {
			out = append(out, s)
		}
	}
	return out
}

// recordOutcome records how a turn came out, unless its commits say so.
func (w *Session) recordOutcome(outcome string) {
	if !coversText(keyWords(strings.Join(w.work.commits, " ")), outcome) {
		w.outcomes = append(w.outcomes, line{outcome, w.turns})
	}
}

// promisesMore reports whether a reply names a cause, leaves something open or
// announces it.
func promisesMore(reply string) bool {
	for _, s := range readStatements(reply) {
		isOpen := s.kind == open && !s.cued
		isNews := isOpen || s.kind == next || s.kind == cause
		if isNews && itemOf(s) != "" {
			return true
		}
	}
	return false
}

// settleOpen forgets what was open or next and is done now: the reply, a commit or
// the user says so, or it was asked for and something was changed.
func (w *Session) settleOpen(p prompt, statements []statement, changed bool) {
	var said []string
	for _, clause := range splitClauses(p.own) {
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
		said = append(said, w.work.message)
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
		w.open, w.next, w.postponed = withoutText(w.open, text), withoutText(w.next, text), withoutText(w.postponed, text)
	}
}

// splitClauses returns the sentences of a prompt, whether they begin with a capital
// or not.
func splitClauses(own string) []string {
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
	for i, clause := range splitClauses(own) {
		words := strings.TrimRight(strings.ToLower(clause), " .!")
		switch {
		case strings.HasSuffix(clause, "?"), prose.Attributed(clause):
		case rules().Later.MatchString(words):
			before := w.question
			if before == "" && i > 0 {
				before = splitClauses(own)[i-1]
				own = clause
			}
			if before != "" {
				w.postpone(before+" "+prose.Clip(prose.Fold(own), maxItem/2), words)
			} else if w.now.title != "" {
				w.postpone(w.now.title+": "+clause, words)
			}
		case rules().PutOff.MatchString(words):
			w.postponed = w.expectNext(w.postponed, clause)
		}
	}
}

// postpone records what the user puts off in such words. "Not now" is forgotten sooner than "tomorrow".
func (w *Session) postpone(text, words string) {
	list := &w.next
	if rules().Lasting.MatchString(words) {
		list = &w.postponed
	}
	*list = w.expectNext(*list, text)
}

// expectNext returns lines with what comes next, once.
func (w *Session) expectNext(lines []line, text string) []line {
	if text = prose.Clip(strings.TrimSpace(text), maxItem); saidIn(text, lines) {
		return lines
	}
	w.open = withoutText(w.open, text)
	w.hasNews = true
	return append(withoutText(lines, text), line{text, w.turns})
}

// recordAnnounced records what a reply says is open or comes next. A new list of what
// is open replaces the one before.
func (w *Session) recordAnnounced(statements []statement) {
	statements = besidesLists(statements)
	var left []line
	for _, s := range statements {
		switch item := itemOf(s); {
		case item == "":
		case s.kind == open && !s.cued:
			for _, part := range splitItem(item) {
				left = append(left, line{part, w.turns})
			}
		case s.kind == open && w.work.changed && !saidIn(item, w.open):
			w.open = append(w.open, line{item, w.turns})
		case s.kind == next && !saidIn(item, w.postponed) && !rules().Usage.MatchString(strings.ToLower(item)):
			w.next = w.expectNext(w.next, item)
		}
	}
	if len(left) > 0 {
		said := slices.DeleteFunc(w.open, func(l line) bool { return l.turn < w.turns })
		w.open = append(left[:min(len(left), maxItems)], said...)
	}
}

// besidesLists returns what a reply says without the sentences beside a list of what is open or next:
// they only comment on it.
func besidesLists(statements []statement) []statement {
	hasList := func(kind string) bool {
		return slices.ContainsFunc(statements, func(s statement) bool { return s.kind == kind && s.listed })
	}
	lists := map[string]bool{open: hasList(open), next: hasList(next)}
	return slices.DeleteFunc(slices.Clone(statements), func(s statement) bool { return lists[s.kind] && !s.listed && !s.cued })
}

// itemOf returns what a statement names to be done, "" for nothing.
func itemOf(s statement) string {
	text := strings.Trim(prose.ItemWords(s.text), " ;")
	switch {
	case text == "", strings.HasSuffix(text, ":"), strings.HasSuffix(text, "?"), strings.HasSuffix(text, "!"), len(keyWords(text)) == 0:
		return ""
	case rules().Empty.MatchString(strings.ToLower(text)), announcesAct(text):
		return ""
	case s.kind == next && (prose.Leans(text) || prose.Guesses(text)):
		return ""
	}
	return prose.Clip(text, maxItem)
}

// maxPart bounds the words of each of the things that a sentence lists.
const maxPart = 9

// splitItem divides what a line lists: "db02, and a restore test". What is no
// list remains whole.
func splitItem(item string) []string {
	var out []string
	for _, part := range strings.Split(rules().Between.ReplaceAllString(strings.TrimRight(item, "."), "\n$1"), "\n") {
		if part = strings.TrimSpace(part); part == "" || len(strings.Fields(part)) > maxPart || len(keyWords(part)) == 0 {
			return []string{item}
		}
		out = append(out, part)
	}
	return out
}

// firstOf returns the first statements of a kind that say something, as many
// as there is room for: sentences, and lists with the line that announces
// them, of which no item is left out without a word.
func firstOf(statements []statement, kind string, room int) string {
	out := ""
	for len(statements) > 0 {
		var text string
		if n := listLength(statements); n > 0 {
			text = listOf(statements[:n], kind, room-len(out))
			statements = statements[n:]
		} else {
			text = sentenceOf(statements[0], kind, out == "")
			statements = statements[1:]
		}
		switch {
		case text == "":
		case out == "":
			out = prose.ClipClause(text, room)
		case len(out)+len(text)+2 > room && room-len(out) < minItems:
			return out
		case len(out)+len(text)+2 > room:
			return endSentence(out) + " " + prose.ClipClause(text, room-len(out)-2)
		default:
			out = endSentence(out) + " " + text
		}
	}
	return out
}

// listLength returns how many of the first statements are a list, the line
// that announces it among them.
func listLength(statements []statement) int {
	n := 0
	if statements[0].announces {
		n++
	}
	first := n
	isOfList := func(s statement) bool { return s.listed && (first == 0 || s.kind == statements[0].kind) }
	for n < len(statements) && isOfList(statements[n]) {
		n++
	}
	if n == first {
		return 0
	}
	return n
}

// listOf returns the items of a list that are of a kind, in a row.
func listOf(list []statement, kind string, room int) string {
	announce := ""
	if list[0].announces {
		announce = plainText(list[0].text)
		switch {
		case list[0].kind != kind, prose.Effect(announce), prose.Pronominal(announce), kind == did && dialogue.Locates(announce):
			return ""
		}
		if list = list[1:]; announce != "" {
			announce += ": "
		}
	}
	var items []string
	for _, s := range list {
		if item := strings.TrimRight(plainText(s.text), ".;"); s.kind == kind && saysSomething(item) {
			items = append(items, item)
		}
	}
	if len(items) == 0 || room < minItems {
		return ""
	}
	return announce + prose.JoinItems(items, room-len(announce)-2)
}

// minItems is how much room a list takes at least, in bytes.
const minItems = 80

// sentenceOf returns a sentence of a kind, "" if it says nothing by itself or
// only what is better now. The first one must not point to what is left out.
func sentenceOf(s statement, kind string, first bool) string {
	text := plainText(s.text)
	switch {
	case s.announces && announcesCode(text, kind):
		return ""
	case s.kind != kind, isUninformative(text), prose.Effect(text):
		return ""
	case first && prose.Leans(text) && !prose.NamesCode(text):
		return ""
	}
	return text
}

// announcesCode reports whether what a sentence announced was code.
func announcesCode(text, kind string) bool {
	low := strings.ToLower(text)
	return rules().Hanging.MatchString(low) || kind == did && !rules().Done.MatchString(low)
}

// saysSomething reports whether an item of a list is worth storing: it neither asks nor is trivial.
func saysSomething(item string) bool {
	return !strings.HasSuffix(item, "?") && !prose.Trivial(item) && !prose.Effect(item)
}

// outcomeOf returns what a reply says came out: what was done about it, and
// before that the first sentence unless the title says the same.
func outcomeOf(statements []statement, title string) string {
	fix := firstOf(statements, did, maxOutcome)
	first := firstOf(statements, lead, maxOutcome)
	switch {
	case fix == "":
		return first
	case first == "", coversText(keyWords(title+" "+fix), withoutTask(first)), len(first)+len(fix) > maxOutcome:
		return fix
	}
	return endSentence(first) + " " + fix
}

// withoutTask returns a sentence without the words that say only that a task was
// done, of whatever kind it is.
func withoutTask(s string) string { return rules().Task.ReplaceAllString(strings.ToLower(s), "") }
