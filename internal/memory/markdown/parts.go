package markdown

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/system/regular"
)

// A part is the lines of one memory.
type part struct {
	lines []string
	first int // number of the first line
}

// parts divides a Markdown stream into the memories in it.
type parts struct {
	lines *regular.Lines
	name  string
	ahead []regular.Line // read, and not part of a memory yet: two at most
	texts []string       // of them
	crlf  bool           // whether an editor ended the lines with carriage returns too
}

func newParts(r io.Reader, name string) *parts {
	return &parts{lines: regular.NewLines(r, maxPart), name: name}
}

// next returns the next memory's lines, which begin with one that is not
// blank. At the end the error is io.EOF.
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
			// Behind the two fences of a memory of ours, the next of ours begins.
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

// begins reports whether the fence that comes next begins a memory of ours.
func (p *parts) begins() (bool, error) {
	line, _, err := p.line(1)
	if err == io.EOF {
		return false, nil
	}
	return strings.HasPrefix(line, "id:"), err
}

func (p *parts) take() { p.ahead, p.texts = p.ahead[1:], p.texts[1:] }

// line returns the line that comes next, or the one after it, and its number.
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

// clean returns the text of a line. The carriage returns of an editor go, those
// of a text that was exported with them stay: there the first line, which is
// ours, has none.
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
