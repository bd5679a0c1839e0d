package secret

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/classifier"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/keywords"
	"recollect/internal/memory/secret/looks"
)

// The places in which a rule matches; see the package's comment.
const (
	inToken           = "token"
	inAssignment      = "assign"
	nearKeyword       = "near"
	atKeyword         = "at"
	aroundKeyword     = "around"
	inLine            = "line"
	behindFlag        = "flag"
	behindOption      = "option"
	behindShortOption = "short"
	behindName        = "name"
	inAddress         = "address"
	inCookie          = "cookie"
	inColumn          = "column"
	inInsert          = "insert"
	amongCodes        = "codes"
)

// A rule describes one kind of secret.
type rule struct {
	Kind     string   `json:"kind"`
	Where    string   `json:"where"`
	Keywords []string `json:"keywords"`          // one of them is near each match, in any case of letters
	Regexp   string   `json:"regexp"`            // its first group that matched is the secret, else all is
	Group    int      `json:"group,omitempty"`   // of Regexp that is the secret, where it is not the first
	Entropy  float64  `json:"entropy,omitempty"` // bits a character that a secret must exceed
	Not      []string `json:"not,omitempty"`     // regular expressions of what is not a secret
	Options  []string `json:"-"`                 // of a command
	Unless   string   `json:"-"`                 // the name in exceptions of what is no secret after all
	Takes    string   `json:"-"`                 // an example with a secret
	Refuses  string   `json:"-"`                 // an example without one

	compiled func() patterns
	isNone   func(secret string) bool // reports what is no secret after all; nil if there is no more to say
}

// patterns are the regular expressions of a rule.
type patterns struct {
	is  *regexp.Regexp
	not []*regexp.Regexp
}

//go:embed gitleaks.json
var gitleaksJSON []byte

// rules are all rules and what finds them in a text.
type rules struct {
	list  []rule
	words *keywords.Finder
	of    [][]uint16 // by word: its rules
}

func newRules() *rules {
	var theirs []rule
	if err := json.Unmarshal(gitleaksJSON, &theirs); err != nil {
		panic(err) // a test reads it
	}
	before, after := ownRules()
	return prepareRules(slices.Concat(before, theirs, after))
}

func prepareRules(list []rule) *rules {
	r := &rules{list: list}
	for i := range r.list {
		rule := &r.list[i]
		rule.compiled = sync.OnceValue(rule.compile)
	}
	var words []string
	words, r.of = uniqueWords(r.list)
	r.words = keywords.New(words)
	return r
}

// uniqueWords lists the keywords of rules, each once, and which rules each
// belongs to.
func uniqueWords(rules []rule) (words []string, of [][]uint16) {
	number := map[string]int{}
	for i := range rules {
		for _, w := range rules[i].Keywords {
			w = strings.ToLower(w)
			n, ok := number[w]
			if !ok {
				n = len(words)
				number[w] = n
				words, of = append(words, w), append(of, nil)
			}
			of[n] = append(of[n], uint16(i))
		}
	}
	return words, of
}

// compile compiles the regular expressions of a rule. It is called when the rule's keyword
// occurs for the first time, because all rules together take 10 ms.
func (r *rule) compile() patterns {
	p := patterns{is: regexp.MustCompile(r.Regexp)}
	for _, not := range r.Not {
		p.not = append(p.not, regexp.MustCompile(not))
	}
	return p
}

// find returns the secrets in s, in no order. None is within a marker.
func (r *rules) find(s string) []form.Span {
	found := r.findByRules(s)
	found = append(found, r.findLikely(s, found)...)
	return append(found, findAlike(s, found)...)
}

// findByRules returns what the rules find, as find does.
func (r *rules) findByRules(s string) []form.Span {
	in := search{text: s}
	r.words.Scan(s, func(word uint16, start, end int) {
		for _, n := range r.of[word] {
			in.searchAt(keyword{rule: &r.list[n], rank: int(n), start: start, end: end})
		}
	})
	found := slices.Concat(in.found, form.FindKeyBlocks(s), form.FindCards(s), form.FindIBANs(s), form.FindWrappedTokens(s),
		findAnswers(s), form.FindSeedPhrases(s), form.FindKeyRuns(s), form.FindByteLists(s), findCorrections(s))
	if len(found) == 0 {
		return nil
	}
	return outsideMarks(found, findMarkers(s))
}

