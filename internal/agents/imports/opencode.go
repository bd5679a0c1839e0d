package imports

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// sessionID is what OpenCode calls a session; nothing else becomes the name of a file.
var sessionID = regexp.MustCompile(`^ses_\w+$`)

// UnpackOpenCode writes each session of OpenCode's database into a file in dir, in the form of an
// export with a message a line, and returns their paths. Sessions of sub-agents are left out: the
// call that started one has its result. A session that cannot be read is passed to skip.
func UnpackOpenCode(ctx context.Context, path, dir string, skip func(error)) ([]string, error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var sessions []record
	left := func(why error) error { skip(why); return nil }
	err = db.each(ctx, "session", left, func(row record) error {
		if sessionID.MatchString(row.text("id")) && row.text("parent_id") == "" {
			sessions = append(sessions, row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var files []string
	for _, session := range sessions {
		lines, err := db.openCodeSession(ctx, session)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			skip(fmt.Errorf("session %s: %w", session.text("id"), err))
			continue
		}
		file := filepath.Join(dir, session.text("id")+".jsonl")
		if err := os.WriteFile(file, lines, 0o600); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// An openCodeLine is a session, or a message with its parts.
type openCodeLine struct {
	Info  any               `json:"info"`
	Parts []json.RawMessage `json:"parts,omitempty"`
}

// openCodeSession returns a session as lines of JSON. Rows that are not JSON are left out.
func (db *database) openCodeSession(ctx context.Context, session record) ([]byte, error) {
	id := session.text("id")
	parts := map[string][]json.RawMessage{}
	err := db.eachData(ctx, "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id", id, func(message, data string) {
		if json.Valid([]byte(data)) {
			parts[message] = append(parts[message], json.RawMessage(data))
		}
	})
	if err != nil {
		return nil, err
	}
	lines := []openCodeLine{{Info: map[string]string{"id": id, "directory": session.text("directory")}}}
	err = db.eachData(ctx, "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", id, func(message, data string) {
		var info map[string]json.RawMessage
		if json.Unmarshal([]byte(data), &info) != nil || info == nil {
			return
		}
		if quoted, err := json.Marshal(message); err == nil {
			info["id"] = quoted
		}
		lines = append(lines, openCodeLine{info, parts[message]})
	})
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, l := range lines {
		line, err := json.Marshal(l)
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), '\n')
	}
	return out, nil
}

// eachData passes the two columns of the rows that a query with one argument gives to f.
func (db *database) eachData(ctx context.Context, query, argument string, f func(id, data string)) error {
	ctx, cancel := context.WithTimeout(ctx, maxReading)
	defer cancel()
	rows, err := db.QueryContext(ctx, query, argument)
	if err != nil {
		return db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, data sql.NullString
		if err := rows.Scan(&id, &data); err != nil {
			return db.explain(err)
		}
		if db.budget -= int64(len(id.String) + len(data.String) + 8); db.budget < 0 {
			return fmt.Errorf("read database %s: %w", db.path, errTooMuch)
		}
		f(id.String, data.String)
	}
	return db.explain(rows.Err())
}
