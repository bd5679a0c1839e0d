package markdown

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"recollect/internal/memory"
)

// maxMarkdown bounds a Markdown stream: several times the largest export that
// anyone is likely to have.
const maxMarkdown = 1 << 30

// A fileError says where in a file something is wrong.
type fileError struct {
	name string
	line int
	err  error
}

func (e *fileError) Error() string { return fmt.Sprintf("%s:%d: %v", e.name, e.line, e.err) }
func (e *fileError) Unwrap() error { return e.err }

// Read reads the memories of a Markdown stream: those that
// Write wrote, or one note of other origin, with a few of the keys or
// without front matter at all. There the title is the first heading, the
// source inbox, the id made from the content; an id that is not of our form is
// kept as the tag "id:…". name stands in error messages. OccurredAt is left
// zero where the file does not tell it.
func Read(r io.Reader, name string) ([]memory.Memory, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxMarkdown+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxMarkdown {
		return nil, fmt.Errorf("read %s: more than %d bytes", name, maxMarkdown)
	}
	var out []memory.Memory
	lines := splitLines(string(data))
	for at := skipBlank(lines, 0); at < len(lines); at = skipBlank(lines, at) {
		m, next, err := readMemory(lines, at, name)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
		at = next
	}
	return out, nil
}

// splitLines cuts a file into lines. The carriage returns of an editor go,
// those of a text that was exported with them stay: there the first line,
// which is ours, has none.
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

// readMemory reads the memory that begins at lines[at] and returns where the
// next one does.
func readMemory(lines []string, at int, name string) (memory.Memory, int, error) {
	var m memory.Memory
	body, next := at, len(lines)
	if isFence(lines[at]) {
		end := findLine(lines, at+1, isFence)
		if end == len(lines) {
			return m, 0, &fileError{name, at + 1, errors.New("front matter: has no closing ---")}
		}
		if err := readFront(&m, lines[at+1:end], name, at+1); err != nil {
			return m, 0, err
		}
		if body = end + 1; ours(lines, at) {
			next = body
			for next = findLine(lines, next, isFence); next < len(lines) && !ours(lines, next); {
				next = findLine(lines, next+1, isFence)
			}
		}
	}
	m.Text = text(lines[body:next], ours(lines, at))
	if err := complete(&m); err != nil {
		return m, 0, &fileError{name, at + 1, err}
	}
	return m, next, nil
}

// ours reports whether front matter that begins with an id begins here.
func ours(lines []string, at int) bool {
	return isFence(lines[at]) && at+1 < len(lines) && strings.HasPrefix(lines[at+1], "id:")
}

func findLine(lines []string, from int, is func(string) bool) int {
	for from < len(lines) && !is(lines[from]) {
		from++
	}
	return from
}

// text joins the lines of a text, the backslashes of Write taken off.
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

// complete fills in what a file of other origin lacks.
func complete(m *memory.Memory) error {
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
	return m.Normalize()
}

func isHex(s string, n int) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == n && strings.ToLower(s) == s
}

// heading returns the first heading of a text and the text; where the heading
// is its first line, without it.
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

// readFront sets the keys of m that the front matter has. line is the number
// of the line before it.
func readFront(m *memory.Memory, front []string, name string, line int) error {
	return readKeys(front, name, line, func(key string, value ast.Node) error { return setKey(m, key, value) })
}

// readKeys calls set with each key of the front matter and its value.
func readKeys(front []string, name string, line int, set func(key string, value ast.Node) error) error {
	if at, err := checkNesting(front); err != nil {
		return &fileError{name, line + at, fmt.Errorf("front matter: %w", err)}
	}
	file, err := parser.ParseBytes([]byte(strings.Join(front, "\n")), 0)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			return &fileError{name, line + at.GetToken().Position.Line, fmt.Errorf("front matter: %s", at.GetMessage())}
		}
		return &fileError{name, line, fmt.Errorf("front matter: %w", err)}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil
	}
	node, ok := file.Docs[0].Body.(ast.MapNode)
	if !ok {
		return &fileError{name, line + 1, errors.New("front matter: must be keys with values")}
	}
	for i := node.MapRange(); i.Next(); {
		key, err := wordOf(i.Key())
		if err != nil {
			continue // an unknown key for sure
		}
		if err := set(key, i.Value()); err != nil {
			at := i.Key().GetToken().Position.Line
			return &fileError{name, line + at, fmt.Errorf("%s: %w", key, err)}
		}
	}
	return nil
}

