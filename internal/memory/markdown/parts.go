package markdown

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/system/regular"
)

// A part holds the lines of one memory.
type part struct {
	lines []string
	first int // number of the first line
}

// parts divides a Markdown stream into the memories in it.
type parts struct {
	lines *regular.Lines
	name  string
	ahead []regular.Line // lines read ahead, at most two
	texts []string       // texts of the lines in ahead
	crlf  bool           // an editor added carriage returns to the ends of lines
}

func newParts(r io.Reader, name string) *parts {
	return &parts{lines: regular.NewLines(r, maxPart), name: name}
}

// next returns the lines of the next memory, beginning with one that is not blank. At the end the error
// is io.EOF.
func (p *parts) next() (part, error) {
	var out part
	size, fences := 0, 0
	for {
		line, number, err := p.line(0)
		if err == io.EOF && len(out.lines) > 0 {
			return out, nil
		}
		if err != nil {
			return part{}, err
		}
		if len(out.lines) == 0 && strings.TrimSpace(line) == "" {
			p.take()
			continue
		}
		if isFence(line) {
			begins, err := p.begins()
			if err != nil {
				return part{}, err
			}
			// After the two fences of a memory of ours, the next one begins.
			if begins && fences >= 2 && isOurs(out.lines, 0) {
				return out, nil
			}
			fences++
		}
		if len(out.lines) == 0 {
			out.first = number
		}
		if size += len(line) + 1; size > maxPart {
			return part{}, &fileError{p.name, number, fmt.Errorf("a memory of more than %d MiB", maxPart>>20)}
		}
		out.lines = append(out.lines, line)
		p.take()
	}
}

// begins reports whether the fence in the next line begins a memory of ours.
func (p *parts) begins() (bool, error) {
	line, _, err := p.line(1)
	if err == io.EOF {
		return false, nil
	}
	return strings.HasPrefix(line, "id:"), err
}

func (p *parts) take() { p.ahead, p.texts = p.ahead[1:], p.texts[1:] }

// line returns the i-th line ahead, 0 or 1, and its number.
func (p *parts) line(i int) (string, int, error) {
	for len(p.ahead) <= i {
		line, err := p.lines.Next()
		if err != nil {
			if err != io.EOF {
				err = fmt.Errorf("read %s: %w", p.name, err)
			}
			return "", 0, err
		}
		if line.TooLong {
			return "", 0, &fileError{p.name, line.Number, fmt.Errorf("a line of more than %d MiB", maxPart>>20)}
		}
		p.ahead, p.texts = append(p.ahead, line), append(p.texts, p.clean(line))
	}
	return p.texts[i], p.ahead[i].Number, nil
}

// clean returns the text of a line. It removes carriage returns that an editor added, but keeps those of
// an exported text: in an export our first line has none.
func (p *parts) clean(line regular.Line) string {
	s := strings.ToValidUTF8(string(line.Text), "\uFFFD")
	if line.Number == 1 {
		s = strings.TrimPrefix(s, "\uFEFF")
		p.crlf = strings.HasSuffix(s, "\r")
	}
	if p.crlf {
		s = strings.TrimSuffix(s, "\r")
	}
	return s
}
