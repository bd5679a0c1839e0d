package markdown

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"recollect/internal/memory"
)

// maxPart is the largest size in bytes of one memory, with its front matter, in a Markdown stream.
const maxPart = 16 << 20

// A fileError says where a file has a mistake.
type fileError struct {
	name string
	line int
	err  error
}

func (e *fileError) Error() string { return fmt.Sprintf("%s:%d: %v", e.name, e.line, e.err) }
func (e *fileError) Unwrap() error { return e.err }

// Read passes drafts of the memories in a Markdown stream to yield: those that Write wrote, or one note
// of other origin, with some of the keys or without front matter. The title of a note is its first
// heading, its source is inbox, and its id is made from the content; an id that does not have our form
// becomes the tag "id:…". OccurredAt is zero if the file does not contain it. Error messages contain
// name. Read passes a memory that it cannot read to yield as an error; after one of more than 16 MiB it
// stops. An error of yield ends Read.
func Read(r io.Reader, name string, yield func(memory.Draft, error) error) error {
	parts := newParts(r, name)
	for {
		p, err := parts.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		m, unread := readMemory(p, name)
		if err := yield(memory.Draft{Memory: m}, unread); err != nil {
			return err
		}
	}
}

// readMemory reads the memory of a part.
func readMemory(p part, name string) (memory.Memory, error) {
	var m memory.Memory
	body := 0
	if isFence(p.lines[0]) {
		end := findLine(p.lines, 1, isFence)
		if end == len(p.lines) {
			return m, &fileError{name, p.first, errors.New("front matter: has no closing ---")}
		}
		if err := readFront(&m, p.lines[1:end], name, p.first); err != nil {
			return m, err
		}
		body = end + 1
	}
	m.Text = text(p.lines[body:], isOurs(p.lines, 0))
	if err := isComplete(&m); err != nil {
		return m, &fileError{name, p.first, err}
	}
	return m, nil
}

// isOurs reports whether front matter that begins with an id begins at a line.
func isOurs(lines []string, at int) bool {
	return isFence(lines[at]) && at+1 < len(lines) && strings.HasPrefix(lines[at+1], "id:")
}

func findLine(lines []string, from int, is func(string) bool) int {
	for from < len(lines) && !is(lines[from]) {
		from++
	}
	return from
}

// text joins the lines of a text and removes the backslashes that Write added.
func text(lines []string, escaped bool) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, `\`); escaped && ok && isFence(strings.TrimLeft(rest, `\`)) {
			line = rest
		}
		out[i] = line
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// isComplete fills in what a file of other origin lacks.
func isComplete(m *memory.Memory) error {
	source, known := memory.SourceOf(m.ID)
	if m.Source == "" {
		m.Source = memory.Inbox
		if known && isHex(strings.TrimPrefix(m.ID, source.Prefix()), 12) {
			m.Source = source
		}
	}
	if m.Title == "" {
		m.Title, m.Text = heading(m.Text)
	}
	if !isHex(strings.TrimPrefix(m.ID, m.Source.Prefix()), 12) {
		if m.ID != "" {
			m.Tags = append([]string{"id:" + strings.Join(strings.Fields(m.ID), " ")}, m.Tags...)
		}
		m.ID, m.ContentHash = "", ""
	}
	if !isHex(m.ContentHash, 64) {
		m.ContentHash = ""
	}
	return m.Check()
}

func isHex(s string, n int) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == n && strings.ToLower(s) == s
}

// heading returns the first heading of a text and the text, without the heading if that is its first
// line.
func heading(text string) (title, rest string) {
	for i, line := range strings.Split(text, "\n") {
		words := strings.TrimLeft(line, "#")
		if words == line || !strings.HasPrefix(words, " ") {
			continue
		}
		if i == 0 {
			text = strings.TrimSpace(text[len(line):])
		}
		return strings.TrimSpace(words), text
	}
	return "", text
}

// readFront sets the fields of m from the front matter. It ignores other keys, which belong to other
// programs. line is the number of the line before the front matter.
func readFront(m *memory.Memory, lines []string, name string, line int) error {
	table, err := readTable(lines, name, line)
	if table == nil || err != nil {
		return err
	}
	var f front
	err = yaml.NodeToValue(table, &f)
	if f.Title == "" && err == nil {
		var others struct{ Title, Name word } // other tools' names for the title
		err = yaml.NodeToValue(table, &others)
		f.Title = cmp.Or(others.Title, others.Name)
	}
	if err != nil {
		at := &fileError{err: err}
		errors.As(err, &at)
		return &fileError{name, line + at.line, at.err}
	}
	copyFields(m, &f)
	return nil
}

// readTable parses front matter; it returns nil if there is nothing in it.
func readTable(lines []string, name string, line int) (ast.Node, error) {
	file, at, err := parse(strings.Join(lines, "\n"))
	if err != nil {
		return nil, &fileError{name, line + at, fmt.Errorf("front matter: %w", err)}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, nil
	}
	table := file.Docs[0].Body
	if _, ok := table.(ast.MapNode); !ok {
		return nil, &fileError{name, line + 1, errors.New("front matter: must be keys with values")}
	}
	return table, nil
}
