// Package nesting limits how deep a text nests, before it is decoded. The time and memory of a TOML
// decoder grow with the square of the depth: 60 KB of braces take more than a gigabyte. A JSON decoder
// needs stack.
package nesting

// A Limit is how deep a text may nest.
type Limit struct {
	Names  int  // parts of a key or a heading: a.b.c has three
	Values int  // arrays and inline tables within each other
	Arrays bool // arrays of tables, [[name]], are allowed
}

// TooDeep returns the first line of a TOML text that nests deeper than the limit, or 0. If the text is
// not TOML, it checks at least the part before the mistake.
func TooDeep(text string, limit Limit) (line int) {
	s := scanner{text: text, line: 1, limit: limit}
	s.statement()
	for s.at < len(s.text) {
		if !s.step() {
			return s.line
		}
	}
	return 0
}

// A scanner reads a TOML text by its punctuation.
type scanner struct {
	text  string
	at    int
	line  int
	limit Limit

	open    []byte // the open brackets in a value
	heading bool   // between the brackets of a heading
	key     bool   // in or before a key
	begins  bool   // the statement has only blanks so far
	names   int    // number of parts of this key or heading
}

// statement begins another key or heading.
func (s *scanner) statement() { s.heading, s.key, s.begins, s.names = false, true, true, 1 }

// step reads the next piece. It returns false if that nests too deep.
func (s *scanner) step() bool {
	c := s.text[s.at]
	switch c {
	case ' ', '\t', '\r':
		s.at++
		return true
	case '\n':
		s.at++
		s.line++
		if len(s.open) == 0 {
			s.statement()
		}
		return true
	case '#':
		for s.at < len(s.text) && s.text[s.at] != '\n' {
			s.at++
		}
		return true
	case '"', '\'':
		s.begins = false
		s.quoted(c)
		return true
	}
	fits := s.punctuation(c)
	s.begins = false
	s.at++
	return fits
}

// punctuation reads a character outside quotes. It returns false if that nests too deep.
func (s *scanner) punctuation(c byte) bool {
	switch c {
	case '.':
		if s.key || s.heading {
			s.names++
		}
	case '=':
		s.key = false
	case ',':
		s.next(len(s.open) > 0 && s.open[len(s.open)-1] == '{')
	case '[', '{':
		return s.bracket(c)
	case ']', '}':
		if len(s.open) > 0 {
			s.open = s.open[:len(s.open)-1]
		}
		s.heading, s.key = false, false
	}
	return s.names <= s.limit.Names
}

// next begins the key or value after a comma or a brace.
func (s *scanner) next(key bool) { s.key, s.names = key, 1 }

// bracket opens a heading, an array or an inline table.
func (s *scanner) bracket(c byte) bool {
	if atStart := len(s.open) == 0 && (s.begins || s.heading); atStart && c == '[' {
		again := s.heading // [[
		s.heading, s.key = true, false
		return !again || s.limit.Arrays
	}
	s.open = append(s.open, c)
	s.next(c == '{')
	return len(s.open) <= s.limit.Values
}

// endsLine reports whether the line or the text ends after the current character.
func (s *scanner) endsLine() bool {
	return s.at+1 == len(s.text) || s.text[s.at+1] == '\n'
}

// quoted skips a text in quotes. A text in single quotes ends with its line at the latest.
func (s *scanner) quoted(quote byte) {
	three := string([]byte{quote, quote, quote})
	long := len(s.text)-s.at >= 3 && s.text[s.at:s.at+3] == three
	s.at++
	if long {
		s.at += 2
	}
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == '\\' && quote == '"' && !s.endsLine():
			s.at++
		case c == '\n' && !long:
			return
		case c == '\n':
			s.line++
		case c == quote && !long:
			s.at++
			return
		case c == quote && len(s.text)-s.at >= 3 && s.text[s.at:s.at+3] == three:
			s.at += 3
			for range 2 { // the text itself may end with two
				if s.at < len(s.text) && s.text[s.at] == quote {
					s.at++
				}
			}
			return
		}
		s.at++
	}
}
