package usage

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
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
)

// Bounds of usage.jsonl.
const (
	// maxUsage is the size from which the file is compacted when the daemon
	// starts, in bytes.
	maxUsage = 1 << 20
	// compactAt is the number of injections from which the file is compacted while
	// the daemon runs.
	compactAt = maxInjections * 3 / 2
	// maxInjections is how many injections are retained, the newest ones: those of
	// some hundred sessions. They are read in about 30 ms, while the store is opened.
	maxInjections = 10000
	// maxUsageLine is the longest line that is read, in bytes.
	maxUsageLine = 4 << 10
)

// Log records what was injected into each session and whether Claude made use of it, in
// usage.jsonl. Losing the last lines in a crash does little harm, so they are not synced.
type Log struct {
	Verdicts *Verdicts // what the owner finds useful was used

	path string
	log  *slog.Logger

	mu       sync.Mutex
	injected map[injectionKey]*Injection
	uses     map[string]int          // number of sessions that made use of a memory, by its id
	assessed []injectionKey          // with prompts, the last that was assessed last
	lines    int                     // in the file
	newer    [][]byte                // lines that a newer version wrote, which stay as they are
	torn     bool                    // its last line has no end
	warnings map[injectionKey]string // what was said before tool calls by what is no memory; not written
}

type injectionKey struct{ id, session string }

// An Injection is one line of usage.jsonl. Lines of one memory and session add up to one
// injection: the tokens are summed, the first line gives the time and the event, and the
// last that has Used says whether it was used. Lines of earlier versions have neither
// tokens nor event.
type Injection struct {
	V       int       `json:"v"`
	ID      string    `json:"id"`
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Event   string    `json:"event,omitempty"`
	Tokens  int       `json:"tokens,omitempty"`
	Used    *bool     `json:"used,omitempty"` // nil until the turn has ended

	Last time.Time `json:"-"` // when it was injected into the session last
}

func (t *Injection) used() bool { return t.Used != nil && *t.Used }

// counted returns an injection as it counts: what the owner found useful was used, whatever Claude's words show.
func (u *Log) counted(t *Injection) Injection {
	out := *t
	if said := u.Verdicts.Of(t.ID); said.Says == api.Useful && said.Session == t.Session {
		yes := true
		out.Used = &yes
	}
	return out
}

// OpenLog reads the log in home. If it cannot be read, that is logged, and an empty one
// is begun.
func OpenLog(home string, log *slog.Logger) *Log {
	u := &Log{Verdicts: OpenVerdicts(home, log), path: filepath.Join(home, "usage.jsonl"), log: log, injected: map[injectionKey]*Injection{}, uses: map[string]int{}}
	size, err := u.read()
	if errors.Is(err, fs.ErrNotExist) {
		return u
	}
	if err == nil && size > maxUsage && u.isLoose() {
		err = u.compact()
	}
	if err != nil {
		log.Warn("read usage", logkey.Error, err)
	}
	return u
}

// isLoose reports whether the file has many lines for its injections, or too many injections.
func (u *Log) isLoose() bool {
	return 2*u.lines > 3*len(u.injected) || len(u.injected) > maxInjections
}

// read takes all lines that are whole and returns the size of the file.
func (u *Log) read() (size int64, err error) {
	f, err := regular.Open(u.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for r := bufio.NewReaderSize(f, maxUsageLine); ; {
		line, err := r.ReadSlice('\n')
		size += int64(len(line))
		for errors.Is(err, bufio.ErrBufferFull) { // not a line of ours: skip all of it
			var more []byte
			more, err = r.ReadSlice('\n')
			size += int64(len(more))
			line = nil
		}
		u.takeLine(line)
		if err != nil {
			u.torn = len(line) > 0
			return size, endOfFile(err)
		}
	}
}

// takeLine adds a line of the file.
func (u *Log) takeLine(line []byte) {
	var head struct{ V int }
	if json.Unmarshal(line, &head) == nil && head.V > 1 {
		u.newer = append(u.newer, bytes.Clone(bytes.TrimSpace(line)))
		return
	}
	var t Injection
	if json.Unmarshal(line, &t) == nil && t.ID != "" {
		u.lines++
		u.addInjection(t)
	}
}

// Newer returns an error if a newer version wrote lines of the file.
func (u *Log) Newer() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.newer) == 0 {
		return nil
	}
	return fmt.Errorf("%s: a newer recollect wrote %d of its lines, which are left as they are", filepath.Base(u.path), len(u.newer))
}

func endOfFile(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// addInjection adds a line to the injections in memory.
func (u *Log) addInjection(line Injection) {
	key := injectionKey{line.ID, line.Session}
	t := u.injected[key]
	if t == nil {
		t = &Injection{V: 1, ID: line.ID, Session: line.Session, At: line.At, Event: line.Event}
		u.injected[key] = t
	}
	t.Tokens += line.Tokens
	if line.Used == nil || t.Last.IsZero() {
		t.Last = line.At
	}
	if line.Used == nil {
		return
	}
	if t.used() {
		u.uses[t.ID]--
	}
	if t.Used == nil && t.Event == PromptEvent {
		u.noteAssessed(key)
	}
	t.Used = line.Used
	if t.used() {
		u.uses[t.ID]++
	}
}

// Uses returns the number of sessions that made use of a memory.
func (u *Log) Uses(id string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := u.uses[id]
	if said := u.Verdicts.Of(id); said.Says == api.Useful {
		if t := u.injected[injectionKey{id, said.Session}]; t == nil || !t.used() {
			n++
		}
	}
	return n
}

// BeganWith returns the sessions that began with a memory.
func (u *Log) BeganWith(id string) []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []string
	for key, t := range u.injected {
		if key.id == id && t.Event == StartEvent {
			out = append(out, key.session)
		}
	}
	return out
}

