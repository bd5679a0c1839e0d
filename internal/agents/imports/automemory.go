package imports

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
	"recollect/internal/memory/markdown"
	"recollect/internal/system/regular"
)

// index is the file in which Claude Code lists its memories, with one line and link for each. Older
// versions stored the memories themselves in it.
const index = "MEMORY.md"

// autoMemorySources maps the types of Claude Code's own memories to sources. The states of projects and
// references become notes.
var autoMemorySources = map[string]memory.Source{
	"user":     memory.Preferences,
	"feedback": memory.Preferences,
}

// autoMemory reads the Markdown files of Claude Code's own memory: a single one, those in a folder, or
// those of every project below a folder.
func (r *reader) autoMemory(context.Context) error {
	fi, err := os.Stat(r.path)
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return r.autoMemoryFile(r.path)
	}
	found := false
	err = r.walk(func(path string, d fs.DirEntry) error {
		dir := filepath.Dir(path)
		if filepath.Ext(path) != ".md" || dir != filepath.Clean(r.path) && filepath.Base(dir) != "memory" {
			return nil
		}
		found = true
		return r.autoMemoryFile(path)
	})
	if err == nil && !found {
		return fmt.Errorf("%s has no Markdown files of Claude Code's memory", r.path)
	}
	return err
}

// walk calls f for each regular file below the path. It skips what cannot be read.
func (r *reader) walk(f func(path string, d fs.DirEntry) error) error {
	return filepath.WalkDir(r.path, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return cmp.Or(r.skip(err), skipFolder(d))
		case !d.Type().IsRegular():
			return nil
		}
		return f(path, d)
	})
}

// skipFolder makes a walk continue after a folder that cannot be read.
func skipFolder(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (r *reader) autoMemoryFile(path string) error {
	front, written, err := readFront(path)
	if err != nil {
		return r.skip(err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	a := autoMemory{reader: r, home: r.slugProject(filepath.Dir(filepath.Dir(abs))), written: written}
	if filepath.Base(path) == index && len(front.Keys) == 0 {
		return a.sections(front.Text)
	}
	return a.fact(strings.TrimSuffix(filepath.Base(path), ".md"), front)
}

// readFront reads a Markdown file and the time at which it was written.
func readFront(path string) (front markdown.Front, written time.Time, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return front, written, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return front, written, err
	}
	front, err = markdown.ReadAnyFront(f, path)
	return front, fi.ModTime().UTC().Truncate(time.Second), err
}

type autoMemory struct {
	*reader
	home    memory.Project
	written time.Time
}

func (a *autoMemory) fact(file string, front markdown.Front) error {
	kind := front.Word("metadata.type", "type")
	m := a.newMemory(cmp.Or(autoMemorySources[kind], memory.Inbox))
	name := front.Word("name")
	m.Title, m.Text = front.Word("description"), front.Text
	if m.Title == "" {
		m.Title, name = name, ""
	}
	if m.Title == "" {
		m.Title, m.Text = record.FirstLine(front.Text)
	}
	m.Session = front.Word("metadata.originSessionId", "originSessionId")
	m.Tags = record.Tags(kind, record.Tag("name", name))
	for _, key := range []string{"metadata.modified", "modified", "metadata.created", "created"} {
		if t := record.Time(0, front.Word(key)); !t.IsZero() {
			m.OccurredAt = t
			break
		}
	}
	return a.emit(m, "facts", a.home.Remote, a.home.Path, a.home.Name, file)
}

// newMemory returns a memory with the fields that are common to all files.
func (a *autoMemory) newMemory(source memory.Source) memory.Draft {
	m := memory.Draft{Memory: memory.Memory{Source: source, Origin: memory.OriginAssistant, OccurredAt: a.written}}
	m.SetHome(a.home)
	return m
}

// sections reads the text of the index file itself, by its headings. It skips links to other files,
// because they only repeat what those contain.
func (a *autoMemory) sections(text string) error {
	heading, body := "", []string(nil)
	flush := func() error {
		words := strings.TrimSpace(strings.Join(body, "\n"))
		if body = nil; words == "" {
			return nil
		}
		m := a.newMemory(memory.Inbox)
		if m.Title, m.Text = heading, words; heading == "" {
			m.Title, m.Text = record.FirstLine(words)
		}
		m.Tags = []string{index}
		return a.emit(m, "index", a.home.Remote, a.home.Path, a.home.Name, m.Title)
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

// slugProject returns the project whose sessions Claude Code stores in a folder. The folder's name is
// ambiguous, because a dash replaces every special character of the path. So the path is read from a
// transcript in the folder, or else found by searching this machine for a folder with a matching path.
func (r *reader) slugProject(dir string) memory.Project {
	for _, t := range regular.Ending(dir, ".jsonl") {
		if cwd := folderOf(t); cwd != "" {
			return r.project(cwd)
		}
	}
	slug := filepath.Base(dir)
	if path := unslug(string(filepath.Separator), slug); path != "" {
		return r.project(path)
	}
	return memory.Project{Name: slug}
}

// unslug finds the folder below dir whose path ends in slug once a dash replaces everything but ASCII
// letters and digits. It returns "" if there is none.
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
		if longer := after != "" && after[0] != '-'; longer || !ok || !e.IsDir() {
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
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, name)
}
