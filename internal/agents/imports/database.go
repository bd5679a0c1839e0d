package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// A mark of a program's database is a table, or a column of a table.
type mark struct{ table, column string }

// open opens a program's database: the file at path, or the one with the given
// name in a folder at path. The presence of one of the marks shows that it
// belongs to the program; what else is missing was never there, or is lost.
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

// maxEpoch is the first moment that RFC 3339 cannot write, in milliseconds.
const maxEpoch = 253402300800000

// when parses a time: milliseconds since 1970 if given, otherwise text as
// SQLite or JavaScript write it, in UTC unless it has a zone. If it cannot be
// read, when returns the zero time.
func when(epoch int64, text string) time.Time {
	if epoch > 0 && epoch < maxEpoch {
		return time.UnixMilli(epoch).UTC()
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// stringList reads a column that contains a list of strings as JSON. Anything
// else is returned unchanged as the only element.
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
	return tags(out...)
}

// bullets puts a dash before each of the lines.
func bullets(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "- " + strings.Join(lines, "\n- ")
}

// projectOf returns the project of a folder if it has the given name, else a
// project with only that name.
func (r *reader) projectOf(dir, name string) memory.Project {
	if filepath.IsAbs(dir) {
		if p := r.project(dir); name == "" || strings.EqualFold(p.Name, name) || strings.EqualFold(filepath.Base(dir), name) {
			return p
		}
	}
	return memory.Project{Name: name}
}

// within makes paths below a project relative to it.
func within(home memory.Project, paths ...string) []string {
	for i, path := range paths {
		if home.Path != "" && filepath.IsAbs(path) {
			if rel, err := filepath.Rel(home.Path, path); err == nil && filepath.IsLocal(rel) {
				path = rel
			}
		}
		paths[i] = filepath.ToSlash(path)
	}
	return paths
}
