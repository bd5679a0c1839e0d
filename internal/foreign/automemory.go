package foreign

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/markdown"
	"recollect/internal/memory"
)

// index is the file in which Claude Code lists its memories, a line with a
// link for each. Older versions kept the memories themselves there.
const index = "MEMORY.md"

// autoMemorySources are the sources of the types of Claude Code's own
// memories. What a project is about at the moment and where to look things up
// are notes.
var autoMemorySources = map[string]memory.Source{
	"user":     memory.Preferences,
	"feedback": memory.Preferences,
}

// autoMemory reads the Markdown files that Claude Code's own memory consists
// of: one, those of a folder, or those of every project below a folder.
func (r *reader) autoMemory() error {
	fi, err := os.Stat(r.path)
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return r.autoMemoryFile(r.path)
	}
	found := false
	err = filepath.WalkDir(r.path, func(path string, d fs.DirEntry, err error) error {
		dir := filepath.Dir(path)
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".md" || dir != filepath.Clean(r.path) && filepath.Base(dir) != "memory" {
			return err
		}
		found = true
		return r.autoMemoryFile(path)
	})
	if err == nil && !found {
		return fmt.Errorf("%s has no Markdown files of Claude Code's memory", r.path)
	}
	return err
}

func (r *reader) autoMemoryFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	front, err := markdown.ReadFront(f, path)
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	a := autoMemory{reader: r, home: r.slugHome(filepath.Dir(filepath.Dir(abs))), written: fi.ModTime().UTC().Truncate(time.Second)}
	if filepath.Base(path) == index && len(front.Keys) == 0 {
		return a.sections(front.Text)
	}
	return a.fact(strings.TrimSuffix(filepath.Base(path), ".md"), front)
}

type autoMemory struct {
	*reader
	home    memory.Project
	written time.Time
}

func (a *autoMemory) fact(file string, front markdown.Front) error {
	kind := front.Word("metadata.type", "type")
	source, ok := autoMemorySources[kind]
	if !ok {
		source = memory.Inbox
	}
	m := a.begin(source)
	name := front.Word("name")
	m.Title, m.Text = front.Word("description"), front.Text
	if m.Title == "" {
		m.Title, name = name, ""
	}
	if m.Title == "" {
		m.Title, m.Text = firstLine(front.Text)
	}
	m.Session = front.Word("metadata.originSessionId", "originSessionId")
	m.Tags = tags(kind, tag("name", name))
	for _, key := range []string{"metadata.modified", "modified", "metadata.created", "created"} {
		if t := when(0, front.Word(key)); !t.IsZero() {
			m.OccurredAt = t
			break
		}
	}
	return a.keep(m, "facts", a.home.Remote, a.home.Path, a.home.Name, file)
}

// begin makes a memory of what every file has.
func (a *autoMemory) begin(source memory.Source) memory.Memory {
	m := memory.Memory{Source: source, Origin: memory.OriginAssistant, OccurredAt: a.written}
	m.SetHome(a.home)
	return m
}

// sections takes what the index says itself, by its headings: lines that are
// links to other files only repeat what those say.
func (a *autoMemory) sections(text string) error {
	heading, body := "", []string(nil)
	flush := func() error {
		words := strings.TrimSpace(strings.Join(body, "\n"))
		if body = nil; words == "" {
			return nil
		}
		m := a.begin(memory.Inbox)
		if m.Title, m.Text = heading, words; heading == "" {
			m.Title, m.Text = firstLine(words)
		}
		m.Tags = []string{index}
		return a.keep(m, "index", a.home.Remote, a.home.Path, a.home.Name, m.Title)
	}
	for line := range strings.SplitSeq(text, "\n") {
		title := strings.TrimLeft(line, "#")
		switch {
		case title != line && strings.HasPrefix(title, " "):
			if err := flush(); err != nil {
				return err
			}
			heading = strings.TrimSpace(title)
		case !strings.HasPrefix(strings.TrimSpace(line), "- [") || !strings.Contains(line, ".md)"):
			body = append(body, line)
		}
	}
	return flush()
}

// slugHome returns the project whose sessions Claude Code keeps in a folder.
// The folder's name does not tell: every sign in the path became a dash. A
// transcript in it does, else the folder on this machine that has that name.
func (r *reader) slugHome(dir string) memory.Project {
	transcripts, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err == nil {
		for _, t := range transcripts {
			if cwd := folderOf(t); cwd != "" {
				return r.project(cwd)
			}
		}
	}
	slug := filepath.Base(dir)
	if path := unslug(string(filepath.Separator), slug); path != "" {
		return r.project(path)
	}
	return memory.Project{Name: slug}
}

// unslug finds the folder below dir whose path, with a dash for everything but
// ASCII letters and digits, ends in slug; "" if there is none.
func unslug(dir, slug string) string {
	if slug == "" {
		return dir
	}
	rest, ok := strings.CutPrefix(slug, "-")
	entries, err := os.ReadDir(dir)
	if !ok || err != nil {
		return ""
	}
	for _, e := range entries {
		after, ok := strings.CutPrefix(rest, slugOf(e.Name()))
		if !ok || !e.IsDir() || after != "" && after[0] != '-' {
			continue
		}
		if found := unslug(filepath.Join(dir, e.Name()), after); found != "" {
			return found
		}
	}
	return ""
}

func slugOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9') {
			return r
		}
		return '-'
	}, name)
}
