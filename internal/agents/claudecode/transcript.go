package claudecode

import (
	"bufio"
	"fmt"
	"io"
	"time"
)

// maxLine is the largest length of a line of a transcript in bytes. Lines of some megabytes are normal,
// because they contain pictures. Longer lines are skipped and not held in memory.
const maxLine = 24 << 20

// maxSummary is the number of bytes that are kept of a compaction's summary: its beginning, which says
// what was wanted, and its end, which says what comes next.
const maxSummary = 32 << 10

// A Turn is one prompt and everything that was said and done in response.
type Turn struct {
	Session string
	ID      string // uuid of the prompt's record, or else made from session, time and prompt
	Cwd     string
	Branch  string
	Saved   bool   // it comes from a checkpoint of a program that stores sessions with commits
	Commit  string // of that checkpoint, "" if it is not known
	Agent   string // sub-agent: its type if the transcript has it, else its id
	Client  string // coding agent that wrote the transcript, "" for Claude Code
	Entry   string // program of Claude Code in which the prompt was sent: cli, claude-vscode, sdk-cli, …; "" if unknown

	Prompt   string // without reminders and editor context from the client; for a slash command its arguments
	PromptID string // by which hooks name the prompt, "" in older clients
	Command  string // slash command that began the turn: "/feature"
	Plan     string // approved plan that the turn carries out; the client then wrote the prompt
	At, End  time.Time
	Replies  []string // what Claude said, in order
	Thinking []string
	Actions  []Action // tool calls with their outcome, in order
	Tokens   int      // that the model wrote and newly read, according to the transcript; 0 if unknown
	Summary  string   // summary of the conversation so far, if a compaction came in or right after this turn; its middle is cut if long

	Start, Stop int64 // offsets in the file: start of the prompt's line, end of the last line
	Sidechain   bool  // the prompt came from Claude, for a sub-agent
	Interrupted bool  // the user stopped it
	Program     bool  // the prompt came through the SDK or "claude -p", from a program or a human
	Memo        bool  // the prompt is a memory that the user stored with "# …" in an older client
}

// An Action is one tool call. Failed means that the tool returned an error, Refused that the user or a
// rule did not permit the call.
type Action struct {
	Tool        string
	ID          string
	File        string
	Command     string
	Description string
	Input       string    // JSON; very long members are cut
	Output      string    // what the model saw; its middle is cut if long
	Said        int       // number of replies in the turn before it
	Tokens      int       // Turn.Tokens up to the call
	At, End     time.Time // of the call and of its result; zero if unknown
	Failed      bool
	Refused     bool
}

// A Scan describes how far ReadTurns has read.
type Scan struct {
	Offset  int64 // where to continue: the start of the last turn, which may still grow
	End     int64 // end of the last whole line
	Lines   int   // lines read
	Skipped int   // lines, and parts of lines, that are not records
}

// ReadTurns reads a transcript from r, which is at offset in the file: 0, or the Offset of an earlier
// Scan. It passes each turn to yield when the turn has ended or the file ends, in the order in which the
// turns began. It leaves a last line that is still being written for the next time. If r or yield fails,
// Scan.Offset says where to continue.
func ReadTurns(r io.Reader, offset int64, yield func(Turn) error) (Scan, error) {
	return readTurns(r, offset, nil, nil, yield)
}

// ReadChained reads a transcript as ReadTurns does, but leaves out the turns that were taken back.
func ReadChained(r io.Reader, offset int64, chain Chain, yield func(Turn) error) (Scan, error) {
	return readTurns(r, offset, nil, chain.Taken, yield)
}

// A Translate translates a line of another agent's transcript into lines of Claude Code. It returns false
// if the line is not one of that agent's.
type Translate func(line []byte) ([]string, bool)

// ReadTranslated reads a transcript of another agent as ReadTurns does, after translating each line. A
// nil translate leaves lines unchanged.
func ReadTranslated(r io.Reader, offset int64, translate Translate, yield func(Turn) error) (Scan, error) {
	return readTurns(r, offset, translate, nil, yield)
}

func readTurns(r io.Reader, offset int64, translate Translate, taken map[string]string, yield func(Turn) error) (Scan, error) {
	lines := lineReader{r: bufio.NewReaderSize(r, 256<<10), end: offset}
	asm := newAssembler(taken, yield)
	var scan Scan
	for {
		start := lines.end
		line, err := lines.next()
		if err == nil {
			err = scanLine(&scan, asm, translate, line, start, lines.end)
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

// scanLine counts one line and passes it to asm. A nil line is one that was too long.
func scanLine(scan *Scan, asm *assembler, translate Translate, line []byte, start, end int64) error {
	if line != nil {
		if line = trimLine(line); len(line) == 0 {
			return nil
		}
	}
	scan.Lines++
	if line == nil {
		scan.Skipped++
		return nil
	}
	parts, ok := []string(nil), true
	if translate == nil {
		all, broken := objects(line)
		scan.Skipped += broken
		for _, object := range all {
			parts = append(parts, string(object))
		}
	} else if parts, ok = translate(line); !ok {
		scan.Skipped++
	}
	for i := 0; i < len(parts); i++ {
		rec, ok := parseRecord(parts[i])
		if !ok {
			scan.Skipped++
			if behind := nextObject([]byte(parts[i])); behind != nil {
				parts = append(parts, string(behind))
			}
			continue
		}
		if err := asm.add(rec, start, end); err != nil {
			return err
		}
	}
	return nil
}

// A lineReader divides a stream into lines of any length.
type lineReader struct {
	r   *bufio.Reader
	buf []byte
	end int64 // offset of the end of the last line returned
}

// next returns the next line, or nil instead of one longer than maxLine. The line is valid until the next
// call. If a last line without a newline is a complete object, next returns it; otherwise it returns
// io.EOF and does not consume the line.
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
