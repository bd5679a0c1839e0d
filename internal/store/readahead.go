package store

import (
	"errors"
	"io"

	"recollect/internal/memory"
)

// readAhead passes lines on in batches. A scannedLine is small, so a batch of
// a few hundred outweighs the cost of a channel operation, and a few batches
// keep both goroutines busy.
const (
	batchLines   = 256
	batchesAhead = 8
)

// A scannedLine is what contents needs of a line. It does not refer to the
// buffer into which the line was read.
type scannedLine struct {
	entry
	place       // of length 0 where the line is blank
	err   error // why the line cannot be read
	start Mark
	after Mark
	ended bool // a newline ended it
}

// scanOf parses ln as far as a scan requires, and in full when strict is set
// or the newline is missing. last is the line before.
func scanOf(ln rawLine, src memory.Source, strict bool, last entry) scannedLine {
	text, off := ln.trim()
	g := scannedLine{start: ln.start, after: ln.after, ended: ln.ended}
	switch {
	case ln.long:
		g.err = errTooLong
	case len(text) > 0:
		g.entry, g.err = parse(text, src, strict || !ln.ended, last)
		g.place = place{off: off, n: int32(len(text)), dead: g.tombstone, waits: g.pending, suggested: g.candidate}
	}
	return g
}

// readAhead does the same as read in half the time for a large log: a second
// goroutine reads and scans the lines, and this one adds them.
func (c *contents) readAhead(lr *lineReader) error {
	ahead := make(chan []scannedLine, batchesAhead)
	used := make(chan []scannedLine, batchesAhead) // to be filled again
	var failed error
	go func() {
		defer close(ahead)
		failed = lr.sendScanned(c.source, c.strict, ahead, used)
	}()
	for batch := range ahead {
		for i := range batch {
			c.addLine(&batch[i])
		}
		select {
		case used <- batch[:0]:
		default:
		}
	}
	return failed
}

// sendScanned sends all scanned lines, including those before an error, in used batches while there
// are any.
func (lr *lineReader) sendScanned(src memory.Source, strict bool, to chan<- []scannedLine, used <-chan []scannedLine) error {
	var last entry
	for {
		var batch []scannedLine
		select {
		case batch = <-used:
		default:
			batch = make([]scannedLine, 0, batchLines)
		}
		for len(batch) < batchLines {
			ln, err := lr.next()
			if err != nil {
				to <- batch
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
			scanned := scanOf(ln, src, strict, last)
			last = scanned.entry
			batch = append(batch, scanned)
		}
		to <- batch
	}
}