// findLikely returns what is a secret by the words around it, beside what the rules found.
func (r *rules) findLikely(s string, found []form.Span) []form.Span {
	var out []form.Span
	for _, j := range classifier.Find(s) {
		value := s[j.Start:j.End]
		known := slices.ContainsFunc(found, func(f form.Span) bool { return f.Start < j.End && j.Start < f.End })
		if !known && !looks.IsNoValue(value) && !isMistaken(s, j.Start, j.End) {
			out = append(out, form.Span{Start: j.Start, End: j.End, Kind: "likely", Rank: len(r.list)})
		}
	}
	return out
}

// outsideMarks returns the spans that none of the marks touches, which are in order.
func outsideMarks(found, marked []form.Span) []form.Span {
	return slices.DeleteFunc(found, func(f form.Span) bool {
		i, _ := slices.BinarySearchFunc(marked, f.Start, func(m form.Span, start int) int { return m.End - start - 1 })
		return i < len(marked) && marked[i].Start < f.End
	})
}

// Bounds of what a rule reads, in bytes.
const (
	beforeKey = 256  // of a run, before the keyword
	afterKey  = 4096 // of a run, behind the keyword
	assigned  = 600  // from the name that a secret is assigned to
	nearby    = 800  // from the keyword
)

// search is the search for secrets in one text.
type search struct {
	text  string
	run   form.Span   // the last run of characters that was looked at
	done  map[int]int // by rule: up to where it has looked
	found []form.Span

	classes map[string]looks.Class // of the names so far
	read    int                    // up to where values were read
	headed  int                    // up to where headers of tables were looked for
}

// A keyword is where a keyword of a rule stands in a text.
type keyword struct {
	rule       *rule
	rank       int // of the rule
	start, end int
}

// readers read the secrets at a keyword, in the places that have a form of their own. They return
// up to where they have read, if the next keyword of the rule is not to be read before that.
var readers = map[string]func(l *search, k keyword) (found []form.Span, read int){
	behindName: func(l *search, k keyword) ([]form.Span, int) { return l.assignedValues(k.start, k.end), 0 },
	inColumn:   func(l *search, k keyword) ([]form.Span, int) { return l.readColumns(k.start), 0 },
	inAddress:  func(l *search, k keyword) ([]form.Span, int) { return []form.Span{addressPassword(l.text, k.end)}, 0 },
	inCookie:   func(l *search, k keyword) ([]form.Span, int) { return cookieValues(l.text, k.end) },
	inInsert:   func(l *search, k keyword) ([]form.Span, int) { return insertedValues(l.text, k.end) },
	amongCodes: func(l *search, k keyword) ([]form.Span, int) { return recoveryCodes(l.text, k.end) },
	behindOption: func(l *search, k keyword) ([]form.Span, int) {
		return k.rule.optionValues(l.text, k.start, k.end)
	},
	behindShortOption: func(l *search, k keyword) ([]form.Span, int) {
		return k.rule.optionAt(l.text, k.start+1), 0
	},
	behindFlag: func(l *search, k keyword) ([]form.Span, int) {
		if v, ok := flagValue(l.text, k.start, k.end); ok {
			return []form.Span{v}, 0
		}
		return nil, 0
	},
}

// searchAt searches for the secret of a rule around its keyword.
func (l *search) searchAt(k keyword) {
	if read, ok := readers[k.rule.Where]; ok {
		l.readAt(k, read)
		return
	}
	if from, to, ok := l.window(k); ok {
		l.matchWithin(k, from, to)
	}
}

// readAt records the secrets that a reader finds at a keyword.
func (l *search) readAt(k keyword, read func(*search, keyword) ([]form.Span, int)) {
	if k.start < l.done[k.rank] {
		return
	}
	found, done := read(l, k)
	l.addFound(k.rule, k.rank, found...)
	if done > 0 {
		l.recordRead(k.rank, done)
	}
}

// window returns the part of the text in which the secret of a rule may stand. It is not ok if there
// is none, or the rule has searched there before.
func (l *search) window(k keyword) (from, to int, ok bool) {
	switch k.rule.Where {
	case inToken:
		run := l.runAround(k.start, k.end)
		from, to = max(run.Start-1, k.start-beforeKey, 0), min(run.End+1, k.end+afterKey, len(l.text))
		return from, to, run.End-run.Start >= form.MinRun && !l.alreadySearched(k.rank, k.start, to, afterKey)
	case inLine:
		from, to = lineAround(l.text, k.start, k.end)
		return from, to, !l.alreadySearched(k.rank, from, to, to-from)
	case atKeyword:
		return k.start, min(len(l.text), k.start+nearby), k.start >= l.done[k.rank]
	case aroundKeyword:
		return l.windowFrom(k, beforeKey)
	case nearKeyword:
		return l.windowFrom(k, 1)
	}
	return k.start, min(len(l.text), k.start+assigned), mayAssign(l.text[k.end:])
}

