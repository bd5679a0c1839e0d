package store

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// checkpoint is how far apart the marks lie that contents remembers. From one
// of them on the mark of any place is a read of at most this size away.
const checkpoint = 256 << 10

// A place is where the last line for an id lies.
type place struct {
	off  int64
	n    int32 // length, newline left out
	dead bool  // it is a tombstone
}

// A claim is what one memory says of those that it supersedes.
type claim struct {
	olds []string
	at   time.Time
	off  int64
}

// later reports whether c was made after d. Within a log the position decides
// where the clock does not.
func (c claim) later(d claim) bool {
	if !c.at.Equal(d.at) {
		return c.at.After(d.at)
	}
	return c.off > d.off
}

// A flaw is a Problem and the bytes that it concerns.
type flaw struct {
	Problem
	off, n int64
}

// contents is what a log says, as far as it is kept in memory: about a
// hundred bytes a memory. The texts stay on disk.
type contents struct {
	source memory.Source
	strict bool // every line was parsed in full

	at        map[string]place    // every id, live or deleted
	foreign   map[string]bool     // those whose prefix is not that of the source
	claims    map[string]claim    // by the memory that makes it
	claimants map[string][]string // by the memory that is superseded
	flaws     []flaw

	end          Mark
	sums         []Mark
	newlines     int
	unterminated bool  // the last line counts but lacks its newline
	torn         int64 // bytes behind end that are no whole line

	live      int
	kept      int64 // bytes that a compaction would keep
	forgotten int   // deleted memories whose words are still there
}

func newContents(src memory.Source, strict bool) *contents {
	return &contents{
		source: src, strict: strict,
		at: map[string]place{}, foreign: map[string]bool{},
		claims: map[string]claim{}, claimants: map[string][]string{},
	}
}

// read takes all lines of lr, which begins where c ends.
func (c *contents) read(lr *lineReader) error {
	for {
		ln, err := lr.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c.take(gistOf(ln, c.source, c.strict))
	}
}

// take adds one line. Only the last one can lack its newline: it counts if it
// can be read in full, and else it is the torn tail.
func (c *contents) take(ln gist) {
	size := ln.after.Bytes - ln.start.Bytes
	if ln.err != nil && !ln.ended {
		c.torn = size
		return
	}
	if ln.err != nil {
		c.flawed(ln, ln.err.Error(), size-1)
	} else if ln.n > 0 {
		c.add(ln)
	}
	c.pass(ln)
}

// pass moves the end behind ln.
func (c *contents) pass(ln gist) {
	c.end, c.unterminated = ln.after, !ln.ended
	if ln.ended {
		c.newlines++
	}
	last := Mark{}
	if len(c.sums) > 0 {
		last = c.sums[len(c.sums)-1]
	}
	if ln.ended && c.end.Bytes-last.Bytes >= checkpoint {
		c.sums = append(c.sums, c.end)
	}
}

// flawed reports ln. n is how much of it has to be kept for that alone.
func (c *contents) flawed(ln gist, reason string, n int64) {
	p := Problem{File: logName(c.source), Line: c.newlines + 1, Reason: reason}
	c.flaws = append(c.flaws, flaw{p, ln.start.Bytes, n})
	if n > 0 {
		c.kept += n + 1
	}
}

// add makes ln the last word on its id.
func (c *contents) add(ln gist) {
	if ln.stated != "" {
		c.flawed(ln, fmt.Sprintf("source %q: taken as %s, in whose log it lies", ln.stated, c.source), 0)
	}
	id, p := ln.id, ln.place
	old, had := c.at[id]
	c.at[id] = p
	c.kept += int64(p.n) + 1
	if had {
		c.kept -= int64(old.n) + 1
		c.unclaim(id)
	} else if !strings.HasPrefix(id, c.source.Prefix()) {
		c.foreign[id] = true
	}
	wasLive := had && !old.dead
	c.count(wasLive, !p.dead)
	if p.dead && (wasLive || ln.wordy) {
		c.forgotten++
	}
	if len(ln.supersedes) > 0 && !p.dead {
		c.claim(id, claim{ln.supersedes, ln.recorded, p.off})
	}
}

func (c *contents) count(was, is bool) {
	if was {
		c.live--
	}
	if is {
		c.live++
	}
}

func (c *contents) claim(id string, cl claim) {
	c.claims[id] = cl
	for _, old := range cl.olds {
		c.claimants[old] = append(c.claimants[old], id)
	}
}

func (c *contents) unclaim(id string) {
	if len(c.claims) == 0 {
		return
	}
	for _, old := range c.claims[id].olds {
		c.claimants[old] = slices.DeleteFunc(c.claimants[old], func(s string) bool { return s == id })
	}
	delete(c.claims, id)
}

// order lists the live ids by their position in the log.
func (c *contents) order() []string {
	type spot struct {
		id  string
		off int64
	}
	spots := make([]spot, 0, c.live)
	for id, p := range c.at {
		if !p.dead {
			spots = append(spots, spot{id, p.off})
		}
	}
	slices.SortFunc(spots, func(a, b spot) int { return int(a.off - b.off) })
	ids := make([]string, len(spots))
	for i, s := range spots {
		ids[i] = s.id
	}
	return ids
}
