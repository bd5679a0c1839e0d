package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"recollect/internal/system/regular"
)

// Format is the version of the lines. It must be raised when an older recollect would misunderstand them.
const Format = 1

// maxLine is the largest length of a line in bytes. A value in a database has at most 16 MiB.
const maxLine = 64 << 20

// ErrFormat means that another version of recollect-import wrote the lines.
var ErrFormat = errors.New("recollect-import is of another version")

// ErrCut means that the lines have no end, because recollect-import died.
var ErrCut = errors.New("recollect-import ended early")

// A Line has one of these fields.
type Line struct {
	Format  int      `json:"format,omitempty"` // only in the first line
	Record  *Record  `json:"record,omitempty"`
	Message *Message `json:"message,omitempty"`
	Unread  string   `json:"unread,omitempty"` // what cannot be read, and why
	End     *End     `json:"end,omitempty"`    // only in the last line
}

// A Message is a line of a session's transcript.
type Message struct {
	Session string          `json:"session"`
	JSON    json.RawMessage `json:"json"`
}

// An End says why reading ended. Error is "" if everything was read.
type End struct {
	Error string `json:"error,omitempty"`
}

// A Writer writes lines.
type Writer struct {
	buffered *bufio.Writer
	lines    *json.Encoder
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer {
	buffered := bufio.NewWriter(w)
	out := &Writer{buffered: buffered, lines: json.NewEncoder(buffered)}
	out.lines.SetEscapeHTML(false)
	return out
}

// Begin writes the first line.
func (w *Writer) Begin() error { return w.lines.Encode(Line{Format: Format}) }

// Record writes a record, or that it cannot be read if JSON cannot hold it, such as a time in the year
// 10000.
func (w *Writer) Record(r Record) error {
	err := w.lines.Encode(Line{Record: &r})
	var unfit *json.MarshalerError
	if errors.As(err, &unfit) {
		return w.Unread(fmt.Errorf("%s/%s: %w", r.Kind, r.ID[len(r.ID)-1], err))
	}
	return err
}

// Message writes a line of a session's transcript.
func (w *Writer) Message(session string, line json.RawMessage) error {
	return w.lines.Encode(Line{Message: &Message{session, line}})
}

// Unread writes that something cannot be read, and why.
func (w *Writer) Unread(why error) error { return w.lines.Encode(Line{Unread: why.Error()}) }

// End writes the last line with the reason why reading ended, nil if everything was read.
func (w *Writer) End(why error) error {
	end := &End{}
	if why != nil {
		end.Error = why.Error()
	}
	return errors.Join(w.lines.Encode(Line{End: end}), w.buffered.Flush())
}

// Read passes each line with a record, a message or an unread record to f. It returns the error of f, or
// the one in the last line. It does not trust r.
func Read(r io.Reader, f func(Line) error) error {
	for lines := regular.NewLines(r, maxLine); ; {
		raw, err := lines.Next()
		if err == io.EOF {
			return ErrCut
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCut, err)
		}
		line, err := parse(raw)
		switch {
		case err != nil:
			return err
		case raw.Number == 1 && line.Format != Format:
			return ErrFormat
		case raw.Number == 1:
			continue
		case line.End != nil && line.End.Error != "":
			return errors.New(line.End.Error)
		case line.End != nil:
			return nil
		}
		if err := f(line); err != nil {
			return err
		}
	}
}

// parse reads a line. A line that is too long counts as unread.
func parse(raw regular.Line) (line Line, err error) {
	if raw.TooLong {
		return Line{Unread: fmt.Sprintf("a record has more than %d MiB", maxLine>>20)}, nil
	}
	if err := json.Unmarshal(raw.Text, &line); err != nil {
		return line, fmt.Errorf("%w: line %d: %w", ErrCut, raw.Number, err)
	}
	return line, nil
}
