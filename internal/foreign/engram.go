package foreign

import (
	"time"

	"recollect/internal/memory"
	"recollect/internal/sqlite"
)

// engramSources are the sources of engram's types of observations. Others,
// which are any word, are notes: what its user saved by hand, configuration,
// what was found out and learned.
var engramSources = map[string]memory.Source{
	"decision":        memory.Journal,
	"architecture":    memory.Journal,
	"bugfix":          memory.Failures,
	"pattern":         memory.Patterns,
	"preference":      memory.Preferences,
	"session_summary": memory.Handoffs,
	"tool_use":        memory.Episodes,
	"file_change":     memory.Episodes,
	"command":         memory.Episodes,
	"file_read":       memory.Episodes,
	"search":          memory.Episodes,
}

// engram reads the database of engram: observations, what was said at the end
// of sessions, which are handoffs, and prompts.
func (r *reader) engram() error {
	db, err := r.open("engram.db", "sessions", "observations")
	if err != nil {
		return err
	}
	defer db.Close()
	e := engram{reader: r, sessions: map[string]sqlite.Row{}}
	for _, table := range []struct {
		name string
		row  func(sqlite.Row) error
	}{
		{"sessions", e.session},
		{"observations", e.observation},
		{"user_prompts", e.prompt},
	} {
		if err := each(db, table.name, table.row); err != nil {
			return err
		}
	}
	return nil
}

type engram struct {
	*reader
	sessions map[string]sqlite.Row
}

// begin makes a memory of what every record has.
func (e *engram) begin(row sqlite.Row, session string, source memory.Source) memory.Memory {
	s := e.sessions[session]
	project := row.Text("project")
	if project == "" {
		project = s.Text("project")
	}
	m := memory.Memory{Source: source, Origin: memory.OriginAssistant, Session: session, OccurredAt: when(0, row.Text("created_at"))}
	m.SetHome(e.home(s.Text("directory"), project))
	return m
}

func (e *engram) session(row sqlite.Row) error {
	id := row.Text("id")
	e.sessions[id] = row
	summary := row.Text("summary")
	if summary == "" {
		return nil
	}
	m := e.begin(row, id, memory.Handoffs)
	m.OccurredAt = when(0, row.Text("ended_at", "started_at"))
	m.Title, m.Text = firstLine(summary)
	return e.keep(m, "sessions", row.Text("started_at"), id)
}

func (e *engram) observation(row sqlite.Row) error {
	if row.Text("deleted_at") != "" {
		return nil
	}
	kind := row.Text("type")
	source, ok := engramSources[kind]
	if !ok {
		source = memory.Inbox
	}
	m := e.begin(row, row.Text("session_id"), source)
	m.Title, m.Text = row.Text("title"), row.Text("content")
	m.Tags = tags(kind, tag("topic", row.Text("topic_key")), tag("tool", row.Text("tool_name")))
	if row.Text("scope") == "personal" {
		m.AppliesTo = "global"
	}
	m.LastSeen = latest(m.OccurredAt, when(0, row.Text("updated_at")), when(0, row.Text("last_seen_at")))
	return e.keep(m, "observations", row.Text("created_at"), row.Text("id"))
}

func (e *engram) prompt(row sqlite.Row) error {
	m := e.begin(row, row.Text("session_id"), memory.Episodes)
	m.Origin, m.Title = memory.OriginUser, row.Text("content")
	return e.keep(m, "user_prompts", row.Text("created_at"), row.Text("id"))
}

// latest returns the last of the times after first, or zero.
func latest(first time.Time, times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(first) && t.After(last) {
			last = t
		}
	}
	return last
}
