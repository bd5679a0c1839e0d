package database

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
)

// claudeMemSources maps claude-mem's types of observations to sources. Other types, which its modes may
// add, become notes.
var claudeMemSources = map[string]memory.Source{
	"decision": memory.Journal,
	"bugfix":   memory.Failures,
	"feature":  memory.Episodes,
	"refactor": memory.Episodes,
	"change":   memory.Episodes,
}

// claudeMem reads the database of claude-mem: observations, summaries of sessions, which become handoffs,
// and prompts. It skips the sessions in which claude-mem itself watches those of the user.
func (r *reader) claudeMem(ctx context.Context) error {
	db, err := r.open("claude-mem.db", mark{"sdk_sessions", ""}, mark{"observations", "memory_session_id"},
		mark{"observations", "sdk_session_id"}, mark{"session_summaries", "memory_session_id"})
	if err != nil {
		return err
	}
	defer db.Close()
	c := claudeMem{reader: r, sessions: map[string]claudeMemSession{}, folders: map[string]string{}, observers: map[string]bool{}}
	ignore := func(error) error { return nil } // errors are reported when the table is read again
	if err := db.each(ctx, "user_prompts", ignore, c.observer); err != nil {
		return err
	}
	return r.eachOf(ctx, db,
		tableReader{"pending_messages", c.folder},
		tableReader{"tool_uses", c.folder},
		tableReader{"sdk_sessions", c.session},
		tableReader{"observations", c.observation},
		tableReader{"session_summaries", c.summary},
		tableReader{"user_prompts", c.prompt},
	)
}

type claudeMem struct {
	*reader
	folders   map[string]string           // folders of sessions, by Claude Code's id
	sessions  map[string]claudeMemSession // sessions, by either id
	observers map[string]bool             // sessions in which claude-mem watches others, by either id
}

type claudeMemSession struct{ id, project, title string }

// Project and prompts of the sessions in which claude-mem watches others.
const observersProject = "observer-sessions"

var observersPrompts = []string{"You are a Claude-Mem", "you are continuing to observe", "<observed_from_primary_session>"}

// sessionColumns contain the ids of a session, Claude Code's and claude-mem's.
var sessionColumns = []string{"content_session_id", "claude_session_id", "memory_session_id", "sdk_session_id"}

// observes reports whether a row belongs to a session in which claude-mem watches others.
func (c *claudeMem) observes(row tableRow) bool {
	for _, column := range sessionColumns {
		if c.observers[row.text(column)] {
			return true
		}
	}
	said := row.text("prompt_text") + row.text("user_prompt")
	return filepath.Base(row.text("project")) == observersProject || filepath.Base(row.text("cwd")) == observersProject ||
		slices.ContainsFunc(observersPrompts, func(words string) bool { return strings.Contains(said, words) })
}

// observer records the session of a row if claude-mem watches others in it.
func (c *claudeMem) observer(row tableRow) error {
	if !c.observes(row) {
		return nil
	}
	for _, column := range sessionColumns {
		if id := row.text(column); id != "" {
			c.observers[id] = true
		}
	}
	return nil
}

func (c *claudeMem) folder(row tableRow) error {
	if err := c.observer(row); err != nil {
		return err
	}
	if dir := row.text("cwd"); dir != "" {
		c.folders[row.text("content_session_id", "claude_session_id")] = dir
	}
	return nil
}

func (c *claudeMem) session(row tableRow) error {
	if err := c.observer(row); err != nil {
		return err
	}
	s := claudeMemSession{row.text("content_session_id", "claude_session_id"), row.text("project"), row.text("custom_title")}
	for _, id := range []string{s.id, row.text("memory_session_id", "sdk_session_id")} {
		if id != "" {
			c.sessions[id] = s
		}
	}
	return nil
}

// newRecord returns a record with the fields that are common to all kinds.
func (c *claudeMem) newRecord(row tableRow, source memory.Source, origin string) record.Record {
	id := row.text("memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id")
	s, ok := c.sessions[id]
	if !ok {
		s.id = id
	}
	rec := record.Record{
		Source: source, Origin: origin, Session: s.id,
		OccurredAt: record.Time(row.number("created_at_epoch"), row.text("created_at")),
		Tags:       record.Tags(record.Tag("session", s.title), record.Tag("prompt", row.text("prompt_number"))),
		Folder:     c.folders[s.id],
		Project:    cmp.Or(row.text("merged_into_project", "project"), s.project),
	}
	// In a work tree the name of the project is repository/worktree.
	if repository, worktree, ok := strings.Cut(rec.Project, "/"); ok {
		rec.Project = repository
		rec.Tags = append(rec.Tags, "worktree:"+worktree)
	}
	return rec
}

func (c *claudeMem) observation(row tableRow) error {
	if c.observes(row) {
		return nil
	}
	kind := row.text("type")
	rec := c.newRecord(row, cmp.Or(claudeMemSources[kind], memory.Inbox), memory.OriginAssistant)
	rec.Files = slices.Concat(stringList(row.text("files_modified")), stringList(row.text("files_read")))
	rec.Title, rec.Agent = row.text("title"), row.text("agent_type")
	rec.Text = record.Join("\n", row.text("subtitle"), row.text("narrative"), row.text("text"), bullets(stringList(row.text("facts"))))
	rec.Tags = record.Tags(slices.Concat([]string{kind}, stringList(row.text("concepts")), rec.Tags, []string{record.Tag("model", row.text("generated_by_model"))})...)
	if extra := row.text("metadata"); extra != "{}" {
		rec.Text = record.Join("\n", rec.Text, labelled("Metadata", extra))
	}
	return c.emit(rec, "observations", row.text("created_at_epoch", "created_at"), row.text("id"))
}

func (c *claudeMem) summary(row tableRow) error {
	if c.observes(row) {
		return nil
	}
	rec := c.newRecord(row, memory.Handoffs, memory.OriginAssistant)
	rec.Files = slices.Concat(stringList(row.text("files_edited")), stringList(row.text("files_read")))
	rec.Title = row.text("request")
	rec.Fields = fields("done", row.text("completed"), "next", row.text("next_steps"))
	rec.Text = record.Join("\n", labelled("Investigated", row.text("investigated")), labelled("Learned", row.text("learned")), labelled("Notes", row.text("notes")))
	return c.emit(rec, "session_summaries", row.text("created_at_epoch", "created_at"), row.text("id"))
}

func (c *claudeMem) prompt(row tableRow) error {
	if c.observes(row) {
		return nil
	}
	rec := c.newRecord(row, memory.Episodes, memory.OriginUser)
	rec.Title = row.text("prompt_text")
	return c.emit(rec, "user_prompts", row.text("created_at_epoch", "created_at"), row.text("id"))
}
