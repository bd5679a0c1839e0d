package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// Bounds of a table, in bytes: of its header on either side of a keyword, of the name of a column,
// of a statement up to its columns, and of a list of them.
const (
	maxHeader     = 600
	maxColumnName = 40
	maxInto       = 160
	maxList       = 2000
)

// A table is read from the header that names a secret on:
//
//	| User | Password |      user,password     USER   PASSWORD     Accounts (user / password):
//	|------|----------|      ada,…             ada    …            - ada / …
//	| ada  | …        |
type table struct {
	text    string
	columns []looks.Class
	sign    string // parts the cells of a row
	users   bool   // one of the columns names a user
	logins  bool   // the user logs in with the secret beside
	isList  bool   // rows may begin with the sign of a list, and words may follow
	isFile  bool   // words are values, as in a file or a statement, not those of a document
}

// gap parts columns that spaces align.
const gap = "  "

// signs part the names in a header, the longer ones first.
var signs = []string{"|", "\t", ";", " / ", " – ", " - ", ", ", ",", "/", ":", gap}

// readColumns returns the secrets in the table in whose header the keyword at start
// stands.
func (l *search) readColumns(start int) []form.Span {
	if start < l.headed || !l.headsColumn(start) {
		return nil
	}
	from, to, ok := wholeLineAround(l.text, start)
	l.headed = to
	if !ok || to >= len(l.text) {
		return nil
	}
	t, rows := headerOf(l.text, from, to)
	if t == nil {
		return nil
	}
	found, end := t.secretsIn(rows)
	l.headed = max(l.headed, end)
	return found
}

// headsColumn reports whether the name that the keyword at i is part of is that of a
// secret, and ends a cell.
func (l *search) headsColumn(i int) bool {
	p := place{text: l.text, classes: &l.classes}
	if p.from, p.to = nameAround(l.text, i, i); p.from < 0 || p.to-p.from > maxColumnName {
		return false
	}
	rest := strings.TrimLeft(l.text[p.to:min(len(l.text), p.to+maxColumnName)], "\"'`*_] ")
	if rest != "" && !chars.IsOneOf(rest[0], "|,;/:-(\t\r\n)\xe2") && !strings.HasPrefix(l.text[p.to:], gap) {
		return false
	}
	return p.isName() && p.classOfName() != looks.NoSecret || strings.EqualFold(l.text[p.from:p.to], "passe")
}

// wholeLineAround returns the line around i, false if it is longer than a header.
func wholeLineAround(text string, i int) (from, to int, ok bool) {
	from, to = max(0, i-maxHeader), min(len(text), i+maxHeader)
	n, m := strings.LastIndexByte(text[from:i], '\n'), strings.IndexByte(text[i:to], '\n')
	begins, ends := n >= 0 || from == 0, m >= 0 || to == len(text)
	if m >= 0 {
		to = i + m
	}
	return from + n + 1, to, begins && ends
}

// headerOf returns the table whose header the line text[from:to] is, and where its rows begin; nil
// if it is none.
func headerOf(text string, from, to int) (*table, int) {
	line, rows := strings.ReplaceAll(text[from:to], "||", "|"), to+1
	below := form.LineAt(text, rows)
	ruled := isRuled(below)
	if ruled {
		rows += len(below) + 1
	}
	names, isList := headingOf(line)
	if isList && strings.TrimSpace(below) == "" {
		rows += len(below) + 1
	}
	isProgram := !ruled && strings.ContainsAny(line, "={}$<!?&@%\\") || strings.HasSuffix(heading(line), ",")
	if rows >= len(text) || isProgram {
		return nil, 0
	}
	row := form.LineAt(text, rows)
	for _, sign := range signs {
		if !strings.Contains(names, sign) || !strings.Contains(row, strings.TrimSpace(sign)) {
			continue
		}
		t := newTable(strings.Split(names, sign))
		if sign == gap {
			t = newTable(gaps().Split(strings.TrimSpace(names), -1))
		}
		if t == nil || !t.users && !ruled {
			continue
		}
		if sign == ":" && len(t.columns) < 3 && !isList { // name: value
			continue
		}
		t.text, t.sign, t.isList = text, sign, isList || strings.Contains(" / – - :", sign)
		t.isFile = t.logins && strings.Contains("\t;,", sign)
		if ruled || t.isFirst(lineBefore(text, from), row) {
			return t, rows
		}
	}
	return nil, 0
}

// isFirst reports whether a header has a row below, and none above.
func (t *table) isFirst(above, below string) bool {
	return len(t.cells(below, 0)) == len(t.columns) && (t.isList || len(t.cells(above, 0)) != len(t.columns))
}

// headingOf returns the part of a line that may name columns, and whether it is the heading of a list:
//
//	Test accounts (user / password):
func headingOf(line string) (names string, isList bool) {
	line = heading(line)
	isList = strings.HasSuffix(line, ":")
	names = strings.TrimRight(line, ":")
	if open := strings.LastIndexByte(names, '('); open >= 0 && strings.HasSuffix(names, ")") {
		return names[open+1 : len(names)-1], true
	}
	for _, sign := range []string{": ", " – ", " — ", " - "} {
		if _, after, ok := strings.Cut(names, sign); ok && strings.ContainsAny(after, "/:|,") {
			return after, true
		}
	}
	return names, isList
}

