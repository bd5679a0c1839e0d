package prose

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory"
	"recollect/internal/rule"
)

// Bounds of what is told of a reply, in bytes.
const (
	maxTold  = 32 << 10 // of a reply that is read
	maxUnit  = 260      // of a sentence, or of a list with what announces it
	minTold  = 4        // words of a sentence that says first what came out
	minUnit  = 100      // less room than that is left empty
	maxLabel = 60       // of a heading that stands before what it is about
)

//go:embed rules/replies.toml
var replyText string

// replyRules tell what came out of a turn from what only surrounds it.
var replyRules = rule.Read[replyTables](replyText)

type replyTables struct {
	rule.Header
	Opener         rule.Set     `toml:"opener"`
	ByClaude       []*rule.Rule `toml:"by-claude"`
	Empty          rule.Set     `toml:"empty"`
	Announcing     rule.Set     `toml:"announcing"`
	SectionCause   rule.Set     `toml:"section-cause"`
	SectionResult  rule.Set     `toml:"section-result"`
	SectionCheck   rule.Set     `toml:"section-check"`
	SectionProblem rule.Set     `toml:"section-problem"`
	SectionSource  rule.Set     `toml:"section-source"`
	Settled        *rule.Rule   `toml:"settled"`
	Possible       *rule.Rule   `toml:"possible"`
	Causal         *rule.Rule   `toml:"causal"`
	Problem        *rule.Rule   `toml:"labelled-problem"`
}

// The ranks of what a reply says, what one wants to know first.
const (
	rankFirst = iota
	rankResult
	rankCause
	rankOther
	rankProblem
	rankCheck
	rankAsking
	rankNever
)

// A unit is what is told of a reply as a whole or not at all: a sentence, or a
// list with the line that announces it.
type unit struct {
	text  string
	rank  int
	begin bool // of a new line
	leans bool // on the one before, which it only points to
}

// Outcome returns what came out of a turn as its last reply says it, in at
// most room bytes: what was done and found, what was wrong; then the rest.
// Code, logs, praise, announcements and sources are left out.
func Outcome(reply string, room int) string {
	units := unitsOf(reply)
	picked := make([]bool, len(units))
	for rank := range rankNever {
		for i, u := range units {
			if u.rank != rank || u.leans && (i == 0 || !picked[i-1]) {
				continue
			}
			if len(u.text) >= room && room >= minUnit && (rank <= rankCause || !slices.Contains(picked, true)) {
				u.text = ClipWords(u.text, room-1)
				units[i] = u
			}
			if len(u.text) < room {
				picked[i] = true
				room -= len(u.text) + 1
			}
		}
	}
	return joinUnits(units, picked)
}

// joinUnits puts together what was picked, one paragraph or list a line.
func joinUnits(units []unit, picked []bool) string {
	var b strings.Builder
	begin := false
	for i, u := range units {
		if begin = begin || u.begin; !picked[i] {
			continue
		}
		switch {
		case b.Len() == 0:
		case begin:
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(u.text)
		begin = false
	}
	return b.String()
}

// A replyReader reads a reply line by line.
type replyReader struct {
	units    []unit
	rank     int    // of the section
	label    string // its heading, until something is said below it
	announce string // a line that announces what follows
	open     string // a line of prose that may go on in the next one
	items    []string
	begin    bool
}

// unitsOf reads a reply.
func unitsOf(reply string) []unit {
	reply = memory.Clip(reply, maxTold)
	r := &replyReader{rank: rankFirst}
	fence := ""
	for line := range strings.Lines(reply) {
		text := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
			r.close()
		case text == "":
			r.paragraph()
		default:
			r.line(text)
		}
	}
	r.close()
	return r.units
}

// line reads a line that is no code.
func (r *replyReader) line(text string) {
	heading, item := IsHeading(text), IsListed(text)
	bare := strings.TrimSpace(withoutSymbols(ItemWords(text)))
	first, _ := utf8.DecodeRuneInString(text)
	ticked := !item && !heading && isSymbol(first)
	switch {
	case bare == "" || IsDivider(text) || strings.HasPrefix(text, "|") || !strings.Contains(text, "`") && !strings.HasPrefix(bare, "http") && foreign(strings.TrimRight(bare, ",")):
		return
	case heading:
		r.section(strings.TrimRight(bare, ": "))
	case item && strings.HasSuffix(bare, ":") && r.announce == "" && len(bare) <= maxLabel:
		r.close()
		r.announce = bare
	case item || ticked:
		r.endLine()
		if !strings.Contains(text, "](http") {
			r.items = append(r.items, bare)
		}
	default:
		r.flush()
		if r.open != "" && (strings.ContainsAny(r.open[len(r.open)-1:], ".!?:") || strings.HasPrefix(text, "**")) {
			r.endLine()
		}
		r.open = strings.TrimSpace(r.open + " " + bare)
	}
}

// endLine ends the prose that was read.
func (r *replyReader) endLine() {
	text := r.open
	r.open = ""
	r.prose(text)
}

// paragraph ends a paragraph: a list may still follow what announces it.
func (r *replyReader) paragraph() {
	r.endLine()
	r.flush()
	r.begin = true
}

// close ends a list, and an announcement that nothing but code followed: it
// stays where it says something by itself.
func (r *replyReader) close() {
	r.endLine()
	r.flush()
	announce := strings.TrimRight(r.announce, ": ")
	r.announce = ""
	words := strings.Fields(strings.ToLower(announce))
	if n := len(words); n >= minAnnouncing && !openEnds[words[n-1]] && !strings.HasSuffix(words[n-1], "ing") {
		r.add(announce+".", false)
	}
}

