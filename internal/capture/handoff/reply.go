package handoff

import (
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// Kinds of what a reply says.
const (
	lead    = ""      // what stands before all headings
	cause   = "cause" // why something was wrong
	problem = "problem"
	did     = "done"
	open    = "open"
	next    = "next"
	other   = "other" // tests, options, explanations
)

// A statement is a sentence of a reply, or an item of one of its lists, with
// the kind that its heading, its label or its words give it.
type statement struct {
	kind      string
	text      string
	listed    bool
	announces bool // it ended in a colon, or is a heading below another
	cued      bool // its own words gave it its kind
}

// A reader takes a reply apart, line by line.
type reader struct {
	kind    string // that the heading above gives to what follows
	level   int    // of that heading
	below   string // that a line which ends in a colon gives to its list or paragraph
	pending bool   // such a line stands right above
	ticked  bool   // a box of a list is ticked, so that it is no mere plan
	out     []statement
}

// readStatements returns what a reply says, without its code.
func readStatements(reply string) []statement {
	reply = prose.Flatten(prose.WholeLines(reply, maxRead))
	r := reader{kind: lead, ticked: strings.Contains(strings.ToLower(reply), "[x]")}
	for _, paragraph := range prose.Paragraphs(reply) {
		if r.below != "" && !r.pending && !prose.IsListed(paragraph[0]) {
			r.below = ""
		}
		for _, text := range paragraph {
			r.readLine(text)
		}
		if r.pending && len(paragraph) > 1 {
			r.pending = false
		}
	}
	return r.out
}

// readLine reads one line of a reply.
func (r *reader) readLine(text string) {
	listed := prose.IsListed(text)
	label, rest, labelled := labelOf(text)
	headsLines := labelled || isHead(text)
	switch {
	case strings.HasPrefix(text, "|"): // a row of a table
	case prose.IsDivider(text):
		r.kind, r.level, r.below = lead, 0, ""
	case strings.HasPrefix(text, "#"):
		r.readHeading(text, label, labelled)
	case headsLines && rest == "" && !listed:
		if r.pending = true; labelled {
			r.below = label
			return
		}
		if r.below = r.kind; r.kind == lead {
			r.below = other
		}
		r.announce(text)
	case labelled:
		r.readLabelled(label, rest, listed)
	case listed:
		r.readItem(text)
	default:
		kind := r.kind
		if r.below != "" {
			kind = r.below
		}
		r.pending = false
		for _, s := range prose.Whole(prose.Sentences(prose.Unmark(text))) {
			r.readSentence(kind, s)
		}
	}
}

// readHeading reads a line with the marks of a heading. One that is not known
// belongs to the one above it if that is of a higher level.
func (r *reader) readHeading(text, label string, known bool) {
	level := len(text) - len(strings.TrimLeft(text, "#"))
	r.below, r.pending = "", false
	switch {
	case known:
		r.kind, r.level = label, level
	case level > r.level && r.kind != lead:
		r.announce(text)
	default:
		r.kind, r.level = other, level
	}
}

func (r *reader) announce(text string) {
	sentences := prose.Sentences(strings.TrimRight(prose.ItemWords(text), " :"))
	for i, s := range sentences {
		if last := i == len(sentences)-1; !last {
			r.readSentence(r.kind, s)
		} else if r.kind != lead && len(strings.Fields(s)) >= minAnnouncing {
			r.out = append(r.out, statement{kind: r.kind, text: s, announces: true})
		}
	}
}

// readItem reads an item of a list.
func (r *reader) readItem(text string) {
	r.pending = false
	kind := r.kind
	switch {
	case r.below != "":
		kind = r.below
	case kind == lead:
		kind = other
	}
	switch bare := prose.WithoutMark(text); {
	case strings.HasPrefix(bare, "[ ]") && r.ticked && kind != next:
		kind = open
	case strings.HasPrefix(strings.ToLower(bare), "[x]"):
		kind = did
	}
	r.addStatement(kind, prose.ItemWords(text), true)
}

// readSentence reads a sentence, whose own words may say more than its place.
func (r *reader) readSentence(kind, text string) {
	if label, rest, ok := labelOf(text); ok && rest != "" {
		r.addStatement(label, rest, false)
		return
	}
	was := kind
	if slices.Contains([]string{lead, other, did, problem}, kind) {
		switch low := strings.ToLower(text); {
		case strings.HasSuffix(text, "?"), strings.HasPrefix(low, "if "):
		case rules().Left.MatchString(low):
			kind = open
		case rules().Ahead.MatchString(low):
			kind = next
		}
	}
	r.out = append(r.out, statement{kind: kind, text: text, cued: kind != was})
}

// readLabelled reads what a label stands before.
func (r *reader) readLabelled(kind, rest string, listed bool) {
	if kind != cause && kind != problem {
		r.addStatement(kind, rest, listed)
		return
	}
	for _, s := range prose.Sentences(rest) {
		r.addStatement(kind, s, listed)
	}
}

func (r *reader) addStatement(kind, text string, listed bool) {
	if text = strings.TrimSpace(text); text != "" {
		announces := !listed && strings.HasSuffix(text, ":")
		r.out = append(r.out, statement{kind: kind, text: strings.TrimRight(text, ":"), listed: listed, announces: announces})
		if announces {
			r.below, r.pending = kind, true
		}
	}
}

// minAnnouncing is how many words a line has at least that says something and
// announces more.
const minAnnouncing = 3

// maxLabel bounds the words of a label.
const maxLabel = 6

// labelOf divides a line into a label that is known and what it labels:
// "Still open: db02". A heading is a label without anything behind it.
func labelOf(text string) (kind, rest string, ok bool) {
	before, rest, colon := strings.Cut(prose.ItemWords(text), ":")
	heading := strings.HasPrefix(text, "#") || prose.IsHeading(text)
	if !colon && !heading || len(strings.Fields(before)) > maxLabel {
		return "", "", false
	}
	if colon && rest != "" && !strings.ContainsRune(" *", rune(rest[0])) {
		return "", "", false
	}
	words := strings.Trim(prose.LineWords(before), " *_.")
	for _, l := range rules().Label {
		if l.MatchString(words) {
			if rest = strings.TrimSpace(rest); rest != "" && l.Kind == next && rules().Lasting.MatchString(words) {
				rest = prose.ItemWords(text) // says when
			}
			return l.Kind, rest, true
		}
	}
	return "", "", false
}

// isHead reports whether a line is a heading, or ends as one does.
func isHead(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, "*"), ":") || prose.IsHeading(text)
}
