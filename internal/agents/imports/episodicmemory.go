package imports

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/memory"
	"recollect/internal/system/regular"
)

// episodicMemory reads the database of episodic-memory. Of a folder it reads
// only the summaries in the archive: the archive contains the complete
// transcripts, of which the database is an index.
func (r *reader) episodicMemory(ctx context.Context) error {
	fi, err := os.Stat(r.path)
	if err != nil {
		return err
	}
	if fi.IsDir() {
		return r.archive()
	}
	db, err := r.open("", mark{"exchanges", ""}, mark{"session_summaries", "one_liner"})
	if err != nil {
		return err
	}
	defer db.Close()
	tools := map[string][]string{}
	return r.eachOf(ctx, db,
		tableReader{"tool_calls", func(row record) error {
			id, name := row.text("exchange_id"), "tool:"+row.text("tool_name")
			if !slices.Contains(tools[id], name) {
				tools[id] = append(tools[id], name)
			}
			return nil
		}},
		tableReader{"exchanges", func(row record) error { return r.exchange(row, tools[row.text("id")]) }},
		tableReader{"session_summaries", r.sessionSummary},
	)
}

func (r *reader) exchange(row record, tools []string) error {
	m := memory.Draft{Memory: memory.Memory{
		Source: memory.Episodes, Origin: memory.OriginAssistant, Session: row.text("session_id"),
		Title: row.text("user_message"), Text: row.text("assistant_message"),
		OccurredAt: when(0, row.text("timestamp")),
		Tags:       slices.Concat(tags(tag("branch", row.text("git_branch")), tag("model", row.text("model"))), tools),
	}}
	if row.number("is_sidechain") != 0 {
		m.Tags = append(m.Tags, "sidechain")
	}
	m.SetHome(r.archiveProject(row.text("cwd"), row.text("project")))
	return r.emit(m, "exchanges", row.text("id"))
}

// archiveProject returns the project of a folder, or else one with the name
// that the archive uses for it.
func (r *reader) archiveProject(dir, name string) memory.Project {
	if filepath.IsAbs(dir) {
		return r.project(dir)
	}
	return memory.Project{Name: name}
}

// sessionSummary reads a row of a table that only some versions have.
func (r *reader) sessionSummary(row record) error {
	list := func(label, column string) string {
		if lines := stringList(row.text(column)); len(lines) > 0 {
			return label + ":\n" + bullets(lines)
		}
		return ""
	}
	m := memory.Draft{Memory: memory.Memory{
		Source: memory.Handoffs, Origin: memory.OriginAssistant, Session: row.text("session_id"),
		Title:      row.text("one_liner"),
		Text:       join("\n", row.text("detailed"), list("Decisions", "decisions"), list("Work items", "work_items")),
		Fields:     fields("done", bullets(stringList(row.text("outcomes"))), "next", bullets(stringList(row.text("next_steps")))),
		Files:      stringList(row.text("files_modified")),
		Tags:       slices.Concat(stringList(row.text("tags")), stringList(row.text("tools_used"))),
		OccurredAt: when(0, row.text("timestamp")),
	}}
	m.SetHome(r.archiveProject("", row.text("project")))
	return r.emit(m, "session_summaries", row.text("id"))
}

const (
	summaryEnd = "-summary.txt"
	maxSummary = 1 << 20 // bytes of a summary
)

// archive reads the summaries next to the transcripts.
func (r *reader) archive() error {
	return r.walk(func(path string, d fs.DirEntry) error {
		if !strings.HasSuffix(d.Name(), summaryEnd) {
			return nil
		}
		text, err := regular.Read(path, maxSummary)
		if err != nil {
			return r.skip(err)
		}
		fi, err := d.Info()
		if err != nil {
			return r.skip(err)
		}
		session := strings.TrimSuffix(d.Name(), summaryEnd)
		m := memory.Draft{Memory: memory.Memory{Source: memory.Episodes, Origin: memory.OriginAssistant, Session: session, OccurredAt: fi.ModTime().UTC(), Tags: []string{"summary"}}}
		m.Title, m.Text = firstLine(string(text))
		m.SetHome(r.archiveProject(folderOf(strings.TrimSuffix(path, summaryEnd)+".jsonl"), filepath.Base(filepath.Dir(path))))
		return r.emit(m, "summaries", session)
	})
}

var errFound = errors.New("found")

// folderOf returns the folder in which the session of a transcript file began, or "".
func folderOf(file string) string {
	dir := ""
	_, err := transcript.Turns(file, 0, func(t claudecode.Turn) error {
		if dir = t.Cwd; dir != "" {
			return errFound
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return ""
	}
	return dir
}

// firstLine divides a text into a title and the rest; a text that fits into
// the title has no rest.
func firstLine(text string) (title, rest string) {
	text = strings.TrimSpace(text)
	line, more, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "#")), strings.TrimSpace(more)
}
