package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// Bounds of a table: bytes of its header on either side of a keyword, columns,
// and bytes of a row.
const (
	maxHeader  = 600
	maxColumns = 64
)

// A table is read from the header that names a secret on:
//
//	| User | Password |      user,password     USER   PASSWORD     Accounts (user / password):
//	|------|----------|      ada,…             ada    …            - ada / …
//	| ada  | …        |
type table struct {
	text    string
	columns []looks.Class
	split   func(line string, offset int) []form.Span // the cells of a row
	named   bool                                      // one of the columns names a user
	logins  bool                                      // who logs in with the secret beside
	prose   bool                                      // cells may be words of a document, not values
	prefix  bool                                      // rows may begin with the sign of a list
	loose   bool                                      // a space follows the signs between cells, as in a program
}

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
	t, rows := headerOf(l.text, from, to, start)
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
	end := p.to
	for end < len(l.text) && strings.IndexByte("\"'`*_]", l.text[end]) >= 0 {
		end++
	}
	if !endsHeading(l.text[end:]) {
		return false
	}
	return p.isName() && p.classOfName() != looks.NoSecret || strings.EqualFold(l.text[p.from:p.to], "passe")
}

// endsHeading reports whether the name of a column may end before s.
func endsHeading(s string) bool {
	first := chars.ByteAt(s, 0)
	if chars.IsOneOf(first, "|,;/:\t\r\n)") {
		return true
	}
	return first == ' ' && chars.IsOneOf(chars.ByteAt(s, 1), " |/-(\xe2:")
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

// headerOf returns the table whose header the line text[from:to] is, which has the
// keyword at i, and where its rows begin; nil if it is none.
func headerOf(text string, from, to, i int) (*table, int) {
	line, next := text[from:to], to+1
	has := signsOf(line)
	below := form.LineAt(text, next)
	switch {
	case has['|'] && isRuled(below):
		return newTable(text, splitPipes(line), line, from, true), next + len(below) + 1
	case has['|'] && strings.HasPrefix(strings.TrimSpace(line), "||"):
		return newTable(text, splitWiki, line, from, true), next
	case strings.ContainsAny(line, "={}$<!?&@%\\") || line[len(line)-1] == '.':
		return nil, 0
	case strings.TrimSpace(line) == "":
		return nil, 0
	case has[':'], has['/'] && !has[','] && !has[';'], has[','] && strings.HasSuffix(strings.TrimRight(line, " \t\r"), ","):
		return listHeader(text, line, i-from), next
	}
	above := lineBefore(text, from)
	if t := separatedHeader(text, from, line, above, below); t != nil {
		return t, next
	}
	if t := listHeader(text, line, i-from); t != nil {
		return t, next
	}
	if !isAlignedHeader(line, above) {
		return nil, 0
	}
	t := newTable(text, splitWide, line, from, true)
	if t == nil || !t.named {
		return nil, 0
	}
	if isDashed(below) {
		next += len(below) + 1
	}
	t.split = splitAligned(splitWide(line, 0))
	return t, next
}

// isAlignedHeader reports whether line is the first whose columns spaces align.
func isAlignedHeader(line, above string) bool {
	isAligned := func(s string) bool { return strings.Contains(strings.TrimLeft(s, " \t"), "  ") }
	return isAligned(line) && (!isAligned(above) || isDashed(above))
}

// separatedHeader returns the table whose header the line at from is, with the sign between its
// cells that the line below has too, but not the line above.
func separatedHeader(text string, from int, line, above, below string) *table {
	for _, sign := range []byte(",;\t|") {
		n := strings.Count(line, string(sign))
		if n == 0 || line[0] == sign {
			continue
		}
		if strings.Count(below, string(sign)) < n || strings.Count(above, string(sign)) >= n {
			continue
		}
		split := splitAt(sign)
		if t := newTable(text, split, line, from, false); t != nil && t.named && len(split(below, 0)) == len(t.columns) {
			t.loose = strings.Contains(line, string(sign)+" ")
			return t
		}
	}
	return nil
}

// lineBefore returns the line before the one that begins at i, or its end.
func lineBefore(text string, i int) string {
	if i == 0 {
		return ""
	}
	above := text[max(0, i-1-maxHeader) : i-1]
	return above[strings.LastIndexByte(above, '\n')+1:]
}

// signsOf returns which bytes a line has.
func signsOf(line string) (has [256]bool) {
	for i := range len(line) {
		has[line[i]] = true
	}
	return has
}

// newTable returns the table with a header, nil if that names no secret, or is
// something else than names.
func newTable(text string, split func(string, int) []form.Span, line string, offset int, prose bool) *table {
	cells := split(line, offset)
	if len(cells) < 2 || len(cells) > maxColumns {
		return nil
	}
	t := &table{text: text, split: split, prose: prose}
	secret := false
	for _, c := range cells {
		name, ok := columnName(text[c.Start:c.End])
		if !ok {
			return nil
		}
		class := looks.ClassOf(strings.ReplaceAll(name, " ", "_"))
		if words := looks.NameParts(name); class == looks.NoSecret && len(words) > 0 && slices.Contains(seedNames, words[len(words)-1]) {
			class = looks.KeyName
		}
		t.named = t.named || namesUser(name)
		t.columns = append(t.columns, class)
		secret = secret || class != looks.NoSecret && class != looks.MaybeKey
		t.logins = t.logins || slices.Contains(loginNames, strings.ToLower(name))
	}
	if !secret {
		return nil
	}
	return t
}

const maxColumnName = 40

// columnName returns the name that a cell of a header is, without the signs of a
// document, of a diff and of the number of a line around it.
func columnName(cell string) (string, bool) {
	if i := strings.Index(cell, "→"); i >= 0 && strings.Trim(cell[:i], " "+chars.Digits) == "" {
		cell = cell[i+len("→"):]
	}
	name := strings.Trim(cell, " \t\r\"'`*_#>+-[]\ufeff")
	if len(name) == 0 {
		return "", true
	}
	if i := strings.IndexByte(name, '('); i > 0 {
		name = strings.TrimSpace(name[:i])
	}
	if len(name) > maxColumnName || strings.Count(name, " ") > 3 {
		return "", false
	}
	for i := range len(name) {
		if c := name[i]; !chars.IsInAnyName(c) && c != ' ' && c != '/' {
			return "", false
		}
	}
	return name, true
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
	if t.prefix && strings.TrimSpace(form.LineAt(t.text, i)) == "" {
		i = min(i+len(form.LineAt(t.text, i))+1, len(t.text)) // below a heading
	}
	for i < len(t.text) {
		line := form.LineAt(t.text, i)
		next := i + len(line) + 1
		if len(line) > form.MaxRow || strings.TrimSpace(line) == "" {
			break
		}
		cells := t.split(line, i)
		if len(cells) != len(t.columns) {
			if isRuled(line) || t.prefix && len(cells) > 0 {
				i = next
				continue
			}
			break
		}
		for n, c := range cells {
			if v, ok := t.secretIn(t.columns[n], c); ok {
				found = append(found, v)
			}
		}
		i = next
	}
	return found, min(i, len(t.text))
}

// secretIn returns what of a cell is secret.
func (t *table) secretIn(c looks.Class, cell form.Span) (form.Span, bool) {
	switch {
	case c == looks.NoSecret, c == looks.MaybeKey, c == looks.MaybePassword && !t.named:
		return form.Span{}, false
	}
	v, quoted := bareCell(t.text, cell)
	s := t.text[v.Start:v.End]
	switch {
	case len(s) < 4, looks.IsNoValue(s), strings.Contains(s, looks.MarkerStart), len(s) > maxInner && c != looks.KeyName:
		return form.Span{}, false
	}
	v.Kind = "password"
	if c == looks.KeyName {
		v.Kind = "secret"
		return v, keyCell(s) || t.logins && isMixedCell(s)
	}
	switch {
	case strings.ContainsAny(s, " \t"):
		return v, t.isPassphrase(s, quoted)
	case t.loose:
		return v, looks.IsStrong(s) || looks.IsMadeUp(s)
	case chars.IsAny(s, looks.IsStrong, looks.IsMadeUp, looks.IsCoined, looks.HasInnerSign), isMixedCell(s):
		return v, true
	}
	listsLogins := t.logins && !t.prose
	return v, listsLogins && c == looks.PasswordName && plainCell(s, quoted)
}

// isPassphrase reports whether a cell of several words is a secret.
func (t *table) isPassphrase(s string, quoted bool) bool {
	if looks.IsPhrase(s) && (quoted || !t.prose) {
		return true
	}
	return looks.HasSecretWord(s) && !looks.IsSentence(s)
}

// keyCell reports whether a cell is a key, and not the name of one.
func keyCell(s string) bool {
	switch {
	case strings.Contains(s, " "):
		return false
	case looks.IsUUID(s), looks.IsHex(s) && len(s) >= 32, looks.HasInnerSign(s) && looks.IsStrong(s):
		return true
	}
	return looks.IsRandom(s) && len(s) >= 16 && looks.IsKeyLike(s)
}

// plainCell reports a word, or a number, in a file of values.
func isMixedCell(s string) bool { return looks.IsMixed(s) && !nameWithPath(s) }

func plainCell(s string, quoted bool) bool {
	isLong := quoted || len(s) >= 5
	return isLong && !strings.ContainsAny(s, " ()=<>/") && !looks.IsCodeLike(s)
}

// nameWithPath reports whether s is where a secret lies: prod/db1.
func nameWithPath(s string) bool { return strings.Contains(s, "/") && looks.IsNameOnly(s) }

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
