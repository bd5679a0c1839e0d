package secret

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/judge"
	"recollect/internal/memory/secret/keywords"
)

// The places in which a rule matches; see the package's comment.
const (
	token   = "token"
	assign  = "assign"
	near    = "near"
	at      = "at"
	around  = "around"
	line    = "line"
	flag    = "flag"
	option  = "option"
	short   = "short"
	name    = "name"
	address = "address"
	cookie  = "cookie"
	column  = "column"
	insert  = "insert"
	codes   = "codes"
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
	return prepare(slices.Concat(before, theirs, after))
}

func prepare(list []rule) *rules {
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
func (r *rules) find(s string) []span {
	found := r.byRules(s)
	found = append(found, r.judged(s, found)...)
	return append(found, alike(s, found)...)
}

// byRules returns what the rules find, as find does.
func (r *rules) byRules(s string) []span {
	in := search{text: s}
	r.words.Scan(s, func(word uint16, start, end int) {
		for _, n := range r.of[word] {
			in.at(&r.list[n], int(n), start, end)
		}
	})
	found := slices.Concat(in.found, keyBlocks(s), cards(s), ibans(s), wrappedTokens(s), answers(s), seedPhrases(s), keyRuns(s), byteLists(s), corrections(s))
	if len(found) == 0 {
		return nil
	}
	return outside(found, markers(s))
}

// judged returns what is a secret by the words around it, beside what the rules found.
func (r *rules) judged(s string, found []span) []span {
	var out []span
	for _, j := range judge.Find(s) {
		value := s[j.Start:j.End]
		known := slices.ContainsFunc(found, func(f span) bool { return f.start < j.End && j.Start < f.end })
		if !known && !noValue(value) && !reference(value) && !placeholder(value) && !misjudged(s, j.Start, j.End) {
			out = append(out, span{start: j.Start, end: j.End, kind: "likely", rank: len(r.list)})
		}
	}
	return out
}

// outside returns the spans that none of the marks touches, which are in order.
func outside(found, marked []span) []span {
	return slices.DeleteFunc(found, func(f span) bool {
		i, _ := slices.BinarySearchFunc(marked, f.start, func(m span, start int) int { return m.end - start - 1 })
		return i < len(marked) && marked[i].start < f.end
	})
}

// Bounds of what a rule reads, in bytes.
const (
	minRun    = 16   // the shortest secret that is known by its own look
	beforeKey = 256  // of a run, before the keyword
	afterKey  = 4096 // of a run, behind the keyword
	assigned  = 600  // from the name that a secret is assigned to
	nearby    = 800  // from the keyword
)

// search is the search for secrets in one text.
type search struct {
	text  string
	run   span        // the last run of characters that was looked at
	done  map[int]int // by rule: up to where it has looked
	found []span

	classes map[string]class // of the names so far
	read    int              // up to where values were read
	headed  int              // up to where headers of tables were looked for
}

// at searches for the secret of a rule around its keyword.
func (l *search) at(r *rule, rank, start, end int) {
	from, to := start, min(len(l.text), start+assigned)
	switch r.Where {
	case token:
		run := l.around(start, end)
		from, to = max(run.start-1, start-beforeKey, 0), min(run.end+1, end+afterKey, len(l.text))
		if run.end-run.start < minRun || l.alreadySearched(rank, start, to, afterKey) {
			return
		}
	case assign:
		if !assigns(l.text[end:]) {
			return
		}
	case flag:
		if f, ok := flagValue(l.text, start, end); ok {
			f.kind, f.rank = r.Kind, rank
			l.found = append(l.found, f)
		}
		return
	case name:
		l.add(r, rank, l.assignedValues(start, end)...)
		return
	case option:
		if start >= l.done[rank] {
			found, read := r.optionValues(l.text, start, end)
			l.add(r, rank, found...)
			l.looked(rank, read)
		}
		return
	case column:
		l.add(r, rank, l.columns(start)...)
		return
	case insert, codes:
		if start >= l.done[rank] {
			read := insertedValues
			if r.Where == codes {
				read = recoveryCodes
			}
			found, done := read(l.text, end)
			l.add(r, rank, found...)
			l.looked(rank, done)
		}
		return
	case short:
		l.add(r, rank, r.shortOption(l.text, start+1)...)
		return
	case address:
		l.add(r, rank, addressPassword(l.text, end))
		return
	case cookie:
		if start >= l.done[rank] {
			found, read := cookieValues(l.text, end)
			l.add(r, rank, found...)
			l.looked(rank, read)
		}
		return
	case at:
		if start < l.done[rank] {
			return
		}
		to = min(len(l.text), start+nearby)
	case line:
		from, to = lineAround(l.text, start, end)
		if l.alreadySearched(rank, from, to, to-from) {
			return
		}
	case around:
		from, to = max(0, start-beforeKey), min(len(l.text), start+nearby)
		if l.alreadySearched(rank, start, to, nearby) {
			return
		}
	case near:
		from, to = max(0, start-1), min(len(l.text), start+nearby)
		if l.alreadySearched(rank, start, to, nearby) {
			return
		}
	}
	for _, f := range r.match(l.text[from:to]) {
		f.start, f.end, f.rank = f.start+from, f.end+from, rank
		if f.end == to && r.Where == token {
			f.end = max(f.end, l.run.end) // it is longer than what was read
		}
		if r.Where == at {
			l.looked(rank, f.end)
		}
		l.found = append(l.found, f)
	}
}

// add records secrets of a rule. An empty span is none.
func (l *search) add(r *rule, rank int, found ...span) {
	for _, f := range found {
		if f.end > f.start {
			f.kind, f.rank = cmp.Or(f.kind, r.Kind), rank
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
	l.looked(rank, to)
	return false
}

// looked records up to where a rule has looked.
func (l *search) looked(rank, to int) {
	if l.done == nil {
		l.done = map[int]int{}
	}
	l.done[rank] = max(l.done[rank], to)
}

// around returns the run of characters that a keyword is part of.
func (l *search) around(start, end int) span {
	if l.run.start <= start && end <= l.run.end {
		return l.run
	}
	for start > 0 && inRun(l.text[start-1]) {
		start--
	}
	for end < len(l.text) && inRun(l.text[end]) {
		end++
	}
	l.run = span{start: start, end: end}
	return l.run
}

// inRun reports the characters that secrets, and addresses that are secret,
// are made of.
func inRun(c byte) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune("\"'`()<>[]{},;|\\", rune(c))
}

// assigns reports whether what stands behind a name may give it a value: as
// gitleaks has it, up to 20 characters of the name, three of space and quotes,
// and a sign.
func assigns(s string) bool {
	for i := range min(len(s), 24) {
		switch c := s[i]; {
		case strings.IndexByte("=:>|?,", c) >= 0:
			return true
		case !isWord(c) && strings.IndexByte(" \t.-'\"\\\n\r", c) < 0:
			return false
		}
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// match returns the secrets of a rule in s.
func (r *rule) match(s string) []span {
	p := r.compiled()
	var out []span
	for _, m := range p.is.FindAllStringSubmatchIndex(s, -1) {
		start, end := m[0], m[1]
		for g := 2 * max(1, r.Group); g < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				start, end = m[g], m[g+1]
				break
			}
		}
		if r.real(s[start:end], p.not) {
			out = append(out, span{start: start, end: end, kind: r.Kind})
		}
	}
	return out
}

// real reports whether what looks like a secret is none that stands for one.
func (r *rule) real(s string, not []*regexp.Regexp) bool {
	if placeholder(s) || r.Entropy > 0 && entropy(s) <= r.Entropy || r.isNone != nil && r.isNone(s) {
		return false
	}
	for _, n := range not {
		if n.MatchString(s) {
			return false
		}
	}
	return true
}