// Add records what was injected into a session at a time.
func (u *Log) Add(session, event string, injected []api.Injected, at time.Time) {
	var lines []Injection
	for _, b := range injected {
		if event == ToolEvent && b.Source == memory.Failures {
			u.noteWarning(injectionKey{b.ID, session}, b.Text)
		}
		lines = append(lines, Injection{V: 1, ID: b.ID, Session: session, At: at, Event: event, Tokens: b.Tokens})
	}
	u.Append(lines)
}

// maxWarnings bounds the warnings that are held, those of some sessions.
const maxWarnings = 500

func (u *Log) noteWarning(of injectionKey, text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.warnings == nil || len(u.warnings) >= maxWarnings {
		u.warnings = map[injectionKey]string{}
	}
	u.warnings[of] = text
}

// warningAs returns the warning of an injection as a failure that recommends what it says behind the failing call.
func (u *Log) warningAs(of Injection) (m memory.Memory, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, fix, ok := strings.Cut(u.warnings[injectionKey{of.ID, of.Session}], "; ")
	return memory.Memory{ID: of.ID, Source: memory.Failures, Fields: map[string]string{"fix": fix}}, ok
}

// Assessment returns the line that records whether t was of use.
func (t Injection) Assessment(used bool, at time.Time) Injection {
	return Injection{V: 1, ID: t.ID, Session: t.Session, At: at, Used: &used}
}

// Unused returns what was injected into a session, or into its sub-agents, and
// is not known to have been of use.
func (u *Log) Unused(id string, agents bool) []Injection {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []Injection
	for key, t := range u.injected {
		of, _, agent := memory.SplitAgentID(key.session)
		if of == id && agent == agents && !t.used() {
			out = append(out, *t)
		}
	}
	slices.SortFunc(out, func(a, b Injection) int { return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.ID, b.ID)) })
	return out
}

// OfSession returns what was injected into a session and its sub-agents, in the order of time.
func (u *Log) OfSession(id string) []Injection {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []Injection
	for key, t := range u.injected {
		if of, _, _ := memory.SplitAgentID(key.session); of == id {
			out = append(out, u.counted(t))
		}
	}
	slices.SortFunc(out, func(a, b Injection) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Event, b.Event), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// OfMemory returns the injections of a memory, in the order of their last time.
func (u *Log) OfMemory(id string) []Injection {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []Injection
	for key, t := range u.injected {
		if key.id == id {
			out = append(out, u.counted(t))
		}
	}
	slices.SortFunc(out, func(a, b Injection) int { return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Session, b.Session)) })
	return out
}

// Since returns what was injected first at a time or later.
func (u *Log) Since(from time.Time) []Injection {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []Injection
	for _, t := range u.injected {
		if !t.At.Before(from) {
			out = append(out, u.counted(t))
		}
	}
	return out
}

// Append records lines and writes them.
func (u *Log) Append(lines []Injection) {
	if len(lines) == 0 {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, line := range lines {
		u.addInjection(line)
	}
	u.lines += len(lines)
	err := durable.AppendLines(u.path, encode(lines), &u.torn)
	if len(u.injected) >= compactAt {
		err = errors.Join(err, u.compact())
	}
	if err != nil {
		u.log.Warn("write usage", logkey.Error, err)
	}
}

// compact writes one line for each Injection, and drops the oldest above maxInjections.
func (u *Log) compact() error {
	all := slices.SortedFunc(maps.Values(u.injected), func(a, b *Injection) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.ID, b.ID))
	})
	drop := max(0, len(all)-maxInjections)
	for _, t := range all[:drop] {
		delete(u.injected, injectionKey{t.ID, t.Session})
		if t.used() {
			u.uses[t.ID]--
		}
	}
	var rest []Injection
	for _, t := range all[drop:] {
		rest = append(rest, *t)
	}
	u.lines, u.torn = len(rest), false
	lines := encode(rest)
	for _, line := range u.newer {
		lines = append(append(lines, line...), '\n')
	}
	return durable.WriteFile(u.path, lines, 0o600)
}

func encode(lines []Injection) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, t := range lines {
		if err := e.Encode(t); err != nil {
			panic(err) // strings, numbers and a time
		}
	}
	return b.Bytes()
}

// LastInjected returns when each memory was injected last.
func (u *Log) LastInjected() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	last := map[string]time.Time{}
	for key, t := range u.injected {
		if t.Last.After(last[key.id]) {
			last[key.id] = t.Last
		}
	}
	return last
}

// Forget removes the injections of memories.
func (u *Log) Forget(ids map[string]bool) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.warnings = nil // they may quote what is forgotten
	before := len(u.injected) + len(u.newer)
	u.newer = slices.DeleteFunc(u.newer, func(line []byte) bool { return namesOne(line, ids) })
	for key := range u.injected {
		if ids[key.id] {
			delete(u.injected, key)
			delete(u.uses, key.id)
		}
	}
	u.assessed = slices.DeleteFunc(u.assessed, func(key injectionKey) bool { return ids[key.id] })
	if len(u.injected)+len(u.newer) == before {
		return nil
	}
	return u.compact()
}

// namesOne reports whether a line has one of the ids.
func namesOne(line []byte, ids map[string]bool) bool {
	for id := range ids {
		if bytes.Contains(line, []byte(id)) {
			return true
		}
	}
	return false
}
