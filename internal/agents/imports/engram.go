package imports

import (
	"cmp"
	"context"
	"time"

	"recollect/internal/memory"
)

// engramSources maps engram's types of observations to sources. Others, which
// can be any word, become notes: what its user saved by hand, configuration,
// discoveries and lessons.
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

// engram reads the database of engram: observations, the closing summaries of
// sessions, which become handoffs, and prompts.
func (r *reader) engram(ctx context.Context) error {
	db, err := r.open("engram.db", mark{"sessions", ""}, mark{"observations", "topic_key"}, mark{"observations", "tool_name"})
	if err != nil {
		return err
	}
	defer db.Close()
	e := engram{reader: r, sessions: map[string]record{}}
	return r.eachOf(ctx, db,
		tableReader{"sessions", e.session},
		tableReader{"observations", e.observation},
		tableReader{"user_prompts", e.prompt},
	)
}

type engram struct {
	*reader
	sessions map[string]record
}

// newMemory returns a memory with the fields that are common to all records.
func (e *engram) newMemory(row record, session string, source memory.Source) memory.Draft {
	s := e.sessions[session]
	m := memory.Draft{Memory: memory.Memory{Source: source, Origin: memory.OriginAssistant, Session: session, OccurredAt: when(0, row.text("created_at"))}}
	m.SetHome(e.projectOf(s.text("directory"), cmp.Or(row.text("project"), s.text("project"))))
	return m
}

func (e *engram) session(row record) error {
	id := row.text("id")
	e.sessions[id] = row
	summary := row.text("summary")
	if summary == "" {
		return nil
	}
	m := e.newMemory(row, id, memory.Handoffs)
	m.OccurredAt = when(0, row.text("ended_at", "started_at"))
	m.Title, m.Text = firstLine(summary)
	return e.emit(m, "sessions", row.text("started_at"), id)
}

func (e *engram) observation(row record) error {
	if row.text("deleted_at") != "" {
		return nil
	}
	kind := row.text("type")
	m := e.newMemory(row, row.text("session_id"), cmp.Or(engramSources[kind], memory.Inbox))
	m.Title, m.Text = row.text("title"), row.text("content")
	m.Tags = tags(kind, tag("topic", row.text("topic_key")), tag("tool", row.text("tool_name")))
	if row.text("scope") == "personal" {
		m.AppliesTo = "global"
	}
	m.LastSeen = latest(m.OccurredAt, when(0, row.text("updated_at")), when(0, row.text("last_seen_at")))
	return e.emit(m, "observations", row.text("created_at"), row.text("id"))
}

func (e *engram) prompt(row record) error {
	m := e.newMemory(row, row.text("session_id"), memory.Episodes)
	m.Origin, m.Title = memory.OriginUser, row.text("content")
	return e.emit(m, "user_prompts", row.text("created_at"), row.text("id"))
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
