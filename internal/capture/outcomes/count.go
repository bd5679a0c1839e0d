package outcomes

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
)

// A key says which calls share a failure: those in one way, or, where the error is about a word of the
// call, those with that word.
type key struct {
	way  string // the whole way, or what stands before the word
	word string // an option, a subcommand, or the missing program
	kind toolcall.FailureKind
	sign string // of the error, where it is about nothing that the others name
}

// keyOf returns the key of a run; ok is false of one that passed.
func keyOf(r toolcall.Run) (k key, ok bool) {
	k = key{way: r.Way, word: r.Word, kind: r.Kind}
	switch {
	case r.Word == "" && r.Kind != toolcall.FailedCode:
		k.sign = signOf(r.Error)
	case r.Word == "":
	case r.Kind == toolcall.FailedSetup && strings.HasSuffix(r.Way, toolcall.InEnvironment):
		k.word, k.sign = "", signOf(r.Error)
	case r.Kind == toolcall.FailedSetup: // a program that is missing, whoever starts it
		k.way = ""
	case isOption(r.Word):
		k.way = headOf(r.Way)
	default:
		before, _, _ := strings.Cut(r.Way+" ", " "+r.Word+" ")
		k.way = before
	}
	return k, r.Failed && r.Way != ""
}

// id returns what stands for the failure where it is injected.
func (k key) id() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{k.way, k.word, k.sign}, "\x00")))
	return "fail-" + hex.EncodeToString(sum[:6])
}

// FailureOf returns the id of the failure of a run, which advice on it has too; "" for one that passed.
func FailureOf(r toolcall.Run) string {
	k, ok := keyOf(r)
	if !ok {
		return ""
	}
	return k.id()
}

// signOf returns an error without what differs from run to run.
func signOf(line string) string {
	words := strings.Fields(strings.ToLower(line))
	for i, w := range words {
		words[i] = strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return -1
			}
			return r
		}, w[strings.LastIndexByte(w, '/')+1:])
	}
	return strings.Join(words, " ")
}

// failing is what is known at once of the calls that share a failure, in whatever project.
type failing struct {
	key      key
	sessions map[string]bool // in which they failed
	last     time.Time
	covered  []bool // the ways of the log in which calls share it, as far as they were asked for
}

// covers reports which of the ways are those of calls that share the failure.
func (f *failing) covers(ways []string) []bool {
	for _, way := range ways[len(f.covered):] {
		f.covered = append(f.covered, f.key.covers(way))
	}
	return f.covered
}

// first is the word of a way by which the key is found.
func (k key) first() string {
	first, _, _ := strings.Cut(k.way, " ")
	if first == "" {
		return k.word
	}
	return first
}

// covers reports whether calls in a way share the failure.
func (k key) covers(way string) bool {
	switch {
	case k.word == "":
		return way == k.way
	case k.way == "":
		return strings.HasPrefix(strings.TrimPrefix(way, "sudo ")+" ", k.word+" ") && !strings.HasSuffix(way, toolcall.InEnvironment)
	case isOption(k.word):
		return headOf(way) == k.way && slices.Contains(strings.Fields(way), k.word)
	}
	return strings.HasPrefix(way+" ", k.way+" "+k.word+" ")
}

func isOption(word string) bool { return strings.HasPrefix(word, "-") }

// headOf returns a way without its options.
func headOf(way string) string {
	way = strings.TrimSuffix(way, toolcall.InEnvironment)
	if at := strings.Index(way, " -"); at >= 0 {
		return way[:at]
	}
	return way
}

// A count is how the calls that share a failure ended in a project.
type count struct {
	key        key
	ran        map[string]bool // sessions
	failed     map[string]bool
	lastFailed time.Time
	stands     bool   // none passed since, other than by a fix in the same session
	opens      bool   // the last session that ran it began with a failure
	error      string // the last one
	fixes      []counted
}

// A counted fix is in which sessions it was the fix.
type counted struct {
	kind     toolcall.FixedBy
	change   string // what distinguishes it from the call that failed
	way      string
	line     string // "" where it was another one each time
	last     string // the last one
	sessions map[string]bool
}

// count counts, over all sessions of a project, how the calls ended that share a failure.
func (l *Log) count(f *failing, p memory.Project) count {
	c := count{key: f.key, ran: map[string]bool{}, failed: map[string]bool{}}
	covered := f.covers(l.ways)
	last, fixed := "", ""              // sessions: the last one, and that in which successes are the fix's
	fixes := make([]bool, len(l.ways)) // the ways of the fixes met so far
	for t := range l.turnsIn(p) {
		for i, way := range t.ways {
			if fixes[way] && t.fails[i] == nil {
				fixed = t.Session
			}
			if !covered[way] {
				continue
			}
			r := &t.Runs[i]
			if last != t.Session {
				last, c.opens = t.Session, r.Failed
				c.ran[t.Session] = true
			}
			switch {
			case t.fails[i] == f:
				c.addFailure(t, r)
				if fixed = ""; r.Fix != (toolcall.Fix{}) {
					fixed, fixes[l.places[r.Fix.Way]] = t.Session, true
				}
			case !r.Failed && fixed != t.Session:
				c.stands = false
			}
		}
	}
	return c
}

func (c *count) addFailure(t *Turn, r *toolcall.Run) {
	c.failed[t.Session], c.stands, c.lastFailed = true, true, t.At
	if r.Error != "" {
		c.error = r.Error
	}
	if r.Fix == (toolcall.Fix{}) {
		return
	}
	fix := c.narrow(r.Fix)
	changed := change(r.Way, fix.Way)
	if fix.Kind == toolcall.FixedBehind {
		changed = fix.Line
	}
	i := slices.IndexFunc(c.fixes, func(o counted) bool { return o.kind == fix.Kind && o.change == changed })
	if i < 0 {
		i = len(c.fixes)
		c.fixes = append(c.fixes, counted{kind: fix.Kind, change: changed, way: fix.Way, line: fix.Line, sessions: map[string]bool{}})
	}
	f := &c.fixes[i]
	f.sessions[t.Session], f.last = true, fix.Line
	if f.line != fix.Line {
		f.line = ""
	}
}

// narrow returns a fix without what is no matter of the failure: where a program is missing, what the other one that
// passed was to do.
func (c *count) narrow(fix toolcall.Fix) toolcall.Fix {
	if c.key.way != "" || fix.Kind != toolcall.FixedInstead {
		return fix
	}
	words := strings.Fields(fix.Way)
	n := 1 + max(0, slices.Index(words, c.key.word)) // "npx vite" for "vite"
	fix.Way = strings.Join(words[:min(n, len(words))], " ")
	fix.Line = fix.Way
	return fix
}

// change says what distinguishes a way from the one that failed: the same for all that leave out the same words.
func change(failed, passed string) string {
	was, is := strings.Fields(failed), strings.Fields(passed)
	var left []string
	for _, w := range was {
		if len(is) > 0 && is[0] == w {
			is = is[1:]
		} else {
			left = append(left, w)
		}
	}
	if len(is) > 0 || len(left) == 0 {
		return passed
	}
	return without + strings.Join(left, " ")
}

// without begins a change that only leaves words out.
const without = "without "
