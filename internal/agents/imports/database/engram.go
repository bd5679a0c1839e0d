package database

import (
	"cmp"
	"context"
	"time"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
)

// engramSources maps engram's types of observations to sources. A type can be any word; others become
// notes, such as configuration, discoveries, lessons, and what users saved by hand.
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

// engram reads the database of engram: observations, final summaries of sessions, which become handoffs,
// and prompts.
func (r *reader) engram(ctx context.Context) error {
	db, err := r.open("engram.db", mark{"sessions", ""}, mark{"observations", "topic_key"}, mark{"observations", "tool_name"})
	if err != nil {
		return err
	}
	defer db.Close()
	e := engram{reader: r, sessions: map[string]tableRow{}}
	return r.eachOf(ctx, db,
		tableReader{"sessions", e.session},
		tableReader{"observations", e.observation},
		tableReader{"user_prompts", e.prompt},
	)
}

type engram struct {
	*reader
	sessions map[string]tableRow
}

// newRecord returns a record with the fields that are common to all kinds.
func (e *engram) newRecord(row tableRow, session string, source memory.Source) record.Record {
	s := e.sessions[session]
	return record.Record{
		Source: source, Origin: memory.OriginAssistant, Session: session, OccurredAt: record.Time(0, row.text("created_at")),
		Folder: s.text("directory"), Project: cmp.Or(row.text("project"), s.text("project")),
	}
}

func (e *engram) session(row tableRow) error {
	id := row.text("id")
	e.sessions[id] = row
	summary := row.text("summary")
	if summary == "" {
		return nil
	}
	rec := e.newRecord(row, id, memory.Handoffs)
	rec.OccurredAt = record.Time(0, row.text("ended_at", "started_at"))
	rec.Title, rec.Text = record.FirstLine(summary)
	return e.emit(rec, "sessions", row.text("started_at"), id)
}

func (e *engram) observation(row tableRow) error {
	if row.text("deleted_at") != "" {
		return nil
	}
	kind := row.text("type")
	rec := e.newRecord(row, row.text("session_id"), cmp.Or(engramSources[kind], memory.Inbox))
	rec.Title, rec.Text = row.text("title"), row.text("content")
	rec.Tags = record.Tags(kind, record.Tag("topic", row.text("topic_key")), record.Tag("tool", row.text("tool_name")))
	if row.text("scope") == "personal" {
		rec.AppliesTo = "global"
	}
	rec.LastSeen = latest(rec.OccurredAt, record.Time(0, row.text("updated_at")), record.Time(0, row.text("last_seen_at")))
	return e.emit(rec, "observations", row.text("created_at"), row.text("id"))
}

func (e *engram) prompt(row tableRow) error {
	rec := e.newRecord(row, row.text("session_id"), memory.Episodes)
	rec.Origin, rec.Title = memory.OriginUser, row.text("content")
	return e.emit(rec, "user_prompts", row.text("created_at"), row.text("id"))
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