// heading returns a line without the space and the signs of a document behind it.
func heading(line string) string { return strings.TrimRight(line, " \t\r*_") }

// lineBefore returns the line before the one that begins at i, or its end.
func lineBefore(text string, i int) string {
	above := text[max(0, i-1-maxHeader):max(0, i-1)]
	return above[strings.LastIndexByte(above, '\n')+1:]
}

// isRuled reports whether line is the line between the header and the rows of a table: |---|:--:|
func isRuled(line string) bool {
	return chars.ConsistsOf(line, " \t\r|+-=:>") && chars.ContainsAny(line, "--", "==", "|-")
}

// newTable returns the table with the names of columns, nil if these name no secret, or are no names.
func newTable(names []string) *table {
	if len(names) < 2 {
		return nil
	}
	t := &table{}
	for _, name := range names {
		name, ok := columnName(name)
		if !ok {
			return nil
		}
		class := looks.ClassOf(strings.ReplaceAll(name, " ", "_"))
		if words := looks.NameParts(name); class == looks.NoSecret && len(words) > 0 && slices.Contains(seedNames, words[len(words)-1]) {
			class = looks.KeyName
		}
		t.columns = append(t.columns, class)
		t.users = t.users || namesUser(name)
		t.logins = t.logins || slices.Contains(loginNames, strings.ToLower(name))
	}
	return t
}

// columnName returns the name that a cell of a header is, without the signs of a
// document, of a diff and of the number of a line around it.
func columnName(cell string) (string, bool) {
	if number, name, ok := strings.Cut(cell, "→"); ok && chars.ConsistsOf(number, " "+chars.Digits) {
		cell = name
	}
	name := strings.Trim(cell, " \t\r\n\"'`*_#>+-[]\\<{}\ufeff")
	if strings.ContainsAny(name, "()[]*:=") {
		return "", false
	}
	return name, len(name) <= maxColumnName && strings.Count(name, " ") <= 3
}

// userNames are what the column with the user is called.
var userNames = strings.Fields(`user username login account email mail name id benutzer benutzername konto utilisateur identifiant compte usuario usuário utente
	gebruiker gebruikersnaam client host hostname server service nutzer role environment env db database url uri site title app device ip address ssid network peer`)

// loginNames are columns beside which a secret is a password, and seedNames those
// of codes that change.
var (
	loginNames = strings.Fields("user username client login peer account benutzer utilisateur usuario usuário utente gebruiker")
	seedNames  = []string{"totp", "otpauth", "otp"}
)

// namesUser reports whether one of the words of a name is that of a user.
func namesUser(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-./", r) }), func(w string) bool {
		return slices.Contains(userNames, w)
	})
}

// secretsIn returns the secrets in the rows from i on, and where the table ends.
func (t *table) secretsIn(i int) (found []form.Span, end int) {
	for i < len(t.text) {
		line := form.LineAt(t.text, i)
		cells := t.cells(line, i)
		if len(cells) != len(t.columns) && !isRuled(line) || len(line) > form.MaxRow {
			break
		}
		found = append(found, t.secretsOf(cells)...)
		i += len(line) + 1
	}
	return found, min(i, len(t.text))
}

// secretsOf returns the secrets in the cells of a row.
func (t *table) secretsOf(cells []form.Span) (found []form.Span) {
	for n, cell := range cells[:min(len(cells), len(t.columns))] {
		if v, ok := t.secretIn(t.columns[n], cell); ok {
			found = append(found, v)
		}
	}
	return found
}

// listMark is what stands before an item of a list: -  1.
var listMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\s>]*(?:[-+*•→]\s|\d{1,3}[.)]\s)?\s*`) })

var gaps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\t\s*|\s{2,}`) })

// cells returns the cells of a row that begins at offset.
func (t *table) cells(line string, offset int) []form.Span {
	line = strings.TrimRight(line, " \t\r")
	switch {
	case t.isList:
		return t.itemCells(line, offset)
	case t.sign == gap:
		start := len(line) - len(strings.TrimLeft(line, " \t"))
		var cells []form.Span
		for _, g := range gaps().FindAllStringIndex(line[start:], -1) {
			cells = append(cells, form.Span{Start: offset + start, End: offset + g[0]})
			start = g[1]
		}
		return append(cells, form.Span{Start: offset + start, End: offset + len(line)})
	}
	var cells []form.Span
	start, quoted := 0, false
	for i := range len(line) + 1 {
		switch {
		case i == len(line) || line[i] == t.sign[0] && !quoted:
			cells = append(cells, form.Span{Start: offset + start, End: offset + i})
			start = i + 1
		case line[i] == '"' && quoted:
			quoted = false
		case line[i] == '"':
			quoted = strings.TrimSpace(line[start:i]) == "" && strings.IndexByte(line[i+1:], '"') >= 0
		}
	}
	return cells
}

