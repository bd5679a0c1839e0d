package config

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// maxLine is how long a line of a list becomes, at most.
const maxLine = 100

// A line is one of a written config.toml: a setting, or those of one source or
// ranker in braces.
type line struct {
	table, key string
	value      string
	inner      []string // "key = value", in braces
}

func (l line) String() string {
	if len(l.inner) > 0 {
		return l.key + " = { " + strings.Join(l.inner, ", ") + " }"
	}
	return l.key + " = " + l.value
}

// Write prints c in the form of the shipped config.toml, so that it can be
// used as a user's file: what sources inherit stands once, at the head of
// their table.
func (c Config) Write(w io.Writer) error {
	var b strings.Builder
	table := ""
	for _, l := range c.lines() {
		if l.table != table {
			if table != "" {
				b.WriteByte('\n')
			}
			table = l.table
			fmt.Fprintf(&b, "[%s]\n", table)
		}
		fmt.Fprintln(&b, l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lines returns what is written of c.
func (c *Config) lines() []line {
	var out []line
	list, all := newCatalog(), settings()
	inherits, heads := list.inherits(), map[string]bool{}
	for _, s := range all {
		heads[dir(dir(s.key))] = true
	}
	for i, s := range all {
		value := s.of(c).Interface()
		if parent, ok := inherits[i]; ok && reflect.DeepEqual(value, all[parent].of(c).Interface()) {
			continue
		}
		table, key := dir(s.key), base(s.key)
		if heads[table] || dir(table) == "" {
			out = append(out, line{table: table, key: key, value: multiline(value)})
			continue
		}
		inner := key + " = " + literal(value)
		if last := &out[len(out)-1]; len(last.inner) > 0 && join(last.table, last.key) == table {
			last.inner = append(last.inner, inner)
			continue
		}
		out = append(out, line{table: dir(table), key: base(table), inner: []string{inner}})
	}
	return out
}

// multiline writes a value as TOML has it, a long list on several lines.
func multiline(value any) string {
	texts, ok := value.([]string)
	if !ok {
		return literal(value)
	}
	items := make([]string, len(texts))
	for i, text := range texts {
		items[i] = literal(text)
	}
	if short := "[" + strings.Join(items, ", ") + "]"; len(short) <= maxLine {
		return short
	}
	var b strings.Builder
	b.WriteString("[")
	width := maxLine
	for _, item := range items {
		if width += len(item) + len(", "); width > maxLine {
			b.WriteString("\n    ")
			width = len("    ,") + len(item)
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(item + ",")
	}
	return b.String() + "\n]"
}
