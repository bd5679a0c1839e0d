package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

const (
	// turnsPerSession is the number of consecutive memories in one session.
	turnsPerSession = 20
	// minutesApart is the time between two memories.
	minutesApart = 7
)

// sourceShares lists the sources of a long-used store, each as often as its share requires.
var sourceShares = []memory.Source{
	memory.Episodes, memory.Episodes, memory.Episodes, memory.Episodes, memory.Episodes, memory.Episodes,
	memory.Thinking, memory.Journal, memory.Failures, memory.Patterns,
}

// WriteStore writes the logs of a data folder with n memories. They are real commit messages and sections
// of documentation from a training corpus in JSON Lines, as if sessions in their repositories had left
// them. If the corpus ends, WriteStore reads it again and begins each text with another paragraph.
//
// If turns is not 0, all sessions belong to one project and have this many turns. Each turn has an
// episode, every fifth also a decision, and each session ends with a handoff. Every eighth decision
// supersedes one of the previous session.
func WriteStore(dir string, n, turns int, corpus func() (io.ReadCloser, error)) (err error) {
	logs, err := createLogs(filepath.Join(dir, "memories"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, logs.close()) }()
	logs.turns, logs.began = turns, time.Now().Add(-time.Duration(n+1)*minutesApart*time.Minute)
	for pass := 0; logs.written < n; pass++ {
		before := logs.written
		if err := logs.read(corpus, n, pass); err != nil {
			return err
		}
		if logs.written == before {
			return errors.New("write store: the corpus has no text")
		}
	}
	return nil
}

// logs writes the files of a store.
type logs struct {
	files   map[memory.Source]*os.File
	writers map[memory.Source]*bufio.Writer
	written int

	turns   int       // turns per session, or 0 for memories from separate repositories
	began   time.Time // time of the first turn
	turn    int
	earlier []string // ids of the previous session's decisions
	decided []string // ids of this session's decisions
	said    []string // parts of this session's handoff
}

func createLogs(dir string) (*logs, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := &logs{files: map[memory.Source]*os.File{}, writers: map[memory.Source]*bufio.Writer{}}
	for _, source := range append([]memory.Source{memory.Handoffs}, sourceShares...) {
		if l.files[source] != nil {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, string(source)+".jsonl"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		l.files[source], l.writers[source] = f, bufio.NewWriter(f)
	}
	return l, nil
}

func (l *logs) close() error {
	var err error
	for source, f := range l.files {
		err = errors.Join(err, l.writers[source].Flush(), f.Close())
	}
	return err
}

// read writes memories of one pass through the corpus until there are n.
func (l *logs) read(corpus func() (io.ReadCloser, error), n, pass int) (err error) {
	in, err := corpus()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	lines := json.NewDecoder(in)
	for l.written < n {
		var r struct {
			Repo     string   `json:"r"`
			Subject  string   `json:"a"`
			Headings []string `json:"h"`
			Body     []string `json:"p"`
		}
		err := lines.Decode(&r)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read corpus: %w", err)
		}
		title := r.Subject
		if title == "" {
			title = strings.Join(r.Headings, ": ")
		}
		if k := len(r.Body); k > 0 {
			r.Body = slices.Concat(r.Body[pass%k:], r.Body[:pass%k])
		}
		write := l.write
		if l.turns > 0 {
			write = l.writeTurn
		}
		if err := write(r.Repo, title, strings.Join(r.Body, "\n\n")); err != nil {
			return err
		}
	}
	return nil
}

// write writes a memory, unless it is empty.
func (l *logs) write(repo, title, text string) error {
	at := time.Now().Add(-time.Duration(l.written) * minutesApart * time.Minute).UTC()
	source := sourceShares[l.written%len(sourceShares)]
	session := l.written / turnsPerSession
	m := memory.Memory{
		Source: source, Title: title, Text: text, OccurredAt: at, RecordedAt: at, Origin: memory.OriginAssistant,
		Project: filepath.Base(repo), ProjectPath: "/src/" + repo, Session: fmt.Sprint("made-", session), Turn: fmt.Sprint("made-", l.written),
	}
	_, err := l.put(m)
	return err
}

// put writes a memory and returns its id. It returns "" for an empty memory.
func (l *logs) put(m memory.Memory) (id string, err error) {
	if m.Normalize() != nil {
		return "", nil // it has no text
	}
	line, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	l.written++
	_, err = l.writers[m.Source].Write(append(line, '\n'))
	return m.ID, err
}

// Distances between the memories of a session, and the largest length of a decision in bytes.
const (
	turnsPerDecision   = 5
	decisionsPerChange = 8
	maxDecided         = 300
)

// writeTurn writes the memories of a turn.
func (l *logs) writeTurn(_, title, text string) error {
	of := func(source memory.Source, title, text string) memory.Memory {
		at := l.began.Add(time.Duration(l.turn) * minutesApart * time.Minute).UTC()
		return memory.Memory{
			Source: source, Title: title, Text: text, OccurredAt: at, RecordedAt: at, Origin: memory.OriginAssistant,
			Project: "app", ProjectPath: "/src/app", Session: fmt.Sprint("long-", l.turn/l.turns), Turn: fmt.Sprint("long-turn-", l.turn),
		}
	}
	if id, err := l.put(of(memory.Episodes, title, text)); id == "" {
		return err
	}
	if l.turn%turnsPerDecision == 0 {
		m := of(memory.Journal, title, "")
		if m.Tags = []string{memory.TagDecision}; len(text) > 0 {
			m.Title = title + ": " + memory.Clip(strings.Join(strings.Fields(text), " "), maxDecided)
		}
		if n := len(l.decided); n%decisionsPerChange == 0 && n < len(l.earlier) {
			m.Supersedes = l.earlier[n : n+1]
		}
		id, err := l.put(m)
		if err != nil {
			return err
		}
		l.decided, l.said = append(l.decided, id), append(l.said, title)
	}
	if l.turn++; l.turn%l.turns > 0 {
		return nil
	}
	l.turn-- // the handoff belongs to the session's last turn
	last := func(n int) string { return strings.Join(l.said[max(0, len(l.said)-n):], "\n") }
	m := of(memory.Handoffs, title, "")
	m.Fields = map[string]string{"cause": last(1), "done": last(6), "open": last(2), "next": last(1)}
	_, err := l.put(m)
	l.turn++
	l.earlier, l.decided, l.said = l.decided, nil, nil
	return err
}
