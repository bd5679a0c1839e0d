package layout

import "strings"

// An outline holds the positions of tables and settings in the text of a config.toml. Its keys are
// dotted, in lower case.
type outline struct {
	tables map[string]int  // ends of the lines of their headings
	values map[string]span // positions of values, including those in inline tables
	heads  map[string]int  // beginnings of the lines of settings before the first table
}

// A span is a part of a text.
type span struct{ from, to int }

// dotted reports whether a table is written with dotted keys: "journal.weight = 1".
func (o *outline) dotted(table string) bool {
	if _, ok := o.values[table]; ok {
		return false
	}
	for key := range o.values {
		if strings.HasPrefix(key, table+".") {
			return true
		}
	}
	return false
}

// first returns the beginning of the first setting of a table that is written before all tables, as in
// "rank.kind = …".
func (o *outline) first(table string) (start int, ok bool) {
	for key, at := range o.heads {
		if strings.HasPrefix(key, table+".") && (!ok || at < start) {
			start, ok = at, true
		}
	}
	return start, ok
}

// outlineOf reads the outline of a text. It stops at the first text that is not TOML.
func outlineOf(text string) outline {
	r := outliner{text: text, out: outline{map[string]int{}, map[string]span{}, map[string]int{}}}
	table := ""
	for r.blank(true); r.at < len(text); r.blank(true) {
		start := r.at
		if text[r.at] == '[' {
			r.at++
			r.blank(false)
			table = r.key()
			r.at += len(r.rest()) - len(strings.TrimLeft(r.rest(), " \t]"))
			r.out.tables[table] = r.at + r.lineEnd()
			r.at += r.lineEnd()
			continue
		}
		key := Join(table, r.key())
		if table == "" {
			r.out.heads[key] = start
		}
		if !r.setting(key) {
			break
		}
	}
	return r.out
}

// An outliner reads a text from its beginning to its end.
type outliner struct {
	text string
	at   int
	out  outline
}

func (r *outliner) rest() string { return r.text[r.at:] }

// lineEnd returns the distance to the end of the line.
func (r *outliner) lineEnd() int {
	line, _, _ := strings.Cut(r.rest(), "\n")
	return len(strings.TrimSuffix(line, "\r"))
}

// blank skips spaces and, if lines is set, ends of lines and comments.
func (r *outliner) blank(lines bool) {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ' ' || c == '\t', lines && (c == '\n' || c == '\r'):
			r.at++
		case lines && c == '#':
			r.at += r.lineEnd()
		default:
			return
		}
	}
}

// key reads a key, which may be dotted or quoted.
func (r *outliner) key() string {
	start := r.at
	for r.at < len(r.text) && !strings.ContainsRune("=]\n", rune(r.text[r.at])) {
		if c := r.text[r.at]; c == '"' || c == '\'' {
			r.quoted()
			continue
		}
		r.at++
	}
	parts := strings.Split(r.text[start:r.at], ".")
	for i, part := range parts {
		parts[i] = strings.ToLower(strings.Trim(part, " \t\r\"'"))
	}
	return strings.Join(parts, ".")
}

// setting reads "= value", and reports whether it found one.
func (r *outliner) setting(key string) bool {
	if !strings.HasPrefix(r.rest(), "=") {
		return false
	}
	r.at++
	r.blank(false)
	from := r.at
	r.value(key)
	r.out.values[key] = span{from, r.at}
	return r.at > from
}

// value skips a value. It reads the settings in an inline table.
func (r *outliner) value(key string) {
	switch {
	case r.rest() == "":
	case r.text[r.at] == '"' || r.text[r.at] == '\'':
		r.quoted()
	case r.text[r.at] == '[':
		r.list()
	case r.text[r.at] == '{':
		r.braces(key)
	default:
		r.at += len(r.rest()) - len(strings.TrimLeft(r.rest(), "+-.:_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	}
}

// quoted skips a text in single or triple quotes.
func (r *outliner) quoted() {
	quote := r.text[r.at : r.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(r.rest(), triple) {
		quote = triple
	}
	for r.at += len(quote); r.at < len(r.text); r.at++ {
		if quote[0] == '"' && r.text[r.at] == '\\' {
			r.at++
			continue
		}
		if strings.HasPrefix(r.rest(), quote) {
			r.at += len(quote)
			for len(quote) == 3 && strings.HasPrefix(r.rest(), quote[:1]) {
				r.at++ // a text may end with quotes of its own
			}
			return
		}
	}
	r.at = len(r.text)
}

// list skips a list.
func (r *outliner) list() {
	for r.at++; r.at < len(r.text); {
		r.blank(true)
		switch {
		case r.rest() == "":
		case r.text[r.at] == ']':
			r.at++
			return
		case r.text[r.at] == ',':
			r.at++
		default:
			before := r.at
			if r.value(""); r.at == before {
				return
			}
		}
	}
}

// braces reads the settings of an inline table.
func (r *outliner) braces(key string) {
	for r.at++; r.at < len(r.text); {
		r.blank(true)
		switch {
		case r.rest() == "":
		case r.text[r.at] == '}':
			r.at++
			return
		case r.text[r.at] == ',':
			r.at++
		default:
			if !r.setting(Join(key, r.key())) {
				return
			}
		}
	}
}
