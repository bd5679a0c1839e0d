package markdown

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"recollect/internal/system/regular"
)

// A Front is what stands in a Markdown file of another program: each key of
// its front matter that has a word or a list of words, keys of keys with a dot
// between them, and the text behind it.
type Front struct {
	Keys map[string][]string
	Text string
}

// Word returns the value of the first of the keys that has one, else "".
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

// ReadFront reads a Markdown file, with front matter or without. name stands
// in error messages.
func ReadFront(r io.Reader, name string) (Front, error) {
	lines, err := readLines(r, name)
	if err != nil {
		return Front{}, err
	}
	return strictFront(lines, name)
}

// ReadAnyFront is ReadFront for a file whose writer does not know YAML well: of
// front matter that is none, the lines with a key and a word count, and the
// others are words of the text.
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

// set sets a key to a value, and the keys of a table in it.
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

// splitLines cuts a file into lines, without the carriage returns of an editor.
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