// minAnnouncing is how many words an announcement has that says something
// without what it announces.
const minAnnouncing = 5

// openEnds are words after which something must follow.
var openEnds = WordSet(`from to with is as this these those following follows like example by in using here code way be are was were of for and or that into calling like steps below`)

// section begins what stands below a heading.
func (r *replyReader) section(heading string) {
	r.close()
	rules := replyRules()
	r.label, r.rank, r.begin = "", rankOther, true
	possible := rules.Possible.MatchString(heading)
	switch {
	case rules.SectionSource.MatchString(heading):
		r.rank = rankNever
	case possible:
		r.label = heading
	case rules.SectionCause.MatchString(heading):
		r.rank, r.label = rankCause, "Cause"
	case rules.Settled.MatchString(heading):
		r.rank = rankResult
	case rules.SectionCheck.MatchString(heading):
		r.rank = rankCheck
	case rules.Empty.MatchString(heading), rules.Announcing.MatchString(heading), emptied(heading):
		r.rank = rankResult
	case rules.SectionResult.MatchString(heading):
		r.rank = rankResult
	case rules.SectionProblem.MatchString(heading):
		r.rank = rankProblem
	case len(heading) <= maxLabel:
		r.label = heading
	}
}

// emptied reports a heading of which nothing is left without praise.
func emptied(heading string) bool { return tidySentence(heading) == "" }

// prose reads a line of sentences.
func (r *replyReader) prose(text string) {
	for _, sentence := range Sentences(text) {
		if strings.HasSuffix(sentence, ":") {
			r.close()
			r.announce = tidySentence(sentence)
			continue
		}
		if r.announce != "" {
			sentence, r.announce = r.announce+" "+sentence, ""
		}
		r.add(sentence, strings.HasSuffix(sentence, "?"))
	}
}

// flush ends a list.
func (r *replyReader) flush() {
	if len(r.items) == 0 {
		return
	}
	text, between := r.announce, " "
	for _, item := range inRow(r.items) {
		if text != r.announce && len(text)+len(item) > maxUnit {
			break
		}
		text += between + item
		between = "; "
	}
	said := text != r.announce
	r.items, r.announce, r.begin = nil, "", true
	if said {
		r.add(text, strings.Count(text, "?") > 1)
	}
	r.begin = true
}

// inRow returns the items of a list as they stand in a row: one that announces
// others stands before the first of them.
func inRow(items []string) []string {
	var out []string
	announce := ""
	for _, item := range items {
		item = strings.TrimRight(tidySentence(item), ".;")
		switch {
		case item == "":
		case strings.HasSuffix(item, ":"):
			announce = item + " "
		default:
			out, announce = append(out, announce+item), ""
		}
	}
	return out
}

// add records a sentence, or a list, unless it says nothing.
func (r *replyReader) add(text string, asking bool) {
	if text = tidySentence(text); text == "" || Trivial(text) {
		return
	}
	u := unit{text: ClipWords(text, maxUnit), rank: r.rank, begin: r.begin}
	u.leans = r.label == "" && Pronominal(text)
	if r.label != "" {
		u.text, r.label = r.label+": "+u.text, ""
	}
	switch {
	case asking:
		u.rank = max(u.rank, rankAsking)
	case replyRules().Causal.MatchString(text):
		u.rank = min(max(u.rank, rankResult), rankCause)
	case replyRules().Problem.MatchString(text), u.rank == rankFirst && len(strings.Fields(text)) < minTold:
		u.rank = max(u.rank, rankOther)
	}
	r.units, r.begin = append(r.units, u), false
	if r.rank == rankFirst && u.rank != rankOther {
		r.rank = rankOther
	}
}

// tidySentence returns a sentence without praise, "I've successfully" and what
// only announces; "" if nothing is left.
func tidySentence(s string) string {
	rules := replyRules()
	s = Fold(strings.ReplaceAll(withoutSymbols(s), "**", ""))
	for {
		rest := strings.TrimSpace(s[len(rules.Opener.FindString(s)):])
		if rest == s {
			break
		}
		s = rest
	}
	if s == "" || rules.Empty.MatchString(s) || rules.Announcing.MatchString(s) {
		return ""
	}
	for _, by := range rules.ByClaude {
		if m := by.FindStringSubmatchIndex(s); m != nil {
			s = s[m[2]:]
			break
		}
	}
	return capital(strings.TrimPrefix(strings.ReplaceAll(s, " successfully", ""), "Successfully "))
}

// capital begins a sentence with a capital, unless it begins with a name.
func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if s == "" || IsIdentifier(strings.Trim(word, ".,:;()'\"")) || strings.ContainsAny(word, "./_`(") && !strings.HasSuffix(word, ".") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// firstSymbol is the first of the characters that only decorate: "°" does not.
const firstSymbol = '\u2300'

func isSymbol(r rune) bool { return r >= firstSymbol && unicode.Is(unicode.So, r) }

// withoutSymbols drops emojis, ticks and the like.
func withoutSymbols(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if isSymbol(r) || r == '\uFE0F' {
			return -1
		}
		return r
	}, s))
}

// ClipWords shortens s to n bytes between two words, with an ellipsis where
// something is missing.
func ClipWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := Clip(s, n)
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = strings.TrimRight(cut[:i], " ,;:(—–-") + "…"
	}
	return cut
}
