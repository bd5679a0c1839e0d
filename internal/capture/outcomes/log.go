// Package outcomes counts how commands ended, over all sessions of a project, and what passed in place of
// what failed, so that a failure is said as long as it still fails, and no longer.
//
// Its file, outcomes.jsonl beside the logs of memories, has a line for each turn that ran commands: the
// runs of the turn. The last line of a turn counts, so that reading a turn again changes nothing. Nothing
// in it is a memory: it can be made again from transcripts. The runs of one call in one way, such as
// "go test -run", are counted by session, since within one session the same is tried again and again.
package outcomes

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
)

// Name is the name of the file in the data folder.
const Name = "outcomes.jsonl"

// version is that of the file's lines.
const version = 1

// Bounds of the file.
const (
	// maxTurns is how many turns are retained when it is compacted.
	maxTurns = 6000
	// compactAt is the number of turns, or of lines, from which it is compacted.
	compactAt = maxTurns * 3 / 2
	// maxLine is the longest line that is read, in bytes.
	maxLine = 256 << 10
)

// A Turn is what a line of the file has: the runs of a turn of a session, or of a sub-agent in it.
type Turn struct {
	V       int            `json:"v"`
	Session string         `json:"session"`
	Agent   string         `json:"agent,omitempty"`
	ID      string         `json:"turn"`
	At      time.Time      `json:"at"`
	Project string         `json:"project,omitempty"`
	Path    string         `json:"path,omitempty"`
	Remote  string         `json:"remote,omitempty"`
	Runs    []toolcall.Run `json:"runs"`

	ways  []int      // of the runs, as places in Log.ways
	fails []*failing // of the runs, nil for those that passed
}

// NewTurn returns the runs of a turn, of which m says when and where it was.
func NewTurn(m *memory.Memory, runs []toolcall.Run) Turn {
	p := clean.Project(m.Home())
	return Turn{V: version, Session: clean.ID(m.Session), Agent: clean.ID(m.Agent), ID: m.Turn, At: m.OccurredAt.UTC(), Project: p.Name, Path: p.Path, Remote: p.Remote, Runs: runs}
}

func (t *Turn) home() memory.Project {
	return memory.Project{Name: t.Project, Path: t.Path, Remote: t.Remote}
}

// asMemory returns the turn as a memory of a failure, as which users select it to be forgotten.
func (t *Turn) asMemory() *memory.Memory {
	var text strings.Builder
	for _, r := range t.Runs {
		fmt.Fprintln(&text, r.Way, r.Line, r.Error, r.Fix.Line)
	}
	m := memory.Memory{Source: memory.Failures, Session: t.Session, Turn: t.ID, Agent: t.Agent, OccurredAt: t.At, Text: text.String()}
	m.SetHome(t.home())
	return &m
}

type turnKey struct{ session, agent, turn string }

func (t *Turn) key() turnKey { return turnKey{t.Session, t.Agent, t.ID} }

// A Log has the outcomes of one data folder. Losing the last lines in a crash does little harm, so they
// are not synced. It is safe for concurrent use; a nil Log has nothing and records nothing.
type Log struct {
	path string
	log  *slog.Logger

	mu      sync.Mutex
	byKey   map[turnKey]*Turn
	turns   []*Turn               // by time
	ways    []string              // all that were used
	places  map[string]int        // of ways
	failing map[string][]*failing // what failed, by the first word of its way
	lines   int                   // in the file
	newer   [][]byte              // lines that a newer version wrote, which stay as they are
	torn    bool                  // its last line has no end
}

// Open reads the outcomes in home. If they cannot be read, that is logged, and they are begun anew.
func Open(home string, log *slog.Logger) *Log {
	l := &Log{path: filepath.Join(home, Name), log: log}
	l.clear()
	err := l.read()
	if err == nil && l.isLoose() {
		err = l.compact()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read outcomes", logkey.Error, err)
	}
	return l
}

// clear forgets what is in memory.
func (l *Log) clear() {
	l.byKey, l.turns = map[turnKey]*Turn{}, nil
	l.ways, l.places, l.failing = nil, map[string]int{}, map[string][]*failing{}
}

func (l *Log) isLoose() bool {
	return l.lines >= compactAt && l.lines > 3*len(l.turns)/2 || len(l.turns) >= compactAt
}

