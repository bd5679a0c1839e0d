package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
	"recollect/internal/system/regular"
)

// localRecallFolders are the folders of local-recall. They contain one file per memory, written by older
// versions, or logs of memories.
var localRecallFolders = []struct {
	name   string
	source memory.Source
}{
	{"episodic-memory", memory.Episodes},
	{"thinking-memory", memory.Thinking},
}

// localRecall reads local-recall's folder, or the repository that contains it.
func (r *reader) localRecall(context.Context) error {
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
	// local-recall's folder is in the repository to which its memories belong.
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	l := localRecall{reader: r, source: source, logged: map[string]place{}, home: r.project(filepath.Dir(filepath.Dir(abs)))}
	entries, err := os.ReadDir(dir) // sorted, because logs are numbered in order
	if err != nil {
		return err
	}
	var logs []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
			continue
		}
		switch filepath.Ext(path) {
		case ".md":
			if err := l.file(path); err != nil {
				return err
			}
		case ".jsonl":
			logs = append(logs, path)
		}
	}
	for i, path := range logs {
		err := l.eachLine(path, r.skip, func(line int, rec localRecallRecord) error {
			l.apply(rec, place{i, line})
			return nil
		})
		if err != nil {
			return err
		}
	}
	ignore := func(error) error { return nil } // errors are reported the second time
	for i, path := range logs {
		err := l.eachLine(path, ignore, func(line int, rec localRecallRecord) error {
			if rec.Action != "add" || l.logged[rec.ID] != (place{i, line}) {
				return nil
			}
			return l.record(rec)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

type localRecall struct {
	*reader
	source memory.Source
	home   memory.Project
	logged map[string]place // by id: the latest addition in the logs that was not deleted
}

// A place is a line of one of the logs, which are too large to hold in memory.
type place struct{ log, line int }

// maxLogLine is the largest length of a line of a log in bytes.
const maxLogLine = 16 << 20

// A localRecallRecord is a line of a log, or the front matter and text of a file.
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
	front, _, err := readFront(path)
	if err != nil {
		return l.skip(err)
	}
	return l.record(localRecallRecord{
		ID: front.Word("id"), Subject: front.Word("subject"), Keywords: front.Keys["keywords"],
		AppliesTo: front.Word("applies_to"), Occurred: front.Word("occurred_at"), Content: front.Text,
	})
}

// eachLine calls f for each line of a log, which adds a memory or deletes an earlier one, and skip for
// each line that cannot be read.
func (l *localRecall) eachLine(path string, skip func(error) error, f func(line int, rec localRecallRecord) error) error {
	file, err := regular.Open(path)
	if err != nil {
		return skip(err)
	}
	defer file.Close()
	content, err := regular.From(file, 0)
	if err != nil {
		return skip(err)
	}
	for lines := regular.NewLines(content, maxLogLine); ; {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return skip(fmt.Errorf("read %s: %w", path, err))
		}
		rec, err := parseLine(line)
		if err != nil {
			err = skip(fmt.Errorf("%s:%d: %w", path, line.Number, err))
		} else {
			err = f(line.Number, rec)
		}
		if err != nil {
			return err
		}
	}
}

// parseLine reads a line of a log. An empty line gives the zero record.
func parseLine(line regular.Line) (rec localRecallRecord, err error) {
	text := bytes.TrimSpace(line.Text)
	switch {
	case line.TooLong:
		err = fmt.Errorf("has more than %d MiB", maxLogLine>>20)
	case len(text) > 0:
		err = json.Unmarshal(text, &rec)
	}
	return rec, err
}

func (l *localRecall) apply(rec localRecallRecord, at place) {
	switch rec.Action {
	case "add":
		l.logged[rec.ID] = at
	case "delete":
		delete(l.logged, rec.ID)
	}
}

func (l *localRecall) record(rec localRecallRecord) error {
	m := memory.Draft{Memory: memory.Memory{
		Source: l.source, Origin: memory.OriginAssistant, Title: rec.Subject, Text: rec.Content,
		Keywords: slices.Clone(rec.Keywords), AppliesTo: rec.AppliesTo, OccurredAt: record.Time(0, rec.Occurred),
	}}
	if file, ok := strings.CutPrefix(rec.AppliesTo, "file:"); ok {
		m.Files = []string{file}
	}
	m.SetHome(l.home)
	return l.emit(m, string(l.source), rec.ID)
}