// itemCells returns the cells of an item of a list. Its sign may have other space around it than in
// the heading, and words may follow the values.
func (t *table) itemCells(line string, offset int) []form.Span {
	var cells []form.Span
	sign := strings.TrimSpace(t.sign)
	i := len(listMark().FindString(line))
	for range len(t.columns) - 1 {
		at, width := strings.Index(line[i:], " "+sign+" "), len(sign)+2
		if at < 0 {
			at, width = strings.Index(line[i:], sign), len(sign)
		}
		if at < 0 || strings.Contains(strings.TrimSpace(line[i:i+at]), " ") {
			return nil
		}
		cells = append(cells, form.Span{Start: offset + i, End: offset + i + at})
		i += at + width
	}
	i += len(line[i:]) - len(strings.TrimLeft(line[i:], " \t"))
	last, _, _ := strings.Cut(line[i:], " ")
	return append(cells, form.Span{Start: offset + i, End: offset + i + len(strings.TrimRight(last, ",;"))})
}

// secretIn returns what of a cell is secret.
func (t *table) secretIn(c looks.Class, cell form.Span) (form.Span, bool) {
	v, quoted := bareCell(t.text, cell)
	s := t.text[v.Start:v.End]
	v.Kind = c.Kind()
	switch {
	case c == looks.NoSecret, c == looks.MaybeKey, len(s) < 4, looks.IsNoValue(s):
		return v, false
	case c == looks.KeyName:
		return v, keyCell(s) || t.logins && isMixedCell(s)
	case strings.ContainsAny(s, " \t"):
		isPhrase := t.isFile && looks.IsPhrase(s)
		return v, isPhrase || looks.HasSecretWord(s) && !looks.IsSentence(s)
	case chars.IsAny(s, looks.IsStrong, looks.IsMadeUp, looks.IsCoined, looks.HasInnerSign), isMixedCell(s):
		return v, true
	}
	return v, t.isFile && c == looks.PasswordName && isPlainCell(s, quoted)
}

// keyCell reports whether a cell is a key, and not the name of one.
func keyCell(s string) bool {
	if strings.Contains(s, " ") {
		return false
	}
	if looks.HasInnerSign(s) && looks.IsStrong(s) {
		return true
	}
	return looks.IsRandom(s) && len(s) >= 16 && looks.IsKeyLike(s)
}

// isMixedCell reports whether a cell has letters and digits, and is no path to a secret: prod/db1.
func isMixedCell(s string) bool {
	return looks.IsMixed(s) && !(strings.Contains(s, "/") && looks.IsNameOnly(s))
}

// isPlainCell reports whether a cell is a word or a number, as in a file of values.
func isPlainCell(s string, quoted bool) bool {
	isLong := quoted || len(s) >= 5
	return isLong && !strings.ContainsAny(s, " ()=<>/") && !looks.IsCodeLike(s)
}

// bareCell returns a cell without the quotes and the signs of a document around it.
func bareCell(text string, cell form.Span) (v form.Span, quoted bool) {
	v = cell
	for v.Start < v.End && strings.IndexByte(" \t\r\"'`*", text[v.Start]) >= 0 {
		quoted = quoted || chars.IsQuote(text[v.Start])
		v.Start++
	}
	cut := " \t\r*"
	if quoted {
		cut += "\"'`"
	}
	v.End = v.Start + len(strings.TrimRight(text[v.Start:v.End], cut))
	return v, quoted
}

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
	var names []string
	for _, c := range columns {
		names = append(names, text[c.Start:c.End])
	}
	t := newTable(names)
	if t == nil {
		return nil, max(i, end)
	}
	t.text, t.sign, t.logins, t.isFile = text, "\t", true, true
	if line := form.LineAt(text, end); strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "from stdin") {
		return t.secretsIn(min(len(text), end+len(line)+1))
	}
	return t.tuples(end)
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
		cells, end := splitTuple(t.text, i)
		if end < 0 {
			return found, i
		}
		for n := range cells {
			cells[n] = literalIn(t.text, cells[n])
		}
		found = append(found, t.secretsOf(cells)...)
		i = end
	}
}

var literal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'[^']*'|"[^"]*"`) })

// literalIn returns the first text in quotes in a cell: crypt('…', gen_salt('bf')).
// What is a name or a number is no text.
func literalIn(text string, cell form.Span) form.Span {
	if m := literal().FindStringIndex(text[cell.Start:cell.End]); m != nil {
		return form.Span{Start: cell.Start + m[0], End: cell.Start + m[1]}
	}
	return form.Span{}
}

// splitTuple returns what stands between the bracket at open, commas, and the bracket
// that closes it, and where that is; −1 if there is none.
func splitTuple(text string, open int) (cells []form.Span, end int) {
	if chars.ByteAt(text, open) != '(' {
		return nil, -1
	}
	depth, quote, start := 0, byte(0), open+1
	for i := open; i < min(len(text), open+maxList); i++ {
		c := text[i]
		switch {
		case c == quote:
			quote = 0
		case quote != 0:
		case chars.IsQuote(c):
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
