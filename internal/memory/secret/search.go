package secret

import (
	"cmp"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

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
	"name":    func(l *search, k keyword) ([]form.Span, int) { return l.assignedValues(k.start, k.end), 0 },
	"column":  func(l *search, k keyword) ([]form.Span, int) { return l.readColumns(k.start), 0 },
	"short":   func(l *search, k keyword) ([]form.Span, int) { return k.rule.optionAt(l.text, k.start+1), 0 },
	"option":  func(l *search, k keyword) ([]form.Span, int) { return k.rule.optionValues(l.text, k.end) },
	"address": func(l *search, k keyword) ([]form.Span, int) { return addressPassword(l.text, k.end), 0 },
	"cookie":  func(l *search, k keyword) ([]form.Span, int) { return cookieValues(l.text, k.end) },
	"insert":  func(l *search, k keyword) ([]form.Span, int) { return insertedValues(l.text, k.end) },
	"codes":   func(l *search, k keyword) ([]form.Span, int) { return recoveryCodes(l.text, k.end) },
}

// windows are the other places: the part of the text in which the regular expression of a rule may match. They
// are not ok if there is none, or the rule has searched there before.
var windows = map[string]func(l *search, k keyword) (from, to int, ok bool){
	"token": func(l *search, k keyword) (from, to int, ok bool) {
		run := l.runAround(k.start, k.end)
		from, to = max(run.Start-1, k.start-beforeKey, 0), min(run.End+1, k.end+afterKey, len(l.text))
		return from, to, run.End-run.Start >= form.MinRun && !l.alreadySearched(k.rank, k.start, to, afterKey)
	},
	"line": func(l *search, k keyword) (from, to int, ok bool) {
		from, to = lineAround(l.text, k.start, k.end)
		return from, to, !l.alreadySearched(k.rank, from, to, to-from)
	},
	"assign": func(l *search, k keyword) (from, to int, ok bool) {
		return k.start, min(len(l.text), k.start+assigned), mayAssign(l.text[k.end:])
	},
	"at": func(l *search, k keyword) (from, to int, ok bool) {
		return k.start, min(len(l.text), k.start+nearby), k.start >= l.done[k.rank]
	},
	"near":   func(l *search, k keyword) (from, to int, ok bool) { return l.windowFrom(k, 1) },
	"around": func(l *search, k keyword) (from, to int, ok bool) { return l.windowFrom(k, beforeKey) },
}

// searchAt searches for the secrets of a rule around its keyword.
func (l *search) searchAt(k keyword) {
	if window, ok := windows[k.rule.Where]; ok {
		if from, to, ok := window(l, k); ok {
			l.matchWithin(k, from, to)
		}
		return
	}
	if k.start < l.done[k.rank] {
		return
	}
	found, read := readers[k.rule.Where](l, k)
	for _, f := range found {
		f.Kind, f.Rank = cmp.Or(f.Kind, k.rule.Kind), k.rank
		l.found = append(l.found, f)
	}
	if read > 0 {
		l.recordRead(k.rank, read)
	}
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
		switch {
		case k.rule.Where == "at":
			l.recordRead(k.rank, f.End)
		case k.rule.Where == "token" && f.End == to:
			f.End = max(f.End, l.run.End) // it is longer than what was read
		}
		l.found = append(l.found, f)
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
