package regular

import (
	"bufio"
	"io"
)

// A Line is one line of a stream, without its newline.
type Line struct {
	Text   []byte // valid until the next line is read; nil if TooLong
	Number int    // counted from 1
	Start  int64  // offset of the line in the stream, in bytes
	// Ended says that the line has a newline, which the last one may lack.
	Ended   bool
	TooLong bool
}

// Lines divides a stream into lines. It skips lines that are longer than a limit, without holding them in
// memory.
type Lines struct {
	r     *bufio.Reader
	limit int
	buf   []byte
	line  Line
	end   int64
}

// NewLines returns the lines of r. limit is the largest length of a line in bytes.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// Next reads the next line. After the last one it returns io.EOF.
func (l *Lines) Next() (Line, error) {
	line := Line{Number: l.line.Number + 1, Start: l.end}
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		l.end += int64(len(part))
		if line.Ended = err == nil; line.Ended {
			part = part[:len(part)-1]
		}
		if line.TooLong = line.TooLong || len(l.buf)+len(part) > l.limit; !line.TooLong {
			l.buf = append(l.buf, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || l.end == line.Start):
			return Line{}, err
		}
		if !line.TooLong {
			line.Text = l.buf
		}
		l.line = line
		return line, nil
	}
}
