package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"recollect/internal/system/regular"
)

const (
	// maxRecord is the most that one memory of an export may take, in bytes:
	// some times what the largest takes in a log, for a formatter's white space.
	maxRecord = 4 << 20
	// sniffed is how many lines are looked at to say what a file is.
	sniffed = 100
)

// errNoValue is returned in place of a line that has no value; the next one may.
var errNoValue = errors.New("no JSON value")

// values divides an export into JSON values. One is on each line, unless a
// formatter wrote the file: then they are in a list, or take several lines.
type values struct {
	lines *regular.Lines // nil where a formatter wrote the file
	line  int            // number of the last one

	json *json.Decoder     // nil for lines
	room *io.LimitedReader // what json may read for the next value
	list bool
}

func newValues(f *os.File) (*values, error) {
	content, err := regular.From(f, 0)
	if err != nil {
		return nil, err
	}
	mark := make([]byte, len(byteOrderMark))
	if n, _ := content.ReadAt(mark, 0); string(mark[:n]) == byteOrderMark {
		content = io.NewSectionReader(f, int64(n), content.Size()-int64(n))
	}
	formatted, list, err := formattedAs(io.LimitReader(content, maxRecord))
	if err != nil {
		return nil, err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if !formatted {
		return &values{lines: regular.NewLines(content, maxRecord)}, nil
	}
	v := &values{room: &io.LimitedReader{R: content, N: maxRecord}, list: list}
	v.json = json.NewDecoder(v.room)
	if list {
		_, err = v.json.Token() // the bracket
	}
	return v, err
}

// byteOrderMark is what some editors begin a file with.
const byteOrderMark = "\ufeff"

// formattedAs reports from the beginning of a file whether a formatter wrote it,
// and whether its values are in a list: no line is an object of its own then.
func formattedAs(r io.Reader) (formatted, list bool, err error) {
	lines := regular.NewLines(r, maxRecord)
	for n := 0; n < sniffed; {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, false, err
		}
		text := bytes.TrimSpace(line.Text)
		if len(text) == 0 {
			continue
		}
		if n++; n == 1 {
			formatted, list = text[0] == '{' || text[0] == '[', text[0] == '['
		}
		if !formatted || list {
			break
		}
		if text[0] == '{' && json.Valid(text) {
			return false, false, nil
		}
	}
	return formatted, list, nil
}

// next returns the next value, which is valid until the one after it is read.
// At the end the error is io.EOF.
func (v *values) next() ([]byte, error) {
	if v.json != nil {
		return v.nextFormatted()
	}
	for {
		line, err := v.lines.Next()
		if err != nil {
			return nil, err
		}
		v.line = line.Number
		text := bytes.TrimSpace(line.Text)
		switch {
		case len(text) > 0 && json.Valid(text):
			return text, nil
		case len(text) > 0 || line.TooLong:
			return nil, errNoValue
		}
	}
}

// nextFormatted reads on in a file that a formatter wrote. Behind a mistake
// nothing can be distinguished any more, so it ends the file.
func (v *values) nextFormatted() ([]byte, error) {
	v.room.N = maxRecord
	if v.list && !v.json.More() {
		if _, err := v.json.Token(); err != nil {
			return nil, v.explain(err)
		}
		return nil, io.EOF
	}
	var value json.RawMessage
	err := v.json.Decode(&value)
	return value, v.explain(err)
}

func (v *values) explain(err error) error {
	switch {
	case err == nil, err == io.EOF && !v.list:
		return err
	case v.room.N <= 0:
		err = fmt.Errorf("the value has more than %d MiB", maxRecord>>20)
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: %w", v.where(), err)
}

// where says where the value begins or ends that was returned last.
func (v *values) where() string {
	if v.json != nil {
		return fmt.Sprintf("byte %d", v.json.InputOffset())
	}
	return fmt.Sprintf("line %d", v.line)
}
