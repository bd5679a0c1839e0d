package foreign

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/memory"
)

// claudeMemSources maps claude-mem's types of observations to sources. Other
// types, which its modes may add, become notes.
var claudeMemSources = map[string]memory.Source{
	"decision": memory.Journal,
	"bugfix":   memory.Failures,
	"feature":  memory.Episodes,
	"refactor": memory.Episodes,
	"change":   memory.Episodes,
}

// claudeMem reads the database of claude-mem: observations, summaries of
// sessions, which are handoffs, and prompts.
func (r *reader) claudeMem() error {
	db, err := r.open("claude-mem.db", "sdk_sessions", "observations")
	if err != nil {
		return err
	}
	defer db.Close()
	c := claudeMem{reader: r, sessions: map[string]claudeMemSession{}, folders: map[string]string{}}
	return db.eachOf(
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
	folders  map[string]string           // of sessions, by Claude Code's id
	sessions map[string]claudeMemSession // by either id
}

type claudeMemSession struct{ id, project, title string }

func (c *claudeMem) folder(row record) error {
	if dir := row.text("cwd"); dir != "" {
		c.folders[row.text("content_session_id", "claude_session_id")] = dir
	}
	return nil
}

func (c *claudeMem) session(row record) error {
	s := claudeMemSession{row.text("content_session_id", "claude_session_id"), row.text("project"), row.text("custom_title")}
	for _, id := range []string{s.id, row.text("memory_session_id", "sdk_session_id")} {
		if id != "" {
			c.sessions[id] = s
		}
	}
	return nil
}

// newMemory returns a memory with the fields that are common to all records.
func (c *claudeMem) newMemory(row record, source memory.Source, origin string) memory.Draft {
	id := row.text("memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id")
	s, ok := c.sessions[id]
	if !ok {
		s.id = id
	}
	m := memory.Draft{Memory: memory.Memory{
		Source: source, Origin: origin, Session: s.id,
		OccurredAt: when(row.number("created_at_epoch"), row.text("created_at")),
		Tags:       tags(tag("session", s.title), tag("prompt", row.text("prompt_number"))),
	}}
	project := cmp.Or(row.text("merged_into_project", "project"), s.project)
	// In a work tree the project is called repository/worktree.
	if repository, worktree, ok := strings.Cut(project, "/"); ok {
		project = repository
		m.Tags = append(m.Tags, "worktree:"+worktree)
	}
	m.SetHome(c.projectOf(c.folders[s.id], project))
	return m
}

func (c *claudeMem) observation(row record) error {
	kind := row.text("type")
	m := c.newMemory(row, cmp.Or(claudeMemSources[kind], memory.Inbox), memory.OriginAssistant)
	m.Title, m.Agent = row.text("title"), row.text("agent_type")
	m.Text = join("\n", row.text("subtitle"), row.text("narrative"), row.text("text"), bullets(stringList(row.text("facts"))))
	m.Files = within(m.Home(), slices.Concat(stringList(row.text("files_modified")), stringList(row.text("files_read")))...)
	m.Tags = tags(slices.Concat([]string{kind}, stringList(row.text("concepts")), m.Tags, []string{tag("model", row.text("generated_by_model"))})...)
	if extra := row.text("metadata"); extra != "{}" {
		m.Text = join("\n", m.Text, labelled("Metadata", extra))
	}
	return c.emit(m, "observations", row.text("created_at_epoch", "created_at"), row.text("id"))
}

func (c *claudeMem) summary(row record) error {
	m := c.newMemory(row, memory.Handoffs, memory.OriginAssistant)
	m.Title = row.text("request")
	m.Fields = fields("done", row.text("completed"), "next", row.text("next_steps"))
	m.Text = join("\n", labelled("Investigated", row.text("investigated")), labelled("Learned", row.text("learned")), labelled("Notes", row.text("notes")))
	m.Files = within(m.Home(), slices.Concat(stringList(row.text("files_edited")), stringList(row.text("files_read")))...)
	return c.emit(m, "session_summaries", row.text("created_at_epoch", "created_at"), row.text("id"))
}

func (c *claudeMem) prompt(row record) error {
	m := c.newMemory(row, memory.Episodes, memory.OriginUser)
	m.Title = row.text("prompt_text")
	return c.emit(m, "user_prompts", row.text("created_at_epoch", "created_at"), row.text("id"))
}
