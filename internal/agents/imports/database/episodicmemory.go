package database

import (
	"context"
	"path/filepath"
	"slices"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
)

// episodicMemory reads the database of episodic-memory.
func (r *reader) episodicMemory(ctx context.Context) error {
	db, err := r.open("", mark{"exchanges", ""}, mark{"session_summaries", "one_liner"})
	if err != nil {
		return err
	}
	defer db.Close()
	tools := map[string][]string{}
	return r.eachOf(ctx, db,
		tableReader{"tool_calls", func(row tableRow) error {
			id, name := row.text("exchange_id"), "tool:"+row.text("tool_name")
			if !slices.Contains(tools[id], name) {
				tools[id] = append(tools[id], name)
			}
			return nil
		}},
		tableReader{"exchanges", func(row tableRow) error { return r.exchange(row, tools[row.text("id")]) }},
		tableReader{"session_summaries", r.sessionSummary},
	)
}

func (r *reader) exchange(row tableRow, tools []string) error {
	rec := record.Record{
		Source: memory.Episodes, Origin: memory.OriginAssistant, Session: row.text("session_id"),
		Title: row.text("user_message"), Text: row.text("assistant_message"),
		OccurredAt: record.Time(0, row.text("timestamp")),
		Tags:       slices.Concat(record.Tags(record.Tag("branch", row.text("git_branch")), record.Tag("model", row.text("model"))), tools),
		Project:    row.text("project"),
	}
	if row.number("is_sidechain") != 0 {
		rec.Tags = append(rec.Tags, "sidechain")
	}
	// The archive's project is the name of a folder in it.
	if dir := row.text("cwd"); filepath.IsAbs(dir) {
		rec.Folder, rec.Project = dir, ""
	}
	return r.emit(rec, "exchanges", row.text("id"))
}

// sessionSummary reads a row of a table that only some versions have.
func (r *reader) sessionSummary(row tableRow) error {
	list := func(label, column string) string {
		if lines := stringList(row.text(column)); len(lines) > 0 {
			return label + ":\n" + bullets(lines)
		}
		return ""
	}
	return r.emit(record.Record{
		Source: memory.Handoffs, Origin: memory.OriginAssistant, Session: row.text("session_id"),
		Title:      row.text("one_liner"),
		Text:       record.Join("\n", row.text("detailed"), list("Decisions", "decisions"), list("Work items", "work_items")),
		Fields:     fields("done", bullets(stringList(row.text("outcomes"))), "next", bullets(stringList(row.text("next_steps")))),
		Files:      stringList(row.text("files_modified")),
		Tags:       slices.Concat(stringList(row.text("tags")), stringList(row.text("tools_used"))),
		OccurredAt: record.Time(0, row.text("timestamp")),
		Project:    row.text("project"),
	}, "session_summaries", row.text("id"))
}
