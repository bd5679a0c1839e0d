package markdown

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"recollect/internal/system/regular"
)

// A Front is the content of a Markdown file of another program: the text, and each key of its front
// matter whose value is a word or a list of words. Dots join nested keys.
type Front struct {
	Keys map[string][]string
	Text string
}

// Word returns the value of the first of the keys that has one, or "".
func (f Front) Word(keys ...string) string {
	for _, key := range keys {
		for _, word := range f.Keys[key] {
			if word != "" {
				return word
			}
		}
	}
	return ""
}

// ReadFront reads a Markdown file, with or without front matter. Error messages contain name.
func ReadFront(r io.Reader, name string) (Front, error) {
	lines, err := readLines(r, name)
	if err != nil {
		return Front{}, err
	}
	return strictFront(lines, name)
}

// ReadAnyFront is ReadFront for a file whose writer does not know YAML well. If the front matter is not
// YAML, its lines with a key and a word count as such, and the others as text.
func ReadAnyFront(r io.Reader, name string) (Front, error) {
	lines, err := readLines(r, name)
	if err != nil {
		return Front{}, err
	}
	f, err := strictFront(lines, name)
	if err != nil {
		f = looseFront(lines)
	}
	return f, nil
}

func readLines(r io.Reader, name string) ([]string, error) {
	data, err := regular.ReadAll(r, maxPart)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return splitLines(string(data)), nil
}

func strictFront(lines []string, name string) (Front, error) {
	at := skipBlank(lines, 0)
	f := Front{Keys: map[string][]string{}}
	if at == len(lines) || !isFence(lines[at]) {
		f.Text = text(lines, false)
		return f, nil
	}
	end := findLine(lines, at+1, isFence)
	if end == len(lines) {
		return f, &fileError{name, at + 1, errors.New("front matter: has no closing ---")}
	}
	f.Text = text(lines[end+1:], false)
	table, err := readTable(lines[at+1:end], name, at+1)
	if table != nil {
		f.set("", table)
	}
	return f, err
}

// set sets a key to a value, or sets the keys in a table.
func (f Front) set(key string, value ast.Node) {
	if table, ok := value.(ast.MapNode); ok {
		if key != "" {
			key += "."
		}
		for i := table.MapRange(); i.Next(); {
			if inner, err := wordOf(i.Key()); err == nil {
				f.set(key+inner, i.Value())
			}
		}
		return
	}
	if list, ok := value.(*ast.SequenceNode); ok {
		for _, node := range list.Values {
			if word, err := wordOf(node); err == nil {
				f.Keys[key] = append(f.Keys[key], word)
			}
		}
		return
	}
	if word, err := wordOf(value); err == nil {
		f.Keys[key] = []string{word}
	}
}

// splitLines divides a file into lines, without an editor's carriage returns.
func splitLines(s string) []string {
	s = strings.TrimPrefix(strings.ToValidUTF8(s, "\uFFFD"), "\uFEFF")
	lines := strings.Split(s, "\n")
	if strings.HasSuffix(lines[0], "\r") {
		for i := range lines {
			lines[i] = strings.TrimSuffix(lines[i], "\r")
		}
	}
	return lines
}

func skipBlank(lines []string, at int) int {
	for at < len(lines) && strings.TrimSpace(lines[at]) == "" {
		at++
	}
	return at
}
