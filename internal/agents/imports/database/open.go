package database

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents/imports/record"
)

// A mark of a program's database is a table, or a column of a table.
type mark struct{ table, column string }

// open opens a program's database: the file at path, or the one with the given name in a folder at path.
// One of the marks must be present, to show that the file belongs to the program. Anything else may be
// missing.
func (r *reader) open(name string, marks ...mark) (*database, error) {
	path := r.path
	if fi, err := os.Stat(path); err != nil {
		return nil, err
	} else if fi.IsDir() {
		path = filepath.Join(path, filepath.FromSlash(name))
	}
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	for _, m := range marks {
		columns, err := db.columns(m.table)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		if len(columns) > 0 && (m.column == "" || slices.Contains(columns, m.column)) {
			return db, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("%s is no database of %s: it has no table %s", path, r.program, marks[0].table), db.Close())
}

// stringList reads a column that contains a JSON list of strings. It returns any other text as the only
// element.
func stringList(column string) []string {
	column = strings.TrimSpace(column)
	if column == "" || column == "null" {
		return nil
	}
	var parts []any
	if err := json.Unmarshal([]byte(column), &parts); err != nil {
		return []string{column}
	}
	out := make([]string, 0, len(parts))
	for _, p := range parts {
		if word, ok := p.(string); ok {
			out = append(out, word)
		} else if b, err := json.Marshal(p); err == nil {
			out = append(out, string(b))
		}
	}
	return record.Tags(out...)
}

// bullets puts a dash before each line.
func bullets(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "- " + strings.Join(lines, "\n- ")
}

// labelled returns "label: text", or nothing if the text is empty.
func labelled(label, text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return label + ": " + text
}

// fields returns the named fields that are not empty, or nil. pairs alternate name and text.
func fields(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if text := strings.TrimSpace(pairs[i+1]); text != "" {
			out[pairs[i]] = text
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
