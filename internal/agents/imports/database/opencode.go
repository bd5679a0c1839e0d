package database

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"recollect/internal/agents/imports/record"
)

// openCode writes each session of OpenCode's database in the form of an export with one message a line.
// It leaves out the sessions of sub-agents, because the call that started one has its result.
func (r *reader) openCode(ctx context.Context) error {
	db, err := openDatabase(r.path)
	if err != nil {
		return err
	}
	defer db.Close()
	var sessions []tableRow
	err = db.each(ctx, "session", r.skip, func(row tableRow) error {
		if record.IsSession(row.text("id")) && row.text("parent_id") == "" {
			sessions = append(sessions, row)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, session := range sessions {
		if err := r.openCodeSession(ctx, db, session); err != nil {
			return err
		}
	}
	return nil
}

// openCodeSession writes a session, as a whole or not at all.
func (r *reader) openCodeSession(ctx context.Context, db *database, session tableRow) error {
	id := session.text("id")
	lines, err := db.openCodeSession(ctx, session)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return r.skip(fmt.Errorf("session %s: %w", id, err))
	}
	for _, line := range lines {
		if err := r.out.Message(id, line); err != nil {
			return err
		}
	}
	return nil
}

// An openCodeLine is a session, or a message with its parts.
type openCodeLine struct {
	Info  any               `json:"info"`
	Parts []json.RawMessage `json:"parts,omitempty"`
}

// openCodeSession returns a session as lines of JSON. It leaves out rows that are not JSON.
func (db *database) openCodeSession(ctx context.Context, session tableRow) ([]json.RawMessage, error) {
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
	out := make([]json.RawMessage, len(lines))
	for i, l := range lines {
		if out[i], err = json.Marshal(l); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// eachData runs a query with one argument and calls f with the two columns of each row.
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
