package markdown

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"recollect/internal/memory"
)

// A front is the front matter of a memory. Its fields have the names and the order in which they are
// written. Empty ones are left out.
type front struct {
	ID            word   `yaml:"id"`
	Title         word   `yaml:"subject"`
	Source        source `yaml:"source"`
	Keywords      words  `yaml:"keywords"`
	AppliesTo     word   `yaml:"applies_to"`
	OccurredAt    stamp  `yaml:"occurred_at"`
	LastSeen      stamp  `yaml:"last_seen"`
	ContentHash   word   `yaml:"content_hash"`
	Project       word   `yaml:"project"`
	ProjectPath   word   `yaml:"project_path"`
	ProjectRemote word   `yaml:"project_remote"`
	Importance    word   `yaml:"importance"`
	Confidence    number `yaml:"confidence"`
	Session       word   `yaml:"session"`
	Turn          word   `yaml:"turn"`
	ConfirmedBy   words  `yaml:"confirmed_by"`
	Agent         word   `yaml:"agent"`
	Origin        word   `yaml:"origin"`
	Evidence      word   `yaml:"evidence"`
	Files         words  `yaml:"files"`
	Tags          words  `yaml:"tags"`
	Supersedes    words  `yaml:"supersedes"`
	Pending       flag   `yaml:"pending"`
	RecordedAt    stamp  `yaml:"recorded_at"`
	Fields        fields `yaml:"fields"`
	Statements    words  `yaml:"statements"`
}

// The types of values. The library would read the id 0123 as the number 83, ignore an invalid time, and
// write text plain that it cannot read.
type (
	word   string
	source memory.Source
	words  []string
	stamp  time.Time
	number float64
	flag   bool
	fields map[string]string
)

func frontOf(m memory.Memory) front {
	var f front
	copyFields(&f, &m)
	return f
}

// copyFields copies the fields of one front or memory to another.
func copyFields(to, from any) {
	dst, src := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for field := range reflect.TypeFor[front]().Fields() {
		v := dst.FieldByName(field.Name)
		v.Set(src.FieldByName(field.Name).Convert(v.Type()))
	}
}

// write writes the keys that have a value.
func (f front) write(b *strings.Builder) {
	for field, value := range reflect.ValueOf(f).Fields() {
		text := ""
		switch v := value.Interface().(type) {
		case words:
			for _, w := range v {
				text += ", " + Quote(w)
			}
			if text != "" {
				text = " [" + text[len(", "):] + "]"
			}
		case stamp:
			if !time.Time(v).IsZero() {
				text = " " + time.Time(v).Format(time.RFC3339Nano)
			}
		case number:
			if v != 0 {
				text = " " + strconv.FormatFloat(float64(v), 'g', -1, 64)
			}
		case flag:
			if v {
				text = " true"
			}
		case fields:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				text += "\n  " + Quote(key) + ": " + Quote(v[key])
			}
		default:
			if value.String() != "" {
				text = " " + Quote(value.String())
			}
		}
		if text != "" {
			b.WriteString(field.Tag.Get("yaml") + ":" + text + "\n")
		}
	}
}

// wrongAt returns an error with the line, in the front matter, of a key whose value has the wrong type.
func wrongAt(node ast.Node, err error) error {
	key := strings.ReplaceAll(strings.TrimPrefix(node.GetPath(), "$."), ".", ": ")
	return &fileError{line: node.GetToken().Position.Line, err: fmt.Errorf("%s: %w", key, err)}
}

// wordOf returns a scalar as text: an id like 0123 or 1e5 is not a number.
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
	return "", wrongAt(node, errors.New("must be text"))
}

// UnmarshalYAML reads a text.
func (w *word) UnmarshalYAML(node ast.Node) error {
	s, err := wordOf(node)
	*w = word(s)
	return err
}

// UnmarshalYAML reads the name of a source.
func (s *source) UnmarshalYAML(node ast.Node) error {
	return readScalar(s, node, func(text string) (source, error) {
		parsed, err := memory.ParseSource(text)
		return source(parsed), err
	})
}

// UnmarshalYAML reads a number.
func (n *number) UnmarshalYAML(node ast.Node) error {
	return readScalar(n, node, func(text string) (number, error) {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			err = fmt.Errorf("%q: must be a number", text)
		}
		return number(f), err
	})
}

// UnmarshalYAML reads true or false.
func (f *flag) UnmarshalYAML(node ast.Node) error {
	return readScalar(f, node, func(text string) (flag, error) {
		b, err := strconv.ParseBool(text)
		if err != nil {
			err = fmt.Errorf("%q: must be true or false", text)
		}
		return flag(b), err
	})
}

// UnmarshalYAML reads a time in one of the forms that people write.
func (t *stamp) UnmarshalYAML(node ast.Node) error {
	return readScalar(t, node, func(text string) (stamp, error) {
		for _, layout := range []string{time.RFC3339Nano, time.DateTime, time.DateOnly} {
			if at, err := time.Parse(layout, text); err == nil {
				return stamp(at), nil
			}
		}
		return stamp{}, fmt.Errorf("%q: must be a time like 2026-02-10T12:00:00Z", text)
	})
}

// readScalar sets v to the parsed value of a scalar, unless that is empty.
func readScalar[T any](v *T, node ast.Node, parse func(string) (T, error)) error {
	s, err := wordOf(node)
	if err != nil || s == "" {
		return err
	}
	if *v, err = parse(s); err != nil {
		return wrongAt(node, err)
	}
	return nil
}

// UnmarshalYAML reads a list, or the parts of a text separated by commas.
func (ws *words) UnmarshalYAML(node ast.Node) error {
	nodes := []ast.Node{node}
	list, isList := node.(*ast.SequenceNode)
	if isList {
		nodes = list.Values
	}
	for _, n := range nodes {
		s, err := wordOf(n)
		if err != nil {
			return wrongAt(node, errors.New("must be a list of words"))
		}
		*ws = append(*ws, s)
	}
	if !isList {
		*ws = strings.Split((*ws)[0], ",")
	}
	return nil
}

// UnmarshalYAML reads a table of texts.
func (fs *fields) UnmarshalYAML(node ast.Node) error {
	table, ok := node.(ast.MapNode)
	if !ok {
		return wrongAt(node, errors.New("must be keys with values"))
	}
	*fs = fields{}
	for i := table.MapRange(); i.Next(); {
		key, err := wordOf(i.Key())
		if err == nil {
			(*fs)[key], err = wordOf(i.Value())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
