// Package everyday tells prompts that are complete in themselves from those to which past work may
// matter: thanks, a question about the world or a language, a mechanical edit. No memory bears on
// such a prompt, whatever words they share by chance.
package everyday

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// mostWords is of how many words a prompt may be: longer ones are like no example, and many of them are
// pasted.
const mostWords = 60

// Unknown is the probability that a prompt is an everyday one where nothing tells.
const Unknown = 0.5

var (
	// token matches a quotation, a character of a script without spaces, a word, or a mark that ends a sentence.
	token = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|" + `[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{N}_./:-]*[\p{L}\p{N}_]|[?!]`)
	name  = regexp.MustCompile(`[a-z][A-Z]|_|/|[a-zA-Z0-9]\.[a-zA-Z]|::|^--`)
)

// What stands for all words of a kind: which file is renamed, and to what, tells nothing.
const (
	quoted     = "<quoted>"
	named      = "<name>"
	number     = "<number>"
	start, end = "<start>", "<end>"
)

// words returns the words of a prompt as they are learned.
func words(prompt string) []string {
	found := token.FindAllString(prompt, mostWords+1)
	for i, w := range found {
		switch {
		case w[0] == '`' || w[0] == '"':
			found[i] = quoted
		case name.MatchString(w):
			found[i] = named
		case '0' <= w[0] && w[0] <= '9':
			found[i] = number
		default:
			found[i] = strings.ToLower(w)
		}
	}
	return found
}

// Ngrams returns what the kind of a prompt is recognized by: its words, each two of them that stand
// together, and the first two as such, each once. It returns nil if there are none, or so many that the kind does not
// show.
func Ngrams(prompt string) []string {
	w := words(prompt)
	if len(w) > mostWords || len(strings.Trim(strings.Join(w, ""), "?!")) == 0 {
		return nil
	}
	var grams []string
	before := start
	for _, word := range w {
		grams = append(grams, word, before+" "+word)
		before = word
	}
	grams = append(grams, before+" "+end)
	if len(w) > 1 {
		grams = append(grams, start+" "+w[0]+" "+w[1])
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

//go:embed weights.tsv
var table string

// weights returns the weight of each n-gram, and the bias, by "". Nobody edits the table by hand, so it is as
// WriteEveryday of package fit wrote it.
var weights = sync.OnceValue(func() map[string]float64 {
	all := map[string]float64{}
	for line := range strings.Lines(table) {
		gram, weight, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all[gram], _ = strconv.ParseFloat(weight, 64)
	}
	return all
})

// Probability returns the probability, in [0, 1], that a prompt is an everyday one. It is a logistic
// regression over its n-grams, fitted on prompts of both kinds (package fit).
func Probability(prompt string) float64 {
	grams := Ngrams(prompt)
	if grams == nil {
		return Unknown
	}
	z := weights()[""]
	for _, gram := range grams {
		z += weights()[gram]
	}
	return 1 / (1 + math.Exp(-z))
}
