package secret

import (
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// isRuled reports whether line is the line between the header and the rows of a table: |---|:--:|
func isRuled(line string) bool {
	return chars.ConsistsOf(line, " \t\r|+-=:>") && chars.ContainsAny(line, "--", "==", "|-")
}

// isDashed reports whether line is a line of dashes below the names of columns.
func isDashed(line string) bool {
	return (strings.Contains(line, "--") || strings.Contains(line, "==")) && strings.Trim(line, " \t\r-=") == ""
}

// splitPipes splits the rows of Markdown, psql or mysql below a header: there may
// be a sign before the first cell and behind the last one.
func splitPipes(header string) func(line string, offset int) []form.Span {
	first, last := strings.IndexByte(header, '|'), strings.LastIndexByte(header, '|')
	open := strings.Trim(header[:first], " \t>+-→"+chars.Digits) == ""
	closed := strings.TrimSpace(header[last+1:]) == ""
	return func(line string, offset int) []form.Span {
		cells := splitAt('|')(line, offset)
		if open && len(cells) > 1 {
			cells = cells[1:]
		}
		if n := len(cells); closed && n > 1 && strings.TrimSpace(line[cells[n-1].Start-offset:]) == "" {
			cells = cells[:n-1]
		}
		return cells
	}
}

// splitWiki splits a row of a wiki: ||User||Password||, and |ada|…| below.
func splitWiki(line string, offset int) []form.Span {
	cells := splitPipes("||")(line, offset)
	if !strings.HasPrefix(strings.TrimSpace(line), "||") {
		return cells
	}
	full := cells[:0]
	for _, c := range cells {
		if c.End > c.Start {
			full = append(full, c)
		}
	}
	return full
}

// splitAt splits a row at a sign that stands outside of quotes.
func splitAt(sign byte) func(line string, offset int) []form.Span {
	return func(line string, offset int) []form.Span {
		var cells []form.Span
		start, quote := 0, byte(0)
		for i := 0; i <= len(line) && len(cells) <= maxColumns; i++ {
			switch {
			case i == len(line) || line[i] == sign && quote == 0:
				cells = append(cells, form.Span{Start: offset + start, End: offset + i})
				start = i + 1
			case quote == 0 && opensQuotedCell(line[start:i], line[i:]):
				quote = '"'
			case quote != 0 && line[i] == quote:
				quote = 0
			}
		}
		return cells
	}
}

// splitWide splits a row at two spaces or more.
func splitWide(line string, offset int) []form.Span {
	var cells []form.Span
	for i := 0; i < len(line); {
		for i < len(line) && chars.IsSpace(line[i]) {
			i++
		}
		start := i
		for i < len(line) && !beginsGap(line[i:]) {
			i++
		}
		if i > start {
			cells = append(cells, form.Span{Start: offset + start, End: offset + i})
		}
	}
	return cells
}

// splitAligned splits rows at where the cells of the header begin. A row that has no
// cell in one of these places is none.
func splitAligned(header []form.Span) func(line string, offset int) []form.Span {
	return func(line string, offset int) []form.Span {
		var cells []form.Span
		for n, h := range header {
			end := len(line)
			if n+1 < len(header) {
				end = min(end, header[n+1].Start)
			}
			if h.Start >= len(line) || h.Start > 0 && !chars.IsSpace(line[h.Start-1]) {
				return nil
			}
			first, _, _ := strings.Cut(line[h.Start:end], " ")
			cells = append(cells, form.Span{Start: offset + h.Start, End: offset + h.Start + len(first)})
		}
		return cells
	}
}

// listSigns part the names in the heading of a list, the longer ones first.
var listSigns = []string{" / ", " | ", " – ", " - ", ", ", "/", ":", "|", ","}

// listHeader returns the list below a heading that says what its lines are:
//
//	Test accounts (user / password):
//	- ada / …
//
// i is where its keyword is.
func listHeader(text, line string, i int) *table {
	if !besideSign(line, i) {
		return nil
	}
	heading := strings.TrimRight(line, " \t\r*_:")
	inner := heading
	if open := strings.LastIndexByte(heading, '('); open >= 0 && strings.HasSuffix(heading, ")") {
		inner = heading[open+1 : len(heading)-1]
	} else if _, after, ok := strings.Cut(heading, ": "); ok {
		inner = after
	}
	for _, dash := range []string{" – ", " — ", " - "} {
		if _, after, ok := strings.Cut(inner, dash); ok && strings.ContainsAny(after, "/:|,") {
			inner = after
		}
	}
	for _, sign := range listSigns {
		names := strings.Split(inner, sign)
		if len(names) < 2 || len(names) > 4 {
			continue
		}
		if strings.HasPrefix(sign, ",") && inner == heading && !strings.HasSuffix(strings.TrimRight(line, " \t\r*_"), ":") {
			return nil
		}
		t := &table{text: text, prose: true, prefix: true, split: splitList(sign, len(names))}
		for _, name := range names {
			name, ok := columnName(strings.Trim(name, "<>{}"))
			if !ok || name == "" || strings.Count(name, " ") > 2 {
				return nil
			}
			t.columns = append(t.columns, looks.ClassOf(strings.ReplaceAll(name, " ", "_")))
			t.named = t.named || namesUser(name)
		}
		if !t.named {
			return nil
		}
		for _, c := range t.columns {
			if c != looks.NoSecret && c != looks.MaybeKey {
				return t
			}
		}
		return nil
	}
	return nil
}

// besideSign reports whether the name at i has one of listSigns before or behind it.
func besideSign(line string, i int) bool {
	from, to := nameAround(line, i, i)
	if from < 0 {
		return false
	}
	before, behind := strings.TrimRight(line[:from], " "), strings.TrimLeft(line[to:], " ")
	const signs = "/|,:-"
	if chars.IsOneOf(chars.LastByte(before), signs) || strings.HasSuffix(before, "–") {
		return true
	}
	return len(behind) > 1 && chars.IsOneOf(behind[0], signs)
}

// splitList splits a line of a list of n values. Its sign may have other space
// around it than in the heading, and words may follow the values.
func splitList(sign string, n int) func(line string, offset int) []form.Span {
	bare := strings.TrimSpace(sign)
	return func(line string, offset int) []form.Span {
		i := len(line) - len(strings.TrimLeft(line, " \t>+-*•→"+chars.Digits+".)"))
		if i > 0 && strings.Trim(line[:i], " \t>") != "" && chars.IsWord(line[i-1]) {
			i = strings.LastIndexAny(line[:i], " \t→") + 1 // digits that are part of the first value
		}
		var cells []form.Span
		for n := n; n > 1; n-- {
			at, width := strings.Index(line[i:], " "+bare+" "), len(bare)+2
			if at < 0 {
				at, width = strings.Index(line[i:], bare), len(bare)
			}
			if at < 0 {
				return cells
			}
			if strings.Contains(strings.TrimSpace(line[i:i+at]), " ") {
				return nil // words of a sentence
			}
			cells = append(cells, form.Span{Start: offset + i, End: offset + i + at})
			i += at + width
		}
		i += len(line[i:]) - len(strings.TrimLeft(line[i:], " \t"))
		last, _, _ := strings.Cut(line[i:], " ")
		return append(cells, form.Span{Start: offset + i, End: offset + i + len(strings.TrimRight(last, ",;\r"))})
	}
}

// opensQuotedCell reports whether the rest of a line begins with a quote that opens a cell, of which
// nothing has been read before.
func opensQuotedCell(before, rest string) bool {
	return rest[0] == '"' && strings.TrimSpace(before) == "" && strings.IndexByte(rest[1:], '"') >= 0
}

// beginsGap reports whether s begins with what parts columns that spaces align: a tab, or two
// spaces.
func beginsGap(s string) bool {
	if s[0] == '\t' {
		return true
	}
	return chars.IsSpace(s[0]) && (len(s) == 1 || chars.IsSpace(s[1]))
}
