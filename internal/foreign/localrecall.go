package foreign

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/markdown"
	"recollect/internal/memory"
)

// localRecallFolders are the folders of local-recall. They contain either one
// file per memory, as its older versions wrote them, or logs of memories.
var localRecallFolders = []struct {
	name   string
	source memory.Source
}{
	{"episodic-memory", memory.Episodes},
	{"thinking-memory", memory.Thinking},
}

// localRecall reads local-recall's folder, or the repository that contains it.
func (r *reader) localRecall() error {
	found := false
	for _, root := range []string{r.path, filepath.Join(r.path, "local-recall")} {
		for _, folder := range localRecallFolders {
			dir := filepath.Join(root, folder.name)
			if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
				continue
			}
			found = true
			if err := r.localRecallFolder(dir, folder.source); err != nil {
				return err
			}
		}
	}
	if !found {
		return fmt.Errorf("%s is no folder of local-recall: it has neither episodic-memory nor thinking-memory", r.path)
	}
	return nil
}

func (r *reader) localRecallFolder(dir string, source memory.Source) error {
	// The folder local-recall lies in the repository that it is about.
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	l := localRecall{reader: r, source: source, logged: map[string]localRecallRecord{}, home: r.project(filepath.Dir(filepath.Dir(abs)))}
	entries, err := os.ReadDir(dir) // sorted: logs are numbered in their order
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
			continue // opening a pipe would wait
		}
		switch filepath.Ext(path) {
		case ".md":
			err = l.file(path)
		case ".jsonl":
			err = l.log(path)
		}
		if err != nil {
			return err
		}
	}
	return l.yieldLogged()
}

type localRecall struct {
	*reader
	source memory.Source
	home   memory.Project
	order  []string // ids of what the logs hold
	logged map[string]localRecallRecord
}

// A localRecallRecord is a line of a log, or the front matter and text of a
// file.
type localRecallRecord struct {
	Action    string   `json:"action"`
	ID        string   `json:"id"`
	Subject   string   `json:"subject"`
	Keywords  []string `json:"keywords"`
	AppliesTo string   `json:"applies_to"`
	Occurred  string   `json:"occurred_at"`
	Content   string   `json:"content"`
}

func (l *localRecall) file(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	front, err := markdown.ReadFront(f, path)
	if err != nil {
		return err
	}
	return l.record(localRecallRecord{
		ID: front.Word("id"), Subject: front.Word("subject"), Keywords: front.Keys["keywords"],
		AppliesTo: front.Word("applies_to"), Occurred: front.Word("occurred_at"), Content: front.Text,
	})
}

// log applies the lines of one more log: additions, and deletions of earlier
// additions.
func (l *localRecall) log(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for lines, n := bufio.NewReader(f), 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var rec localRecallRecord
			if bad := json.Unmarshal(line, &rec); bad != nil {
				return fmt.Errorf("%s:%d: %w", path, n, bad)
			}
			l.apply(rec)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (l *localRecall) apply(rec localRecallRecord) {
	switch rec.Action {
	case "add":
		if _, ok := l.logged[rec.ID]; !ok {
			l.order = append(l.order, rec.ID)
		}
		l.logged[rec.ID] = rec
	case "delete":
		delete(l.logged, rec.ID)
	}
}

func (l *localRecall) yieldLogged() error {
	for _, id := range l.order {
		rec, ok := l.logged[id]
		if !ok {
			continue
		}
		delete(l.logged, id) // added again after it was deleted, it is listed twice
		if err := l.record(rec); err != nil {
			return err
		}
	}
	return nil
}

func (l *localRecall) record(rec localRecallRecord) error {
	m := memory.Draft{Memory: memory.Memory{
		Source: l.source, Origin: memory.OriginAssistant, Title: rec.Subject, Text: rec.Content,
		Keywords: slices.Clone(rec.Keywords), AppliesTo: rec.AppliesTo, OccurredAt: when(0, rec.Occurred),
	}}
	if file, ok := strings.CutPrefix(rec.AppliesTo, "file:"); ok {
		m.Files = []string{file}
	}
	m.SetHome(l.home)
	return l.emit(m, string(l.source), rec.ID)
}
