package statements

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/sentence"
)

// maxLeadWords is how many words may stand before a clause that begins with always or never:
// more tell of something.
const maxLeadWords = 6

// maxWish bounds a wish that is a whole sentence, or the end of one, in bytes.
const maxWish = 240

// WishOf returns the wish that a sentence or one of its clauses is. What follows it behind a
// semicolon and points back to it belongs to it.
func WishOf(say sentence.Sentence, short bool) (sentence.Sentence, *Wish, bool) {
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
	if short && len(say.Text) <= maxWish && HasWishSigns(say, false) {
		return say, ByWishSigns, true
	}
	return say, nil, false
}

// wishOfPart returns the wish that a sentence without semicolons is, or one of its clauses. A
// clause that needs the rest to be understood stands for all of it.
func wishOfPart(part sentence.Sentence, short bool) (sentence.Sentence, *Wish, bool) {
	whole := len(part.Text) <= maxWish
	if w, ok := WishIn(part, short); ok && whole {
		return part, w, true
	}
	if WishRules().Vague.MatchString(part.Bare) {
		return part, nil, false
	}
	for _, clause := range clausesOf(part) {
		w, ok := WishIn(clause, short)
		switch {
		case !ok:
		case whole && WishRules().Dangling.MatchString(mainClause(clause.Bare)):
			return part, w, true
		default:
			return clause, w, true
		}
	}
	return part, nil, false
}

// partsOf divides a sentence at its semicolons.
func partsOf(say sentence.Sentence) []sentence.Sentence {
	texts := strings.Split(say.Text, "; ")
	if len(texts) == 1 {
		return []sentence.Sentence{say}
	}
	var out []sentence.Sentence
	for _, text := range texts {
		if len(text) > maxWish {
			out = append(out, sentence.New(text))
			continue
		}
		out = append(out, sentence.Read(text).Statements()...)
	}
	return out
}

// clausesOf returns the ends of a sentence that may be wishes by themselves: what follows a
// short lead-in with a colon, and what begins with "from now on" or "never".
func clausesOf(say sentence.Sentence) []sentence.Sentence {
	var out []sentence.Sentence
	lower := strings.ToLower(say.Text)
	if len(lower) != len(say.Text) {
		return nil // positions would differ
	}
	for _, joint := range WishRules().Joint {
		at := joint.FindStringSubmatchIndex(lower)
		if at == nil || joint.Short && len(strings.Fields(lower[:at[2]])) > maxLeadWords {
			continue
		}
		if clause := sentence.Read(withBounds(say.Text[at[2]:])).Statements(); len(clause) == 1 {
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

// ContinuesWish reports whether a sentence repeats the wish before it, by a pronoun.
func ContinuesWish(say sentence.Sentence) bool { return WishRules().GoesOn.MatchString(say.Bare) }
