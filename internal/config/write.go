package config

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"recollect/internal/config/layout"
)

// maxLine is the largest length of a line of a list.
const maxLine = 100

// An entry is one line of a written config.toml: a setting, or those of one source or ranker in braces.
type entry struct {
	table, key string
	value      string
	inner      []string // "key = value", in braces
}

func (e entry) String() string {
	if len(e.inner) > 0 {
		return e.key + " = { " + strings.Join(e.inner, ", ") + " }"
	}
	return e.key + " = " + e.value
}

// Write prints c in the form of the shipped config.toml, which is valid as a user's file. Settings that
// sources inherit appear once, at the head of their table.
func (c Config) Write(w io.Writer) error {
	var b strings.Builder
	table := ""
	for _, e := range c.entries() {
		if e.table != table {
			if table != "" {
				b.WriteByte('\n')
			}
			table = e.table
			fmt.Fprintf(&b, "[%s]\n", table)
		}
		fmt.Fprintln(&b, e)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// entries returns the lines to write for c.
func (c *Config) entries() []entry {
	var out []entry
	list, all := newCatalog(), settings()
	inherits, heads := list.inherits(), map[string]bool{}
	for _, s := range all {
		heads[layout.Table(layout.Table(s.key))] = true
	}
	for i, s := range all {
		value := s.of(c).Interface()
		if parent, ok := inherits[i]; ok && reflect.DeepEqual(value, all[parent].of(c).Interface()) {
			continue
		}
		table, key := layout.Table(s.key), layout.Name(s.key)
		if heads[table] || layout.Table(table) == "" {
			out = append(out, entry{table: table, key: key, value: multiline(value)})
			continue
		}
		inner := key + " = " + literal(value)
		if last := &out[len(out)-1]; len(last.inner) > 0 && layout.Join(last.table, last.key) == table {
			last.inner = append(last.inner, inner)
			continue
		}
		out = append(out, entry{table: layout.Table(table), key: layout.Name(table), inner: []string{inner}})
	}
	return out
}

// multiline formats a value as TOML, a long list on several lines.
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