// windowFrom returns the window of a rule that reads so many bytes before its keyword.
func (l *search) windowFrom(k keyword, before int) (from, to int, ok bool) {
	from, to = max(0, k.start-before), min(len(l.text), k.start+nearby)
	return from, to, !l.alreadySearched(k.rank, k.start, to, nearby)
}

// matchWithin records what the regular expression of a rule matches within a window.
func (l *search) matchWithin(k keyword, from, to int) {
	for _, f := range k.rule.findMatches(l.text[from:to]) {
		f.Start, f.End, f.Rank = f.Start+from, f.End+from, k.rank
		if f.End == to && k.rule.Where == inToken {
			f.End = max(f.End, l.run.End) // it is longer than what was read
		}
		if k.rule.Where == atKeyword {
			l.recordRead(k.rank, f.End)
		}
		l.found = append(l.found, f)
	}
}

// addFound records secrets of a rule. An empty span is none.
func (l *search) addFound(r *rule, rank int, found ...form.Span) {
	for _, f := range found {
		if f.End > f.Start {
			f.Kind, f.Rank = cmp.Or(f.Kind, r.Kind), rank
			l.found = append(l.found, f)
		}
	}
}

// lineAround returns the line that text[start:end] is in, no further than a rule
// reads around its keyword.
func lineAround(text string, start, end int) (from, to int) {
	from, to = max(0, start-assigned), min(len(text), end+assigned)
	if i := strings.LastIndexByte(text[from:start], '\n'); i >= 0 {
		from += i + 1
	}
	if i := strings.IndexByte(text[end:to], '\n'); i >= 0 {
		to = end + i
	}
	return from, to
}

// alreadySearched reports whether a rule has looked from a keyword at start up to to
// before, or half as far as it would: so that a keyword that stands there a
// thousand times does not make it look a thousand times as long. If not, it is
// taken to look now.
func (l *search) alreadySearched(rank, start, to, far int) bool {
	if done := l.done[rank]; done >= to || done-start >= far/2 {
		return true
	}
	l.recordRead(rank, to)
	return false
}

// recordRead records up to where a rule has looked.
func (l *search) recordRead(rank, to int) {
	if l.done == nil {
		l.done = map[int]int{}
	}
	l.done[rank] = max(l.done[rank], to)
}

// runAround returns the run of characters that a keyword is part of.
func (l *search) runAround(start, end int) form.Span {
	if l.run.Start <= start && end <= l.run.End {
		return l.run
	}
	for start > 0 && inRun(l.text[start-1]) {
		start--
	}
	for end < len(l.text) && inRun(l.text[end]) {
		end++
	}
	l.run = form.Span{Start: start, End: end}
	return l.run
}

// inRun reports whether c is the characters that secrets, and addresses that are secret,
// are made of.
func inRun(c byte) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune("\"'`()<>[]{},;|\\", rune(c))
}

// mayAssign reports whether what stands behind a name may give it a value: as
// gitleaks has it, up to 20 characters of the name, three of space and quotes,
// and a sign.
func mayAssign(s string) bool {
	for i := range min(len(s), 24) {
		switch c := s[i]; {
		case strings.IndexByte("=:>|?,", c) >= 0:
			return true
		case !chars.IsWord(c) && strings.IndexByte(" \t.-'\"\\\n\r", c) < 0:
			return false
		}
	}
	return false
}

// findMatches returns the secrets of a rule in s.
func (r *rule) findMatches(s string) []form.Span {
	p := r.compiled()
	var out []form.Span
	for _, m := range p.is.FindAllStringSubmatchIndex(s, -1) {
		start, end := m[0], m[1]
		for g := 2 * max(1, r.Group); g < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				start, end = m[g], m[g+1]
				break
			}
		}
		if r.isSecret(s[start:end], p.not) {
			out = append(out, form.Span{Start: start, End: end, Kind: r.Kind})
		}
	}
	return out
}

// isSecret reports whether what looks like a secret is none that stands for one.
func (r *rule) isSecret(s string, not []*regexp.Regexp) bool {
	switch {
	case looks.IsPlaceholder(s), r.Entropy > 0 && looks.EntropyOf(s) <= r.Entropy, r.isNone != nil && r.isNone(s):
		return false
	}
	for _, n := range not {
		if n.MatchString(s) {
			return false
		}
	}
	return true
}
