package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// optionTaken returns the decision for what Claude proposed before under the number or letter that the user takes.
func (s *Turn) optionTaken(r sentence.Sentence) (statements.Decision, bool) {
	by := statements.DecisionRules().ByNumber
	at := by.FindStringSubmatch(r.Bare)
	if at == nil || s.before == nil {
		return statements.Decision{}, false
	}
	d := statements.Decision{Evidence: r.Text, Rule: by.Name}
	var others []string
	for _, o := range dialogue.Options(s.before.Reply) {
		if o.Label == at[1] {
			if d.What = o.Text; !o.IsOrder() {
				d.What = "Use " + o.Text
			}
		} else {
			others = append(others, o.Text)
		}
	}
	d.Not = strings.Join(others, "; ")
	if why := prose.FindReason(r.Text); why != nil {
		d.Why = strings.TrimLeft(r.Text[why[0]:], ",:; ")
	}
	return d, d.What != ""
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
