package secret

import (
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// Bounds of a statement that inserts rows: bytes up to its columns, and of them.
const (
	maxInto = 160
	maxList = 2000
)

// insertedValues returns the secrets in the rows of a statement, of which i is
// the end of its first words, and up to where it has read:
//
//	INSERT INTO users (id, password) VALUES (1, '…'), (2, '…')
//	COPY users (id, password) FROM stdin;⏎1⇥…
func insertedValues(text string, i int) (found []form.Span, read int) {
	open := strings.IndexByte(text[i:min(len(text), i+maxInto)], '(')
	if open < 0 {
		return nil, i
	}
	columns, end := splitTuple(text, i+open)
	if end < 0 {
		return nil, i
	}
	t := &table{text: text, named: true, logins: true}
	secret := false
	for _, c := range columns {
		name := strings.Trim(text[c.Start:c.End], " \t\r\n\"`'[]\\")
		class := looks.NoSecret
		if looks.IsIdentifier(name) {
			class = looks.ClassOf(name)
		}
		t.columns = append(t.columns, class)
		secret = secret || class != looks.NoSecret && class != looks.MaybeKey
	}
	if !secret {
		return nil, end
	}
	if at := copiedRows(text, end); at > 0 {
		t.split = splitAt('\t')
		return t.secretsIn(at)
	}
	return t.tuples(end)
}

// copiedRows returns where the rows of a COPY begin whose columns end at i, 0 if it is none.
func copiedRows(text string, i int) int {
	line := form.LineAt(text, i)
	if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "from stdin") {
		return 0
	}
	return i + len(line) + 1
}

// tuples returns the secrets in the rows in brackets from i on, behind VALUES, and
// where these end.
func (t *table) tuples(i int) (found []form.Span, read int) {
	const soon = 80
	words := strings.ToLower(t.text[i:min(len(t.text), i+soon)])
	n := strings.Index(words, "values")
	if n < 0 || strings.ContainsAny(words[:n], "();") {
		return nil, i
	}
	for i += n + len("values"); ; {
		i += len(t.text[i:]) - len(strings.TrimLeft(t.text[i:], " \t\r\n,\\"))
		if i >= len(t.text) || t.text[i] != '(' {
			return found, i
		}
		cells, end := splitTuple(t.text, i)
		if end < 0 {
			return found, i
		}
		for n, c := range cells {
			if n >= len(t.columns) {
				break
			}
			if v, ok := t.secretIn(t.columns[n], literalIn(t.text, c)); ok {
				found = append(found, v)
			}
		}
		i = end
	}
}

// literalIn returns the first text in quotes in a cell: crypt('…', gen_salt('bf')).
// What is a name or a number is no text.
func literalIn(text string, cell form.Span) form.Span {
	s := strings.TrimSpace(text[cell.Start:cell.End])
	cell.Start += strings.Index(text[cell.Start:cell.End], s)
	i := strings.IndexAny(s, `'"`)
	if i < 0 {
		return form.Span{}
	}
	n := strings.IndexByte(s[i+1:], s[i])
	if i == 0 && len(s) > 2 && s[len(s)-1] == s[0] {
		n = len(s) - 2
	}
	if n < 0 {
		return form.Span{}
	}
	return form.Span{Start: cell.Start + i, End: cell.Start + i + n + 2}
}

// splitTuple returns what stands between the bracket at open, commas, and the bracket
// that closes it, and where that is; −1 if there is none.
func splitTuple(text string, open int) (cells []form.Span, end int) {
	depth, quote, start := 0, byte(0), open+1
	for i := open; i < min(len(text), open+maxList); i++ {
		c := text[i]
		switch {
		case quote != 0:
			switch {
			case c == '\\' && chars.ByteAt(text, i+1) == quote && chars.IsWord(chars.ByteAt(text, i+2)):
				i++
			case c == quote:
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ',' && depth == 1:
			cells, start = append(cells, form.Span{Start: start, End: i}), i+1
		case c == ')':
			if depth--; depth == 0 {
				return append(cells, form.Span{Start: start, End: i}), i + 1
			}
		}
	}
	return nil, -1
}
