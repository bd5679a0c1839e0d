package foreign

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
)

// sessionID is what OpenCode calls a session; nothing else becomes the name of a file.
var sessionID = regexp.MustCompile(`^ses_\w+$`)

// UnpackOpenCode writes each session of OpenCode's database into a file in dir, in the form of an
// export with a message a line, and returns their paths. Sessions of sub-agents are left out: the
// call that started one has its result.
func UnpackOpenCode(path, dir string) ([]string, error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var sessions []record
	err = db.each("session", func(row record) error {
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
		lines, err := db.openCodeSession(session)
		if err != nil {
			return nil, err
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
func (db *database) openCodeSession(session record) ([]byte, error) {
	id := session.text("id")
	parts := map[string][]json.RawMessage{}
	err := db.eachData("SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id", id, func(message, data string) {
		if json.Valid([]byte(data)) {
			parts[message] = append(parts[message], json.RawMessage(data))
		}
	})
	if err != nil {
		return nil, err
	}
	lines := []openCodeLine{{Info: map[string]string{"id": id, "directory": session.text("directory")}}}
	err = db.eachData("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", id, func(message, data string) {
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
func (db *database) eachData(query, argument string, f func(id, data string)) error {
	rows, err := db.Query(query, argument)
	if err != nil {
		return db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, data string
		if err := rows.Scan(&id, &data); err != nil {
			return db.explain(err)
		}
		f(id, data)
	}
	return db.explain(rows.Err())
}