// setKey sets one key. Unknown ones are other people's and ignored.
func setKey(m *memory.Memory, key string, value ast.Node) (err error) {
	switch key {
	case "source":
		m.Source, err = sourceOf(value)
	case "keywords":
		m.Keywords, err = wordsOf(value)
	case "files":
		m.Files, err = wordsOf(value)
	case "tags":
		m.Tags, err = wordsOf(value)
	case "supersedes":
		m.Supersedes, err = wordsOf(value)
	case "fields":
		m.Fields, err = fieldsOf(value)
	case "confirmed_by":
		m.ConfirmedBy, err = wordsOf(value)
	case "occurred_at":
		m.OccurredAt, err = timeOf(value)
	case "last_seen":
		m.LastSeen, err = timeOf(value)
	case "recorded_at":
		m.RecordedAt, err = timeOf(value)
	case "confidence":
		m.Confidence, err = numberOf(value)
	default:
		if field := wordField(m, key); field != nil {
			*field, err = wordOf(value)
		}
	}
	return err
}

func wordField(m *memory.Memory, key string) *string {
	switch key {
	case "id":
		return &m.ID
	case "subject":
		return &m.Title
	case "title", "name": // what other tools call it
		if m.Title == "" {
			return &m.Title
		}
	case "applies_to":
		return &m.AppliesTo
	case "content_hash":
		return &m.ContentHash
	case "project":
		return &m.Project
	case "project_path":
		return &m.ProjectPath
	case "project_remote":
		return &m.ProjectRemote
	case "importance":
		return &m.Importance
	case "session":
		return &m.Session
	case "turn":
		return &m.Turn
	case "agent":
		return &m.Agent
	case "origin":
		return &m.Origin
	case "evidence":
		return &m.Evidence
	}
	return nil
}

// wordOf returns a scalar as it stands in the file: an id like 0123 or 1e5 is
// no number.
func wordOf(node ast.Node) (string, error) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.NullNode:
		return "", nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, nil
	}
	return "", errors.New("must be text")
}

// wordsOf returns a list, or the parts of a text with commas.
func wordsOf(node ast.Node) ([]string, error) {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		s, err := wordOf(node)
		if err != nil {
			return nil, errors.New("must be a list of words")
		}
		return strings.Split(s, ","), nil
	}
	var out []string
	for _, node := range list.Values {
		s, err := wordOf(node)
		if err != nil {
			return nil, errors.New("must be a list of words")
		}
		out = append(out, s)
	}
	return out, nil
}

func fieldsOf(node ast.Node) (map[string]string, error) {
	table, ok := node.(ast.MapNode)
	if !ok {
		return nil, errors.New("must be keys with values")
	}
	out := map[string]string{}
	for i := table.MapRange(); i.Next(); {
		key, err := wordOf(i.Key())
		if err != nil {
			return nil, err
		}
		if out[key], err = wordOf(i.Value()); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return out, nil
}

func sourceOf(node ast.Node) (memory.Source, error) {
	s, err := wordOf(node)
	if err != nil || s == "" {
		return "", err
	}
	return memory.ParseSource(s)
}

func timeOf(node ast.Node) (time.Time, error) {
	s, err := wordOf(node)
	if err != nil || s == "" {
		return time.Time{}, err
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: must be a time like 2026-02-10T12:00:00Z", s)
}

func numberOf(node ast.Node) (float64, error) {
	s, err := wordOf(node)
	if err != nil || s == "" {
		return 0, err
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q: must be a number", s)
	}
	return f, nil
}
