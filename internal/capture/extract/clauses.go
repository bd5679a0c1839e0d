package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/activity"
	"recollect/internal/text/prose"
)

// maxLeadWords is how many words may stand before a clause that begins with always or never:
// more tell of something.
const maxLeadWords = 6

// maxWish bounds a wish that is a whole sentence, or the end of one, in bytes.
const maxWish = 240

// wishOf returns the wish that a sentence or one of its clauses is. What follows it behind a
// semicolon and points back to it belongs to it.
func wishOf(say prose.Statement, short bool) (prose.Statement, *wish, bool) {
	parts := partsOf(say)
	for i, part := range parts {
		found, w, ok := wishOfPart(part, short)
		if !ok {
			continue
		}
		if i+1 < len(parts) && len(parts[i+1].Text) <= maxWish && pointsElsewhere(parts[i+1].Bare) {
			found.Text += "; " + parts[i+1].Text
		}
		return found, w, true
	}
	if short && len(say.Text) <= maxWish && hasWishSigns(say, false) {
		return say, byWishSigns, true
	}
	return say, nil, false
}

// wishOfPart returns the wish that a sentence without semicolons is, or one of its clauses. A
// clause that needs the rest to be understood stands for all of it.
func wishOfPart(part prose.Statement, short bool) (prose.Statement, *wish, bool) {
	whole := len(part.Text) <= maxWish
	if w, ok := wishIn(part, short); ok && whole {
		return part, w, true
	}
	if wishRules().Vague.MatchString(part.Bare) {
		return part, nil, false
	}
	for _, clause := range clausesOf(part) {
		w, ok := wishIn(clause, short)
		switch {
		case !ok:
		case whole && wishRules().Dangling.MatchString(mainClause(clause.Bare)):
			return part, w, true
		default:
			return clause, w, true
		}
	}
	return part, nil, false
}

// partsOf divides a sentence at its semicolons.
func partsOf(say prose.Statement) []prose.Statement {
	texts := strings.Split(say.Text, "; ")
	if len(texts) == 1 {
		return []prose.Statement{say}
	}
	var out []prose.Statement
	for _, text := range texts {
		if len(text) > maxWish {
			out = append(out, prose.NewStatement(text))
			continue
		}
		out = append(out, prose.Statements(text)...)
	}
	return out
}

// clausesOf returns the ends of a sentence that may be wishes by themselves: what follows a
// short lead-in with a colon, and what begins with "from now on" or "never".
func clausesOf(say prose.Statement) []prose.Statement {
	var out []prose.Statement
	lower := strings.ToLower(say.Text)
	if len(lower) != len(say.Text) {
		return nil // positions would differ
	}
	for _, joint := range wishRules().Joint {
		at := joint.FindStringSubmatchIndex(lower)
		if at == nil || joint.Short && len(strings.Fields(lower[:at[2]])) > maxLeadWords {
			continue
		}
		if clause := prose.Statements(withBounds(say.Text[at[2]:])); len(clause) == 1 {
			clause[0].Next = say.Next
			out = append(out, clause[0])
		}
	}
	return out
}

// withBounds cuts what is too long for a wish behind the last of its clauses that fits.
func withBounds(text string) string {
	if len(text) <= maxWish {
		return text
	}
	text = memory.Clip(text, maxWish)
	if at := strings.LastIndexAny(text, ",;"); at > maxWish/4 {
		return text[:at]
	}
	return text
}

// continuesWish reports a sentence that repeats the wish before it, by a pronoun.
func continuesWish(say prose.Statement) bool { return wishRules().GoesOn.MatchString(say.Bare) }

// completeWish gives a wish that does not name its subject what it answers, and one about the work
// at hand the activity of what was run.
func completeWish(m *memory.Draft, s *Turn, say prose.Statement) {
	if len(strings.Fields(say.Bare)) <= briefAnswer && s.before != nil {
		if question := lastQuestion(s.before.Reply); question != "" {
			setTitle(m, m.Title+" (asked: "+question+")")
		}
	}
	if len(activity.Of(&m.Memory)) > 0 || !wishRules().Handling.MatchString(say.Bare) {
		return
	}
	for _, turn := range []*Turn{s.before, s} {
		if done := doneIn(turn); len(done) > 0 {
			m.Tags = append(m.Tags, activity.TagPrefix+done[0])
			return
		}
	}
}

// briefAnswer is how many words a wish has that only answers a question.
const briefAnswer = 2

// lastQuestion returns the question with which a reply ends, or "".
func lastQuestion(reply string) string {
	sentences := prose.Sentences(reply)
	if len(sentences) == 0 || !strings.HasSuffix(sentences[len(sentences)-1], "?") {
		return ""
	}
	return prose.Clip(sentences[len(sentences)-1], memory.MaxTitle/2)
}

// doneIn returns the activities of the last command of a turn that has any.
func doneIn(s *Turn) []string {
	if s == nil {
		return nil
	}
	for i := len(s.Actions) - 1; i >= 0; i-- {
		if done := activity.OfCommand(s.Actions[i].Command); len(done) > 0 {
			return done
		}
	}
	return nil
}
