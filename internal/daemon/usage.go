package daemon

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/api"
)

// Bounds of usage.jsonl.
const (
	// maxUsage is the size from which the file is compacted when the daemon
	// starts, in bytes.
	maxUsage = 1 << 20
	// maxTellings is how many tellings are kept, the newest ones: those of some
	// hundred sessions. They are read, while the store is, in about 30 ms.
	maxTellings = 10000
	// maxUsageLine is the longest line that is read, in bytes.
	maxUsageLine = 4 << 10
)

// usage keeps what each session was told and whether Claude made use of it.
// It lies in usage.jsonl; losing the last lines in a crash loses nothing that
// matters, so they are not synced.
type usage struct {
	path string
	log  *slog.Logger

	mu    sync.Mutex
	told  map[tellingKey]*telling
	uses  map[string]int // sessions that made use of it, by memory
	lines int            // in the file
	torn  bool           // its last line has no end
}

// agentMark stands between a session and its sub-agent.
const agentMark = "."

type tellingKey struct{ id, session string }

// A telling is one line of usage.jsonl. Lines of one memory and session add up
// to one telling: their tokens do, the first tells the time and event, the last
// that says so whether it was used. Lines of versions before say neither.
type telling struct {
	V       int       `json:"v"`
	ID      string    `json:"id"`
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Event   string    `json:"event,omitempty"`
	Tokens  int       `json:"tokens,omitempty"`
	Used    *bool     `json:"used,omitempty"` // nil until the turn has ended

	last time.Time // when the session was told it last
}

func (t *telling) used() bool { return t.Used != nil && *t.Used }

func openUsage(home string, log *slog.Logger) *usage {
	u := &usage{path: filepath.Join(home, "usage.jsonl"), log: log, told: map[tellingKey]*telling{}, uses: map[string]int{}}
	size, err := u.read()
	if errors.Is(err, fs.ErrNotExist) {
		return u
	}
	if err == nil && size > maxUsage && (2*u.lines > 3*len(u.told) || len(u.told) > maxTellings) {
		err = u.compact()
	}
	if err != nil {
		log.Warn("read usage", "error", err)
	}
	return u
}

// read takes all lines that are whole and returns the size of the file.
func (u *usage) read() (size int64, err error) {
	f, err := os.Open(u.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for r := bufio.NewReaderSize(f, maxUsageLine); ; {
		line, err := r.ReadSlice('\n')
		size += int64(len(line))
		for errors.Is(err, bufio.ErrBufferFull) { // no line of ours: all of it goes
			var more []byte
			more, err = r.ReadSlice('\n')
			size += int64(len(more))
			line = nil
		}
		var t telling
		if json.Unmarshal(line, &t) == nil && t.ID != "" {
			u.lines++
			u.note(t)
		}
		if err != nil {
			u.torn = len(line) > 0
			return size, endOfFile(err)
		}
	}
}

func endOfFile(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// note adds a line to what is known.
func (u *usage) note(line telling) {
	key := tellingKey{line.ID, line.Session}
	t := u.told[key]
	if t == nil {
		t = &telling{V: 1, ID: line.ID, Session: line.Session, At: line.At, Event: line.Event}
		u.told[key] = t
	}
	t.Tokens += line.Tokens
	if line.Used == nil || t.last.IsZero() {
		t.last = line.At
	}
	if line.Used == nil {
		return
	}
	if t.used() {
		u.uses[t.ID]--
	}
	t.Used = line.Used
	if t.used() {
		u.uses[t.ID]++
	}
}

// of returns the number of sessions that made use of a memory.
func (u *usage) of(id string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.uses[id]
}

// add notes what a session was told at a time.
func (u *usage) add(session, event string, bites []api.Bite, at time.Time) {
	var lines []telling
	for _, b := range bites {
		lines = append(lines, telling{V: 1, ID: b.ID, Session: session, At: at, Event: event, Tokens: b.Tokens})
	}
	u.append(lines)
}

// A verdict says at a time whether a telling was of use.
func (t telling) verdict(used bool, at time.Time) telling {
	return telling{V: 1, ID: t.ID, Session: t.Session, At: at, Used: &used}
}

// open returns what a session was told, or its sub-agents were, and what is
// not known to have been of use.
func (u *usage) open(session string, agents bool) []telling {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []telling
	for key, t := range u.told {
		of, _, agent := strings.Cut(key.session, agentMark)
		if of == session && agent == agents && !t.used() {
			out = append(out, *t)
		}
	}
	slices.SortFunc(out, func(a, b telling) int { return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.ID, b.ID)) })
	return out
}

// since returns what was told first at a time or later.
func (u *usage) since(from time.Time) []telling {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []telling
	for _, t := range u.told {
		if !t.At.Before(from) {
			out = append(out, *t)
		}
	}
	return out
}

// append notes lines and writes them.
func (u *usage) append(lines []telling) {
	if len(lines) == 0 {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, line := range lines {
		u.note(line)
	}
	u.lines += len(lines)
	if err := u.write(encodeTellings(lines)); err != nil {
		u.log.Warn("note usage", "error", err)
	}
}

func (u *usage) write(lines []byte) error {
	f, err := os.OpenFile(u.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if u.torn {
		lines = append([]byte{'\n'}, lines...)
	}
	_, err = f.Write(lines)
	u.torn = err != nil
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("append: %w", err)
	}
	return nil
}

// compact writes one line for each telling, and forgets the oldest of too
// many.
func (u *usage) compact() error {
	all := slices.SortedFunc(maps.Values(u.told), func(a, b *telling) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.ID, b.ID))
	})
	drop := max(0, len(all)-maxTellings)
	for _, t := range all[:drop] {
		delete(u.told, tellingKey{t.ID, t.Session})
		if t.used() {
			u.uses[t.ID]--
		}
	}
	var kept []telling
	for _, t := range all[drop:] {
		kept = append(kept, *t)
	}
	u.lines, u.torn = len(kept), false
	return writeFile(u.path, encodeTellings(kept))
}

func encodeTellings(lines []telling) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, t := range lines {
		if err := e.Encode(t); err != nil {
			panic(err) // strings, numbers and a time
		}
	}
	return b.Bytes()
}
