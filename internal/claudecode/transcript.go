package claudecode

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/tidwall/gjson"
)

// maxLine bounds a line of a transcript. Lines of some megabytes are normal,
// they hold pictures. A longer one is passed over without being held.
const maxLine = 64 << 20

// maxSummary bounds, in bytes, what is kept of a compaction's summary: its
// beginning says what was wanted, its end what comes next.
const maxSummary = 32 << 10

// A Turn is one prompt and all that was said and done because of it.
type Turn struct {
	Session string
	ID      string // uuid of the prompt's record, else made from session, time and prompt
	Cwd     string
	Branch  string
	Agent   string // of a sub-agent: its type if the transcript tells, else its id

	Prompt   string // without reminders and editor context that the client added
	At, End  time.Time
	Replies  []string // what Claude said, in order
	Thinking []string
	Actions  []Action // tool calls with their outcome, in order
	Summary  string   // of the conversation so far, if it was compacted in this turn or right after; cut in the middle when long

	Start, Stop int64 // offsets in the file: of the prompt's line, and behind the last line
	Sidechain   bool  // the prompt came from Claude, for a sub-agent
	Interrupted bool  // the user stopped it
}

// An Action is one tool call. Failed means that the tool ran into an error,
// Refused that the user or a rule did not let it run.
type Action struct {
	Tool        string
	ID          string
	File        string
	Command     string
	Description string
	Input       string // JSON; very long members are cut
	Output      string // what the model saw, cut in the middle when long
	Failed      bool
	Refused     bool
}

// A Scan tells how far ReadTurns came.
type Scan struct {
	Offset  int64 // where to read again next time: the start of the last turn, which may still grow
	End     int64 // behind the last whole line
	Lines   int   // lines read
	Skipped int   // those of them that are no records
}

// ReadTurns reads a transcript from r, which stands at offset in the file: 0,
// or the Offset of an earlier Scan. It hands each turn to yield once it is
// over or the end is reached, in the order in which they began. A last line
// that is still being written is left for next time. When r or yield fails,
// Scan.Offset is where to go on.
func ReadTurns(r io.Reader, offset int64, yield func(Turn) error) (Scan, error) {
	lines := lineReader{r: bufio.NewReaderSize(r, 256<<10), end: offset}
	asm := newAssembler(yield)
	var scan Scan
	for {
		start := lines.end
		line, err := lines.next()
		if err == nil {
			err = scanLine(&scan, asm, line, start, lines.end)
		} else if err == io.EOF {
			scan.End, scan.Offset = lines.end, asm.offset(lines.end)
			if err = asm.finish(); err == nil {
				return scan, nil
			}
		} else {
			err = fmt.Errorf("read transcript: %w", err)
		}
		if err != nil {
			scan.End, scan.Offset = lines.end, asm.offset(start)
			return scan, err
		}
	}
}

// scanLine counts and places one line; nil stands for one that was too long.
func scanLine(scan *Scan, asm *assembler, line []byte, start, end int64) error {
	if line != nil {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return nil
		}
	}
	scan.Lines++
	if line == nil {
		scan.Skipped++
		return nil
	}
	rec, ok := parseRecord(string(line))
	if !ok {
		scan.Skipped++
		return nil
	}
	return asm.add(rec, start, end)
}

// lineReader cuts a stream into lines of any length.
type lineReader struct {
	r   *bufio.Reader
	buf []byte
	end int64 // offset behind the last line returned
}

// next returns the next line, nil in place of one longer than maxLine. The
// line is valid until the next call. A last line without its newline counts
// when it is a whole object; else it is io.EOF and not consumed.
func (l *lineReader) next() ([]byte, error) {
	l.buf = l.buf[:0]
	var size int64
	for {
		part, err := l.r.ReadSlice('\n')
		size += int64(len(part))
		if err == nil && size == int64(len(part)) {
			l.end += size
			return part, nil
		}
		if size <= maxLine {
			l.buf = append(l.buf, part...)
		} else {
			l.buf = nil
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err == nil && size > maxLine:
			l.end += size
			return nil, nil
		case err == nil, err == io.EOF && size <= maxLine && whole(l.buf):
			l.end += size
			return l.buf, nil
		default:
			return nil, err
		}
	}
}

func whole(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] == '{' && gjson.ValidBytes(line)
}
