package store

import (
	"bytes"
	"hash/crc32"
	"io"
)

// A Mark identifies the first Bytes bytes of a log by their CRC-32C. Code that derived something from
// these bytes can check whether they are unchanged.
type Mark struct {
	Bytes int64  `json:"bytes"`
	Sum   uint32 `json:"sum"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// add returns the mark at the end of b, which begins at m.
func (m Mark) add(b []byte) Mark {
	return Mark{m.Bytes + int64(len(b)), crc32.Update(m.Sum, castagnoli, b)}
}

// byteOrderMark is what some editors on Windows write before the first line.
var byteOrderMark = []byte("\uFEFF")

const scanBuffer = 256 << 10

// A rawLine is one line of a log as it is on disk.
type rawLine struct {
	text  []byte // without its newline; valid until the next line is read
	start Mark   // where it begins
	after Mark   // where the next one begins
	long  bool   // longer than maxLine; text then holds only a part
	ended bool   // a newline ended it
}

// trim returns the line without surrounding white space, and its position in the log. A carriage return
// counts as white space.
func (ln rawLine) trim() ([]byte, int64) {
	text, off := ln.text, ln.start.Bytes
	if off == 0 {
		text = bytes.TrimPrefix(text, byteOrderMark)
	}
	text = bytes.TrimLeft(text, " \t\r")
	off += int64(len(ln.text) - len(text))
	return bytes.TrimRight(text, " \t\r"), off
}

// A lineReader divides a log into lines and computes marks on the way. It needs no more memory than
// maxLine, however long a line is.
type lineReader struct {
	r      io.Reader
	at     Mark
	buf    []byte
	lo, hi int // the unread part of buf
}

// newLineReader reads the lines of r, which begins at a mark and is about size bytes long.
func newLineReader(r io.Reader, at Mark, size int64) *lineReader {
	return &lineReader{r: r, at: at, buf: make([]byte, min(max(size, 1), scanBuffer))}
}

// next returns the next line, or io.EOF after the last one.
func (lr *lineReader) next() (rawLine, error) {
	ln := rawLine{start: lr.at}
	seen := 0
	for {
		if i := bytes.IndexByte(lr.buf[lr.lo+seen:lr.hi], '\n'); i >= 0 {
			ln.text, ln.ended = lr.take(seen + i + 1)[:seen+i], true
			break
		}
		seen = lr.hi - lr.lo
		if seen > maxLine {
			ln.long = true
			lr.take(seen)
			seen = 0
		}
		if err := lr.fill(); err == io.EOF && lr.at.Bytes+int64(seen) > ln.start.Bytes {
			ln.text = lr.take(seen)
			break
		} else if err != nil {
			return ln, err
		}
	}
	ln.after = lr.at
	ln.long = ln.long || len(ln.text) > maxLine
	return ln, nil
}

func (lr *lineReader) take(n int) []byte {
	b := lr.buf[lr.lo : lr.lo+n]
	lr.lo += n
	lr.at = lr.at.add(b)
	return b
}

// fill reads more bytes after the unread ones.
func (lr *lineReader) fill() error {
	if lr.lo > 0 {
		lr.hi = copy(lr.buf, lr.buf[lr.lo:lr.hi])
		lr.lo = 0
	}
	if lr.hi == len(lr.buf) {
		lr.buf = append(lr.buf, make([]byte, len(lr.buf))...)
	}
	n, err := lr.r.Read(lr.buf[lr.hi:])
	lr.hi += n
	if n > 0 {
		return nil
	}
	return err
}
