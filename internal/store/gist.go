package store

import (
	"errors"
	"io"

	"recollect/internal/memory"
)

// How readAhead hands lines on: gists are small, so a few hundred at once make
// up for what a channel costs, and some batches keep both goroutines at work.
const (
	batchLines   = 256
	batchesAhead = 8
)

// A gist is what contents takes of a line. It holds nothing of the buffer that
// the line was read into.
type gist struct {
	entry
	place       // of length 0 where the line is blank
	err   error // why the line cannot be read
	start Mark
	after Mark
	ended bool // a newline ended it
}

// gistOf reads ln as far as a scan has to, and in full where strict is set or
// the newline is missing.
func gistOf(ln rawLine, src memory.Source, strict bool) gist {
	text, off := ln.trim()
	g := gist{start: ln.start, after: ln.after, ended: ln.ended}
	switch {
	case ln.long:
		g.err = errTooLong
	case len(text) > 0:
		g.entry, g.err = parse(text, src, strict || !ln.ended)
		g.place = place{off, int32(len(text)), g.tombstone}
	}
	return g
}

// readAhead does what read does, in half of the time for a large log: a second
// goroutine reads the lines and makes gists of them, this one takes those.
func (c *contents) readAhead(lr *lineReader) error {
	ahead := make(chan []gist, batchesAhead)
	var failed error
	go func() {
		defer close(ahead)
		failed = lr.gists(c.source, c.strict, ahead)
	}()
	for gists := range ahead {
		for _, g := range gists {
			c.take(g)
		}
	}
	return failed
}

// gists sends the gists of all lines, those before an error included.
func (lr *lineReader) gists(src memory.Source, strict bool, to chan<- []gist) error {
	for {
		batch := make([]gist, 0, batchLines)
		for len(batch) < batchLines {
			ln, err := lr.next()
			if err != nil {
				to <- batch
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
			batch = append(batch, gistOf(ln, src, strict))
		}
		to <- batch
	}
}
