package store

import (
	"errors"
	"io"

	"recollect/internal/memory"
)

// readAhead passes lines on in batches. A few hundred small scannedLines outweigh the cost of a channel
// operation, and a few batches keep both goroutines busy.
const (
	batchLines   = 256
	batchesAhead = 8
)

// A scannedLine holds what contents needs of a line. It does not refer to the buffer of the line.
type scannedLine struct {
	entry
	place       // its length is 0 if the line is blank
	err   error // why the line cannot be read
	start Mark
	after Mark
	ended bool // a newline ended it
}

// scanOf parses ln as far as a scan requires, or in full if strict is set or the newline is missing. last
// is the entry of the previous line.
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

// readAhead does what read does, in half the time for a large log: a second goroutine reads and scans the
// lines while this one adds them.
func (c *contents) readAhead(lr *lineReader) error {
	ahead := make(chan []scannedLine, batchesAhead)
	used := make(chan []scannedLine, batchesAhead) // batches to fill again
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

// sendScanned sends all scanned lines, including those before an error. It reuses the batches in used.
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
