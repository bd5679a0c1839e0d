package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/text/prose"
)

// optionTaken returns what Claude proposed before under the number or letter that
// the user took, "" if there is none.
func (s *Turn) optionTaken(bare string) string {
	at := statements.DecisionRules().ByNumber.FindStringSubmatch(bare)
	if at == nil || s.before == nil {
		return ""
	}
	for line := range strings.Lines(s.before.Reply) {
		line = strings.TrimLeft(prose.Unmark(strings.TrimSpace(line)), "-*• (")
		for _, word := range []string{"option ", "approach ", "variant ", ""} {
			rest, ok := cutFold(line, word+at[1])
			if ok && rest != "" && strings.ContainsAny(rest[:1], ".):") {
				return prose.Clip(prose.FirstSentence(strings.TrimLeft(rest, ".):*- –—")), toolcall.MaxCommand)
			}
		}
	}
	return ""
}

// cutFold cuts a beginning off, in any case of letters.
func cutFold(s, beginning string) (string, bool) {
	if len(s) < len(beginning) || !strings.EqualFold(s[:len(beginning)], beginning) {
		return s, false
	}
	return s[len(beginning):], true
}

// places are the words for a place in a list, but for the last one.
var places = [...]string{"first", "second", "third", "fourth", "fifth"}

// itemTaken returns the item of a list that a sentence takes by its place, "" if there is none: of
// the list that the prompt quotes, or that Claude made before.
func (s *Turn) itemTaken(bare string) string {
	at := statements.DecisionRules().ByPlace.FindStringSubmatch(bare)
	if at == nil {
		return ""
	}
	items := itemsIn(s.Asked, ">")
	if len(items) == 0 && s.before != nil {
		items = itemsIn(s.before.Reply, "")
	}
	place := slices.Index(places[:], at[1])
	if place < 0 {
		place = len(items) - 1
	}
	if place < 0 || place >= len(items) {
		return ""
	}
	return prose.Clip(strings.TrimRight(prose.FirstSentence(items[place]), " .;"), toolcall.MaxCommand)
}

// itemsIn returns the items of the lists in a text, of those lines that begin with a mark.
func itemsIn(text, mark string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line, marked := strings.CutPrefix(strings.TrimSpace(line), mark)
		if line = strings.TrimSpace(line); marked && prose.IsListed(line) {
			out = append(out, prose.WithoutMark(line))
		}
	}
	return out
}
