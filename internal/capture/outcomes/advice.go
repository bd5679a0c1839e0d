package outcomes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// An Advice is what is said before a call that will fail as others did.
type Advice struct {
	ID         string // the same for the same failure, in the form of a memory's
	Text       string // a line of at most some 60 tokens
	At         time.Time
	Confidence float64 // that the call will fail, by how often it did
}

// Advise returns what is known of the failure of a call in a project, of which ways are those of its
// commands. ok is false where nothing is to be said: it never failed so, passed since, is in the session's
// own context, or the call has the fix already.
func (l *Log) Advise(p memory.Project, session string, ways []string) (best Advice, ok bool) {
	if l == nil {
		return best, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.failuresOf(ways) {
		c := l.count(f, p)
		fix, worth := c.assess(session, ways)
		if worth && (!ok || c.confidence() > best.Confidence) {
			best, ok = c.advice(fix, ways), true
		}
	}
	return best, ok
}

// Knows reports whether it is known how calls in one of these ways ended in a project.
func (l *Log) Knows(p memory.Project, ways []string) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, way := range ways {
		at, used := l.places[way]
		if !used {
			continue
		}
		for t := range l.turnsIn(p) {
			if slices.Contains(t.ways, at) {
				return true
			}
		}
	}
	return false
}

// maxCounted bounds the failures that are counted for one call, the last ones.
const maxCounted = 4

// failuresOf returns what failed before, and often enough, of calls like those in one of the ways.
func (l *Log) failuresOf(ways []string) []*failing {
	var found []*failing
	for _, way := range ways {
		for _, w := range strings.Fields(way) {
			for _, f := range l.failing[w] {
				often := len(f.sessions) >= enough[f.key.kind].fixed
				if often && f.key.covers(way) && !slices.Contains(found, f) {
					found = append(found, f)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b *failing) int { return b.last.Compare(a.last) })
	return found[:min(len(found), maxCounted)]
}

// enough is how many sessions have to have failed before it is said, without a known fix and with one.
var enough = map[toolcall.FailureKind]struct{ bare, fixed int }{
	toolcall.FailedUsage: {2, 1},
	toolcall.FailedSetup: {2, 1},
	toolcall.FailedOther: {never, 2}, // nothing says that the next one will
	toolcall.FailedCode:  {never, 3}, // checks fail by what they check
}

const (
	never  = math.MaxInt
	rarest = 3 // what fails in less than one session of three is not expected to
)

// assess decides whether the failure is worth saying before a call, and returns its fix, nil for none.
func (c *count) assess(session string, ways []string) (fix *counted, worth bool) {
	fix = c.bestFix()
	if c.ran[session] || !c.fails() || rarest*len(c.failed) < len(c.ran) {
		return nil, false
	}
	if fix == nil {
		return nil, len(c.failed) >= enough[c.key.kind].bare
	}
	return fix, len(c.failed) >= enough[c.key.kind].fixed && !slices.Contains(ways, fix.way)
}

// fails reports whether the calls still fail, as far as one knows. Checks of code pass in the end in every session,
// so that it is how the last session began that counts.
func (c *count) fails() bool {
	if c.key.kind == toolcall.FailedCode {
		return c.opens
	}
	return c.stands && c.error != ""
}

// bestFix returns the fix of the most sessions, if it is that of enough of those that failed: of a fifth where the
// call is wrong or something is missing, of half where what was run may be.
func (c *count) bestFix() *counted {
	var best *counted
	share := 2
	if c.key.kind == toolcall.FailedUsage || c.key.kind == toolcall.FailedSetup {
		share = 5
	}
	for i := range c.fixes {
		if best == nil || len(c.fixes[i].sessions) > len(best.sessions) {
			best = &c.fixes[i]
		}
	}
	if best == nil || share*len(best.sessions) < len(c.failed) {
		return nil
	}
	return best
}

// confidence is the share of the sessions that failed, with one more that did not.
func (c *count) confidence() float64 { return float64(len(c.failed)) / float64(len(c.ran)+1) }

// Bounds of what an advice quotes, in bytes.
const (
	maxQuote = 60
	maxError = 70
)

func (c *count) advice(fix *counted, ways []string) Advice {
	call := c.key.word
	if at := slices.IndexFunc(ways, c.key.covers); c.key.way != "" {
		call = ways[at]
	}
	text := fmt.Sprintf("`%s` failed in %s", prose.Clip(showWay(call, ""), maxQuote), sessionsOf(len(c.failed), len(c.ran)))
	if c.key.kind != toolcall.FailedCode {
		text += ` ("` + prose.Clip(strings.TrimRight(c.error, ".: "), maxError) + `")`
	}
	text += ", last " + c.lastFailed.Format(time.DateOnly)
	if fix != nil {
		text += "; " + fix.say()
	}
	return Advice{ID: c.key.id(), Text: text, At: c.lastFailed, Confidence: c.confidence()}
}

func sessionsOf(failed, ran int) string {
	if ran == 1 {
		return "the one session that ran it"
	}
	return fmt.Sprintf("%d of %d sessions", failed, ran)
}

// say puts a fix in words.
func (f *counted) say() string {
	times := fmt.Sprintf("%d times", len(f.sessions))
	if len(f.sessions) == 1 {
		times = "once"
	}
	line := f.line
	if line == "" || len(line) > maxQuote {
		line = showWay(f.way, f.last)
	}
	line = prose.Clip(line, maxQuote)
	left, leaves := strings.CutPrefix(f.change, without)
	switch {
	case f.kind == toolcall.FixedBefore:
		return "after `" + line + "` it passed " + times
	case f.kind == toolcall.FixedBehind:
		return "with `" + line + " &&` before it, it passed " + times
	case leaves:
		return "without `" + left + "` it passed " + times
	}
	return "`" + line + "` passed in its place " + times
}

// showWay returns a way as people write it: the variables that it sets first, with their values in a line.
func showWay(way, line string) string {
	var sets, rest []string
	values := strings.Fields(line)
	for _, w := range strings.Fields(strings.TrimSuffix(way, toolcall.InEnvironment)) {
		i := slices.IndexFunc(values, func(v string) bool { return strings.HasPrefix(v, w) })
		switch {
		case !strings.HasSuffix(w, "="):
			rest = append(rest, w)
		case i < 0:
			sets = append(sets, w+"…")
		default:
			sets = append(sets, values[i])
		}
	}
	return strings.Join(append(sets, rest...), " ")
}
