package store

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/compactid"
)

// checkpoint is the distance in bytes between the marks that contents keeps. At most this much must be
// read to compute the mark of any position.
const checkpoint = 256 << 10

// A place is the position of the last line for an id, with the key facts of its memory.
type place struct {
	off       int64
	occurred  int64  // when it happened, in microseconds since 1970
	n         int32  // length in bytes, without the newline
	session   uint32 // number of its session, 0 for none: see sessions
	turn      uint32 // hash of its turn, see turnHash
	project   uint16 // number of the project in which it holds, 0 for every: see projects
	dead      bool   // it is a tombstone
	waits     bool   // its memory is pending
	suggested bool   // its memory is a candidate, and so pending
}

// live reports whether the memory at p is neither deleted nor pending.
func (p place) live() bool { return !p.dead && !p.waits }

// A claim says which memories one memory supersedes.
type claim struct {
	olds []string
	at   time.Time
	off  int64
}

// later reports whether c was made after d. At equal times, the later line in the log wins.
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

// contents is what the store keeps of a log in RAM: some sixty bytes for each memory. The texts stay on
// disk.
type contents struct {
	source memory.Source
	strict bool // every line was parsed in full

	at        compactid.Map[place] // every id, live or deleted
	sessions  sessions             // sessions of the memories
	projects  projects             // projects of the memories
	agents    map[string]string    // sub-agents, by the id of the memory that they made
	foreign   map[string]bool      // ids whose prefix is not that of the source
	claims    map[string]claim     // claims, by the superseding memory
	claimants map[string][]string  // ids of superseding memories, by the superseded one
	flaws     []flaw

	end          Mark
	sums         []Mark
	newlines     int
	unterminated bool  // the last line counts but lacks its newline
	torn         int64 // bytes after end that are not a whole line

	clock     uint64 // the largest valid clock of any line, see memory.Stamp
	live      int
	waiting   int   // memories that are pending
	kept      int64 // bytes that would remain after a compaction
	forgotten int   // deleted memories whose text is still in the log
}

func newContents(src memory.Source, strict bool) *contents {
	return &contents{
		source: src, strict: strict,
		agents: map[string]string{}, foreign: map[string]bool{},
		sessions: sessions{numbers: map[string]uint32{}}, projects: projects{numbers: map[memory.Project]uint16{}},
		claims: map[string]claim{}, claimants: map[string][]string{},
	}
}

func (c *contents) read(lr *lineReader) error {
	for {
		ln, err := lr.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		scanned := scanOf(ln, c.source, c.strict, entry{})
		c.addLine(&scanned)
	}
}

// addLine adds one line. A last line without a newline counts if it can be read in full; otherwise it is
// the torn tail.
func (c *contents) addLine(ln *scannedLine) {
	size := ln.after.Bytes - ln.start.Bytes
	if ln.err != nil && !ln.ended {
		c.torn = size
		return
	}
	if ln.err != nil {
		c.addFlaw(ln, ln.err.Error(), size-1)
	} else if ln.n > 0 {
		c.add(ln)
	}
	c.advance(ln)
}

// advance moves the end of the contents to the end of ln.
func (c *contents) advance(ln *scannedLine) {
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

// addFlaw records a problem with ln. A compaction must retain n bytes of it only because of the problem.
func (c *contents) addFlaw(ln *scannedLine, reason string, n int64) {
	p := Problem{File: logName(c.source), Line: c.newlines + 1, Reason: reason}
	c.flaws = append(c.flaws, flaw{p, ln.start.Bytes, n})
	if n > 0 {
		c.kept += n + 1
	}
}

// add makes ln the current line for its id.
func (c *contents) add(ln *scannedLine) {
	if ln.stated != "" {
		c.addFlaw(ln, fmt.Sprintf("source %q: taken as %s, in whose log it lies", ln.stated, c.source), 0)
	}
	id, p := ln.id, ln.place
	c.clock = max(c.clock, memory.Stamp{Clock: ln.clock}.Counted())
	old, had := c.at.Get(id)
	if !p.dead {
		p.occurred, p.turn = ln.entry.occurred, ln.entry.turn
		p.session, p.project = c.sessions.number(ln.entry.session), c.projects.put(ln.entry.project)
	}
	c.sessions.add(p.session, c.at.Set(id, p), old)
	if ln.agent != "" && !p.dead {
		c.agents[id] = ln.agent
	} else if had {
		delete(c.agents, id)
	}
	c.kept += int64(p.n) + 1
	if had {
		c.kept -= int64(old.n) + 1
		c.unclaim(id)
	} else if !strings.HasPrefix(id, c.source.Prefix()) {
		c.foreign[id] = true
	}
	if had && old.live() {
		c.live--
	}
	if p.live() {
		c.live++
	}
	if had && old.waits {
		c.waiting--
	}
	if p.waits {
		c.waiting++
	}
	lived := had && !old.dead && !ln.reached
	if p.dead && (lived || ln.holdsText) {
		c.forgotten++
	}
	olds := ln.supersedes
	if c.source == memory.Handoffs { // older versions let a handoff replace the one before; now each session's counts
		olds = slices.DeleteFunc(slices.Clone(olds), func(old string) bool { return strings.HasPrefix(old, memory.Handoffs.Prefix()) })
	}
	if len(olds) > 0 && p.live() {
		c.claim(id, claim{olds, ln.recorded, p.off})
	}
}

// claim records which memories the memory with this id supersedes.
func (c *contents) claim(id string, made claim) {
	c.claims[id] = made
	for _, old := range made.olds {
		c.claimants[old] = append(c.claimants[old], id)
	}
}

func (c *contents) unclaim(id string) {
	for _, old := range c.claims[id].olds {
		c.claimants[old] = slices.DeleteFunc(c.claimants[old], func(s string) bool { return s == id })
	}
	delete(c.claims, id)
}

// order lists the ids whose places chosen accepts, in log order.
func (c *contents) order(chosen func(place) bool) []string {
	type spot struct {
		id  string
		off int64
	}
	spots := make([]spot, 0, c.live)
	for id, p := range c.at.All() {
		if chosen(p) {
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