// read takes all lines that are whole.
func (l *Log) read() error {
	f, err := regular.Open(l.path)
	if err != nil {
		return err
	}
	defer f.Close()
	for r := bufio.NewReaderSize(f, maxLine); ; {
		line, err := r.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) { // not a line of ours: skip all of it
			line = nil
			_, err = r.ReadSlice('\n')
		}
		l.takeLine(line)
		if err != nil {
			l.torn = len(line) > 0
			l.sort()
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// takeLine adds a line of the file.
func (l *Log) takeLine(line []byte) {
	var head struct{ V int }
	if json.Unmarshal(line, &head) == nil && head.V > version {
		l.newer = append(l.newer, bytes.Clone(bytes.TrimSpace(line)))
		return
	}
	var t Turn
	if json.Unmarshal(line, &t) == nil && t.Session != "" {
		l.lines++
		l.put(&t)
	}
}

// put adds a turn, in place of what was known of it, without regard to the order.
func (l *Log) put(t *Turn) {
	t.ways, t.fails = make([]int, len(t.Runs)), make([]*failing, len(t.Runs))
	for i, r := range t.Runs {
		t.ways[i] = l.placeOf(r.Way)
		if k, ok := keyOf(r); ok {
			t.fails[i] = l.addFailing(k, t)
			l.placeOf(r.Fix.Way)
		}
	}
	if old := l.byKey[t.key()]; old != nil {
		*old = *t
		return
	}
	l.byKey[t.key()] = t
	l.turns = append(l.turns, t)
}

// placeOf returns the place of a way among those that were used.
func (l *Log) placeOf(way string) int {
	at, ok := l.places[way]
	if !ok {
		at = len(l.ways)
		l.ways, l.places[way] = append(l.ways, way), at
	}
	return at
}

// addFailing adds a turn to those in which calls that share a failure failed.
func (l *Log) addFailing(k key, t *Turn) *failing {
	first := k.first()
	i := slices.IndexFunc(l.failing[first], func(f *failing) bool { return f.key == k })
	if i < 0 {
		i = len(l.failing[first])
		l.failing[first] = append(l.failing[first], &failing{key: k, sessions: map[string]bool{}})
	}
	f := l.failing[first][i]
	f.sessions[t.Session] = true
	if t.At.After(f.last) {
		f.last = t.At
	}
	return f
}

func (l *Log) sort() {
	slices.SortStableFunc(l.turns, func(a, b *Turn) int { return a.At.Compare(b.At) })
}

// Newer returns an error if a newer version wrote lines of the file.
func (l *Log) Newer() error {
	if l == nil || len(l.newer) == 0 {
		return nil
	}
	return fmt.Errorf("%s: a newer recollect wrote %d of its lines, which are left as they are", Name, len(l.newer))
}

// Add records the runs of a turn, in place of those that were recorded of it before.
func (l *Log) Add(t Turn) {
	if l == nil || t.Session == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.byKey[t.key()]
	isEmpty, isSame := old == nil && len(t.Runs) == 0, old != nil && reflect.DeepEqual(old.Runs, t.Runs)
	if isEmpty || isSame {
		return
	}
	l.put(&t)
	l.lines++
	l.sort()
	err := durable.AppendLines(l.path, encode([]*Turn{&t}), &l.torn)
	if l.isLoose() {
		err = errors.Join(err, l.compact())
	}
	if err != nil {
		l.log.Warn("write outcomes", logkey.Error, err)
	}
}

// compact writes one line a turn. Of too many turns it drops, among the older half, the runs in ways that
// only one session used, and then the oldest.
func (l *Log) compact() error {
	if len(l.turns) >= maxTurns {
		l.dropRare(l.turns[:len(l.turns)-maxTurns/2])
		l.turns = slices.DeleteFunc(l.turns, func(t *Turn) bool { return len(t.Runs) == 0 })
		l.turns = l.turns[max(0, len(l.turns)-maxTurns):]
	}
	return l.rewrite()
}

// dropRare drops the runs of turns in ways that only one session used.
func (l *Log) dropRare(turns []*Turn) {
	const many = "\x00"
	used := map[string]string{}
	for _, t := range l.turns {
		for _, r := range t.Runs {
			if s, ok := used[r.Way]; ok && s != t.Session {
				used[r.Way] = many
			} else {
				used[r.Way] = t.Session
			}
		}
	}
	for _, t := range turns {
		t.Runs = slices.DeleteFunc(t.Runs, func(r toolcall.Run) bool { return used[r.Way] != many })
	}
}

// rewrite writes the file anew, from what is in memory, and derives the rest from that.
func (l *Log) rewrite() error {
	turns := l.turns
	l.clear()
	for _, t := range turns {
		l.put(t)
	}
	l.lines, l.torn = len(turns), false
	lines := encode(turns)
	for _, line := range l.newer {
		lines = append(append(lines, line...), '\n')
	}
	return durable.WriteFile(l.path, lines, 0o600)
}

func encode(turns []*Turn) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, t := range turns {
		if err := e.Encode(t); err != nil {
			panic(err) // strings, a number and a time
		}
	}
	return b.Bytes()
}

// Chosen returns the turns that picks returns true for, as memories of failures.
func (l *Log) Chosen(picks func(*memory.Memory) bool) []memory.Memory {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []memory.Memory
	for _, t := range l.turns {
		if m := t.asMemory(); picks(m) {
			out = append(out, *m)
		}
	}
	return out
}

// Forget removes the turns that picks returns true for, which are shown to it as memories of failures, and
// the lines of a newer version that drop returns true for.
func (l *Log) Forget(picks func(*memory.Memory) bool, drop func(line []byte) bool) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	before := len(l.turns) + len(l.newer)
	l.turns = slices.DeleteFunc(l.turns, func(t *Turn) bool { return picks(t.asMemory()) || drop(encode([]*Turn{t})) })
	l.newer = slices.DeleteFunc(l.newer, drop)
	if len(l.turns)+len(l.newer) == before {
		return nil
	}
	return l.rewrite()
}

// turnsIn yields the turns of a project, by time.
func (l *Log) turnsIn(p memory.Project) func(func(*Turn) bool) {
	return func(yield func(*Turn) bool) {
		for _, t := range l.turns {
			if home := t.home(); home.Same(p) && !yield(t) {
				return
			}
		}
	}
}
