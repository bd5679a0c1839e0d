package foreign

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/sqlite"
)

// claudeMemSources are the sources of claude-mem's types of observations.
// Others, which its modes may add, are notes.
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
	for _, table := range []struct {
		name string
		row  func(sqlite.Row) error
	}{
		{"pending_messages", c.folder},
		{"tool_uses", c.folder},
		{"sdk_sessions", c.session},
		{"observations", c.observation},
		{"session_summaries", c.summary},
		{"user_prompts", c.prompt},
	} {
		if err := each(db, table.name, table.row); err != nil {
			return err
		}
	}
	return nil
}

type claudeMem struct {
	*reader
	folders  map[string]string           // of sessions, by Claude Code's id
	sessions map[string]claudeMemSession // by either id
}

type claudeMemSession struct{ id, project, title string }

func (c *claudeMem) folder(row sqlite.Row) error {
	if dir := row.Text("cwd"); dir != "" {
		c.folders[row.Text("content_session_id", "claude_session_id")] = dir
	}
	return nil
}

func (c *claudeMem) session(row sqlite.Row) error {
	s := claudeMemSession{row.Text("content_session_id", "claude_session_id"), row.Text("project"), row.Text("custom_title")}
	for _, id := range []string{s.id, row.Text("memory_session_id", "sdk_session_id")} {
		if id != "" {
			c.sessions[id] = s
		}
	}
	return nil
}

// begin makes a memory of what every record has.
func (c *claudeMem) begin(row sqlite.Row, source memory.Source, origin string) memory.Memory {
	id := row.Text("memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id")
	s, ok := c.sessions[id]
	if !ok {
		s.id = id
	}
	m := memory.Memory{
		Source: source, Origin: origin, Session: s.id,
		OccurredAt: when(row.Int("created_at_epoch"), row.Text("created_at")),
		Tags:       tags(tag("session", s.title), tag("prompt", row.Text("prompt_number"))),
	}
	project := row.Text("merged_into_project", "project")
	if project == "" {
		project = s.project
	}
	// In a work tree the project is called repository/worktree.
	if repository, worktree, ok := strings.Cut(project, "/"); ok {
		project = repository
		m.Tags = append(m.Tags, "worktree:"+worktree)
	}
	m.SetHome(c.home(c.folders[s.id], project))
	return m
}

func (c *claudeMem) observation(row sqlite.Row) error {
	kind := row.Text("type")
	source, ok := claudeMemSources[kind]
	if !ok {
		source = memory.Inbox
	}
	m := c.begin(row, source, memory.OriginAssistant)
	m.Title, m.Agent = row.Text("title"), row.Text("agent_type")
	m.Text = join("\n", row.Text("subtitle"), row.Text("narrative"), row.Text("text"), bullets(words(row.Text("facts"))))
	m.Files = within(m.Home(), slices.Concat(words(row.Text("files_modified")), words(row.Text("files_read")))...)
	m.Tags = tags(slices.Concat([]string{kind}, words(row.Text("concepts")), m.Tags, []string{tag("model", row.Text("generated_by_model"))})...)
	if extra := row.Text("metadata"); extra != "{}" {
		m.Text = join("\n", m.Text, labelled("Metadata", extra))
	}
	return c.keep(m, "observations", row.Text("created_at_epoch", "created_at"), row.Text("id"))
}

func (c *claudeMem) summary(row sqlite.Row) error {
	m := c.begin(row, memory.Handoffs, memory.OriginAssistant)
	m.Title = row.Text("request")
	m.Fields = fields("done", row.Text("completed"), "next", row.Text("next_steps"))
	m.Text = join("\n", labelled("Investigated", row.Text("investigated")), labelled("Learned", row.Text("learned")), labelled("Notes", row.Text("notes")))
	m.Files = within(m.Home(), slices.Concat(words(row.Text("files_edited")), words(row.Text("files_read")))...)
	return c.keep(m, "session_summaries", row.Text("created_at_epoch", "created_at"), row.Text("id"))
}

func (c *claudeMem) prompt(row sqlite.Row) error {
	m := c.begin(row, memory.Episodes, memory.OriginUser)
	m.Title = row.Text("prompt_text")
	return c.keep(m, "user_prompts", row.Text("created_at_epoch", "created_at"), row.Text("id"))
}
