package prose

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory"
	"recollect/internal/text/rule"
)

// Bounds of what is kept of a reply, in bytes.
const (
	maxTold  = 32 << 10 // of a reply that is read
	maxUnit  = 260      // of a sentence
	maxList  = 420      // of a list with what announces it
	forCause = 190      // that what was done leaves to why it was needed
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
	Effect         rule.Set     `toml:"effect"`
	Leaning        rule.Set     `toml:"leaning"`
	TaskDone       *rule.Rule   `toml:"task-done"`
	Task           *rule.Rule   `toml:"task-word"`
	Problem        *rule.Rule   `toml:"labelled-problem"`
	Failing        *rule.Rule   `toml:"failing"`
	Explaining     *rule.Rule   `toml:"explaining"`
	BecauseLead    *rule.Rule   `toml:"because-lead"`
	Talking        rule.Set     `toml:"talking"`
	Guessing       rule.Set     `toml:"guessing"`
	Deciding       rule.Set     `toml:"deciding"`
	Wanting        rule.Set     `toml:"wanting"`
	Acted          *rule.Rule   `toml:"acted"`
	Being          *rule.Rule   `toml:"being"`
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

// A unit is what is kept of a reply as a whole or not at all: a sentence, or a
// list with the line that announces it.
type unit struct {
	text     string
	announce string   // what its list begins with
	items    []string // of its list
	rank     int
	cause    bool // stands below a heading that says so
	begin    bool // of a new line
	leans    bool // on the one before, which it only points to
}

// Outcome returns what came out of a turn as its last reply says it, in at
// most room bytes: what was done and found, what was wrong; then the rest.
// Code, logs, praise, announcements and sources are left out, and that what
// title says is done.
func Outcome(reply, title string, room int) string {
	units := unitsOf(reply)
	for i, u := range units {
		if u.rank == rankFirst && replyRules().TaskDone.MatchString(u.text) && repeatsTitle(u.text, title) {
			units[i].rank = rankCheck
		}
	}
	picked := make([]bool, len(units))
	reserved := 0 // for the cause
	for _, u := range units {
		if u.rank == rankCause {
			reserved = min(forCause, reserved+len(u.text)+1)
		}
	}
	spare := room / 6 // for what was done and found alone
	for rank := range rankNever {
		switch rank {
		case rankFirst:
			room -= reserved
		case rankCause:
			room += reserved
		case rankOther:
			room -= spare
		}
		for i, u := range units {
			isAlone := u.leans && (i == 0 || !picked[i-1])
			if u.rank != rank || isAlone {
				continue
			}
			isNeeded := rank <= rankCause || !slices.Contains(picked, true)
			if isNeeded && len(u.text) >= room && room >= minUnit {
				u.text = u.fit(room - 1)
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

// repeatsTitle reports whether the words of a sentence that say something are, but
// for one in three, in a title too.
func repeatsTitle(sentence, title string) bool {
	title = strings.ToLower(title)
	n, known := 0, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(sentence), NotInName) {
		isEmpty := Fillers[word] || Pronouns[word] || len(word) < 3
		if isEmpty || replyRules().Task.MatchString(word) {
			continue
		}
		if n++; strings.Contains(title, word) {
			known++
		}
	}
	return known*3 >= n*2
}

// fit returns the text of a unit in at most so many bytes.
func (u *unit) fit(room int) string {
	if room -= len(u.announce); len(u.items) > 1 && room >= minUnit {
		return ClipClause(u.announce+JoinItems(u.items, room), room+len(u.announce))
	}
	return ClipClause(u.text, room+len(u.announce))
}

// joinUnits puts together what was picked, one paragraph or list a line: what
// came out first, and its cause after it.
func joinUnits(units []unit, picked []bool) string {
	var chosen []unit
	begin := false
	for i, u := range units {
		if begin = begin || u.begin; picked[i] {
			u.begin, begin = begin, false
			chosen = append(chosen, u)
		}
	}
	slices.SortStableFunc(chosen, func(a, b unit) int { return cmp.Compare(a.place(), b.place()) })
	var b strings.Builder
	for i, u := range chosen {
		switch {
		case i == 0:
		case u.begin || u.cause != chosen[i-1].cause:
			b.WriteByte('\n')
		case strings.HasSuffix(b.String(), "`"):
			b.WriteString(". ")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(u.text)
	}
	return b.String()
}

func (u *unit) place() int {
	if u.cause {
		return 1
	}
	return 0
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
	reply = Flatten(memory.Clip(reply, maxTold))
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
			r.closeUnit()
		case text == "":
			r.readParagraph()
		default:
			r.readLine(text)
		}
	}
	r.closeUnit()
	return r.units
}

// readLine reads a line that is no code.
func (r *replyReader) readLine(text string) {
	heading, item := IsHeading(text), IsListed(text)
	bare := strings.TrimSpace(withoutSymbols(ItemWords(text)))
	first, _ := utf8.DecodeRuneInString(text)
	ticked := !item && !heading && isSymbol(first)
	switch {
	case bare == "", IsDivider(text), strings.HasPrefix(text, "|"), !mayBeForeign(text, bare) && isForeign(strings.TrimRight(bare, ",")):
		return
	case heading:
		r.section(strings.TrimRight(bare, ": "))
	case item && r.announce == "" && isItemLabel(bare):
		r.closeUnit()
		r.announce = bare
	case item || ticked:
		r.endLine()
		if !strings.Contains(text, "](http") {
			r.items = append(r.items, bare)
		}
	default:
		r.flush()
		if label, rest := splitLabel(text); label != "" {
			r.section(label)
			bare = rest
		}
		if bare == "" {
			return
		}
		if r.open != "" && (endsParagraph(r.open, bare) || strings.HasPrefix(text, "**")) {
			r.endLine()
		}
		r.open = strings.TrimSpace(r.open + " " + bare)
	}
}

// endsParagraph reports whether a line of prose does not go on in the next one.
func endsParagraph(line, next string) bool {
	first, _ := utf8.DecodeRuneInString(next)
	return strings.ContainsAny(line[len(line)-1:], ".!?:") || strings.HasSuffix(line, "`") && unicode.IsUpper(first)
}

// endLine ends the prose that was read.
func (r *replyReader) endLine() {
	text := r.open
	r.open = ""
	r.addProse(text)
}

// readParagraph ends a paragraph: a list may still follow what announces it.
func (r *replyReader) readParagraph() {
	r.endLine()
	r.flush()
	r.begin = true
}

// closeUnit ends a list, and an announcement that nothing but code followed: it
// stays where it says something by itself.
func (r *replyReader) closeUnit() {
	r.endLine()
	r.flush()
	announce := strings.TrimRight(r.announce, ": ")
	r.announce = ""
	if len(strings.Fields(announce)) >= minAnnouncing && !isOpenEnded(announce) {
		r.add(announce+".", false)
	}
}

// minAnnouncing is how many words an announcement has that says something
// without what it announces.
const minAnnouncing = 5

// isOpenEnded reports whether something must follow a text.
func isOpenEnded(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	n := len(words)
	if n < 2 {
		return true
	}
	last, before := words[n-1], words[n-2]
	if openEnds[last] {
		return true
	}
	return strings.HasSuffix(last, "ing") && (openEnds[before] || strings.HasSuffix(before, ","))
}

// openEnds are words after which something must follow.
var openEnds = WordSet(`from to with is as this these those following follows like example by in using here code way be are was were of for and or that into calling like steps below use see where has had when if how`)

// section begins what stands below a heading.
func (r *replyReader) section(heading string) {
	r.closeUnit()
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
	case rules.SectionResult.MatchString(heading):
		r.rank = rankResult
	case rules.SectionProblem.MatchString(heading):
		r.rank = rankProblem
	case rules.Empty.MatchString(heading), rules.Announcing.MatchString(heading), emptyLine(heading):
		r.rank = rankResult
	case len(heading) <= maxLabel:
		r.label = heading
	}
}

// splitLabel divides a line that begins with the heading of what it says: "Fix:
// the lock is taken first". The label is "" for any other line.
func splitLabel(text string) (label, rest string) {
	label, rest, ok := strings.Cut(Unmark(text), ":")
	isLabel := ok && len(strings.Fields(label)) <= maxLabelWords && sectionKind(label) != nil
	if !isLabel || rest != "" && rest[0] != ' ' {
		return "", ""
	}
	return label, strings.TrimSpace(rest)
}

// sectionKind returns the rules that know a heading, nil if none does.
func sectionKind(heading string) *rule.Set {
	rules := replyRules()
	for _, set := range []*rule.Set{&rules.SectionCause, &rules.SectionResult, &rules.SectionCheck, &rules.SectionProblem, &rules.SectionSource} {
		if set.MatchString(heading) {
			return set
		}
	}
	return nil
}

// maxLabelWords bounds the heading that stands in one line with what it is of.
const maxLabelWords = 3

// emptyLine reports whether heading is a heading of which nothing is left without praise.
func emptyLine(heading string) bool { return Tidy(heading) == "" }

// addProse reads a line of sentences.
func (r *replyReader) addProse(text string) {
	for _, sentence := range Sentences(text) {
		if strings.HasSuffix(sentence, ":") {
			r.closeUnit()
			r.announce = Tidy(sentence)
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
	items, announce := inRow(r.items), r.announce
	r.items, r.announce, r.begin = nil, "", true
	if announce != "" {
		announce += " "
	}
	if len(items) > 0 {
		u := unit{text: announce + JoinItems(items, maxList-len(announce)), announce: announce, items: items}
		r.putUnit(u, strings.Count(u.text, "?") > 1)
	}
	r.begin = true
}

// inRow returns the items of a list as they stand in a row: one that announces
// others stands before the first of them.
func inRow(items []string) []string {
	var out []string
	announce := ""
	for _, item := range items {
		item = strings.TrimRight(Tidy(item), ".;")
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

// add records a sentence, unless it says nothing.
func (r *replyReader) add(text string, asking bool) {
	r.putUnit(unit{text: ClipClause(Tidy(text), maxUnit)}, asking)
}

// putUnit records a unit, unless it says nothing.
func (r *replyReader) putUnit(u unit, asking bool) {
	text := u.text
	if Tidy(text) == "" || Trivial(text) || isPath(text) {
		return
	}
	u.rank, u.cause, u.begin, u.leans = r.rank, r.rank == rankCause, r.begin, r.label == "" && Leans(text)
	if r.label != "" {
		u.text, u.announce, r.label = r.label+": "+u.text, r.label+": "+u.announce, ""
	}
	switch {
	case asking:
		u.rank = max(u.rank, rankAsking)
	case Effect(text):
		u.rank = max(u.rank, rankCheck)
	case replyRules().Causal.MatchString(text):
		u.rank = min(max(u.rank, rankResult), rankCause)
	case !u.cause && replyRules().Problem.MatchString(text), u.rank == rankFirst && len(strings.Fields(text)) < minTold:
		u.rank = max(u.rank, rankOther)
	}
	r.units, r.begin = append(r.units, u), false
	if r.rank == rankFirst && u.rank != rankOther {
		r.rank = rankOther
	}
}

// mayBeForeign reports whether a line may be in characters of code or an address without being code.
func mayBeForeign(text, bare string) bool {
	return strings.Contains(text, "`") || strings.HasPrefix(bare, "http")
}

// isItemLabel reports whether an item of a list is the label of what follows.
func isItemLabel(bare string) bool { return strings.HasSuffix(bare, ":") && len(bare) <= maxLabel }
