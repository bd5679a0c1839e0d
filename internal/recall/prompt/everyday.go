package prompt

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An everyday prompt is complete in itself: thanks, a question about the world or a language, a
// mechanical edit. No memory matters to it, whatever words they share by chance.

// mostEverydayWords is of how many words a prompt may be: longer ones are like no example, and many of them are
// pasted.
const mostEverydayWords = 60

// UnknownEveryday is the probability that a prompt is an everyday one where nothing tells.
const UnknownEveryday = 0.5

var (
	// token matches a quotation, a character of a script without spaces, a word, or a mark that ends a sentence.
	everydayToken = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|" + `[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{N}_./:-]*[\p{L}\p{N}_]|[?!]`)
	looksLikeName = regexp.MustCompile(`[a-z][A-Z]|_|/|[a-zA-Z0-9]\.[a-zA-Z]|::|^--`)
)

// What stands for all words of a kind: which file is renamed, and to what, tells nothing.
const (
	anyQuotation           = "<quoted>"
	anyName                = "<name>"
	anyNumber              = "<number>"
	promptStart, promptEnd = "<start>", "<end>"
)

// wordsAndMarks returns the words of a prompt as they are learned.
func wordsAndMarks(prompt string) []string {
	found := everydayToken.FindAllString(prompt, mostEverydayWords+1)
	for i, w := range found {
		switch {
		case w[0] == '`' || w[0] == '"':
			found[i] = anyQuotation
		case looksLikeName.MatchString(w):
			found[i] = anyName
		case '0' <= w[0] && w[0] <= '9':
			found[i] = anyNumber
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
	w := wordsAndMarks(prompt)
	if len(w) > mostEverydayWords || len(strings.Trim(strings.Join(w, ""), "?!")) == 0 {
		return nil
	}
	var grams []string
	before := promptStart
	for _, word := range w {
		grams = append(grams, word, before+" "+word)
		before = word
	}
	grams = append(grams, before+" "+promptEnd)
	if len(w) > 1 {
		grams = append(grams, promptStart+" "+w[0]+" "+w[1])
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

//go:embed everyday.tsv
var everydayTable string

// everydayWeights returns the weight of each n-gram, and the bias, by "". Nobody edits the table by hand, so it is as
// WriteEveryday of package fit wrote it.
var everydayWeights = sync.OnceValue(func() map[string]float64 {
	all := map[string]float64{}
	for line := range strings.Lines(everydayTable) {
		gram, weight, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all[gram], _ = strconv.ParseFloat(weight, 64)
	}
	return all
})

// EverydayProbability returns the probability, in [0, 1], that a prompt is an everyday one. It is a logistic
// regression over its n-grams, fitted on prompts of both kinds (package fit).
func EverydayProbability(prompt string) float64 {
	grams := Ngrams(prompt)
	if grams == nil {
		return UnknownEveryday
	}
	z := everydayWeights()[""]
	for _, gram := range grams {
		z += everydayWeights()[gram]
	}
	return 1 / (1 + math.Exp(-z))
}
