package sqlite

import (
	"encoding/binary"
	"errors"
	"strings"
)

var errStopped = errors.New("stopped")

// A table is where its rows begin and what its columns are called. err says
// why it cannot be read, for whoever wants to.
type table struct {
	root    uint32
	columns []string
	rowid   int // the column that stands for the rowid, or −1
	err     error
}

// row names the values of a row.
func (t *table) row(rowid int64, values []any) Row {
	row := make(Row, len(t.columns))
	for i, v := range values[:min(len(values), len(t.columns))] {
		row[t.columns[i]] = v
		if i == t.rowid && v == nil {
			row[t.columns[i]] = rowid
		}
	}
	return row
}

// readSchema reads the table of tables, which begins on the first page. A
// database that has not been written to yet has none. The text encoding is only
// settled by the first write, which the log may hold.
func (db *DB) readSchema() error {
	first, err := db.page(1)
	if err != nil {
		return err
	}
	if db.encoding = binary.BigEndian.Uint32(first[56:]); db.encoding > utf16be {
		return errDamaged
	}
	db.tables = map[string]table{}
	schema := table{columns: []string{"type", "name", "tbl_name", "rootpage", "sql"}, rowid: -1}
	return db.walk(1, func(rowid int64, values []any) bool {
		row := schema.row(rowid, values)
		if root := row.Int("rootpage"); row.Text("type") == "table" && root > 0 && root <= int64(db.pages) {
			t := parseTable(row.Text("sql"))
			t.root = uint32(root)
			db.tables[row.Text("name")] = t
		}
		return true
	})
}

// parseTable reads the columns from a CREATE TABLE statement.
func parseTable(sql string) table {
	t := table{rowid: -1}
	words := lex(sql)
	depth, column := 0, []token(nil)
	for _, w := range words {
		switch {
		case w.is("("):
			if depth++; depth == 1 {
				continue
			}
		case w.is(")"):
			depth--
		case depth == 0 && w.is("WITHOUT"):
			t.err = errors.New("it has no rowids")
		}
		if depth == 0 && w.is(")") || depth == 1 && w.is(",") {
			t.add(column)
			column = nil
		} else if depth == 1 {
			column = append(column, w)
		}
	}
	return t
}

// add adds a column, unless its definition is a constraint of the table.
func (t *table) add(definition []token) {
	if len(definition) == 0 {
		return
	}
	for _, constraint := range []string{"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"} {
		if definition[0].is(constraint) {
			return
		}
	}
	if len(definition) >= 4 && definition[1].is("INTEGER") && definition[2].is("PRIMARY") && definition[3].is("KEY") {
		t.rowid = len(t.columns)
	}
	for _, w := range definition[1:] {
		if w.is("AS") {
			t.err = errors.New("it has generated columns")
		}
	}
	t.columns = append(t.columns, definition[0].text)
}

// A token is a word, a sign, or a quoted name or text.
type token struct {
	text   string
	quoted bool
}

func (t token) is(word string) bool { return !t.quoted && strings.EqualFold(t.text, word) }

// lex cuts a statement into tokens and drops comments.
func lex(sql string) []token {
	var out []token
	for sql != "" {
		c := sql[0]
		switch {
		case strings.HasPrefix(sql, "--"):
			_, sql, _ = strings.Cut(sql, "\n")
		case strings.HasPrefix(sql, "/*"):
			_, sql, _ = strings.Cut(sql[2:], "*/")
		case strings.IndexByte("'\"`[", c) >= 0:
			var text string
			text, sql = quoted(sql)
			out = append(out, token{text, true})
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			sql = sql[1:]
		default:
			n := strings.IndexAny(sql, " \t\r\n\f'\"`[(),")
			if n == 0 {
				n = 1
			} else if n < 0 {
				n = len(sql)
			}
			out = append(out, token{sql[:n], false})
			sql = sql[n:]
		}
	}
	return out
}

// quoted returns the text in quotes that sql begins with, and what follows. A
// quote within it is doubled.
func quoted(sql string) (text, rest string) {
	end := sql[:1]
	if end == "[" {
		end = "]"
	}
	sql = sql[1:]
	for {
		part, after, ok := strings.Cut(sql, end)
		text += part
		if !ok || end == "]" || !strings.HasPrefix(after, end) {
			return text, after
		}
		text += end
		sql = after[1:]
	}
}
