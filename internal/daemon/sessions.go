package daemon

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/api"
	"recollect/internal/durable"
	"recollect/internal/recall"
)

// keepSessions is how long the state of a session is kept: as long as Claude
// Code keeps transcripts by default.
const keepSessions = 30 * 24 * time.Hour

// A session is what the daemon remembers of one session of Claude Code.
type session struct {
	ID         string            `json:"id"`
	Of         string            `json:"of,omitempty"`     // of a sub-agent: its session
	Told       map[string]string `json:"told"`             // content keys by memory id
	Passed     []string          `json:"passed,omitempty"` // ids of what passed the gates at the last prompt
	LastPrompt string            `json:"last_prompt,omitempty"`
	Cwd        string            `json:"cwd,omitempty"`
	Compacted  time.Time         `json:"compacted,omitzero"`
	Fallback   map[string]string `json:"fallback,omitempty"` // what lies in the fallback file, as Told

	mu   sync.Mutex // held while a recall is made for the session
	path string
}

// known returns what Claude has in its context, for recall.
func (s *session) known() recall.Session {
	return recall.Session{ID: s.asked(), Injected: maps.Clone(s.Told), Passed: s.Passed, Compacted: s.Compacted}
}

// asked returns the id of the session as Claude Code knows it.
func (s *session) asked() string { return cmp.Or(s.Of, s.ID) }

// tell notes what the session was told.
func (s *session) tell(keys map[string]string) {
	if s.Told == nil {
		s.Told = map[string]string{}
	}
	maps.Copy(s.Told, keys)
}

// forgetTold notes that the session's context was cut down to a summary.
func (s *session) forgetTold(now time.Time) {
	s.Told, s.Passed, s.Compacted = nil, nil, now
}

// save writes the session's state by way of a temporary file.
func (s *session) save() error {
	if s.ID == "" {
		return nil
	}
	b, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode session: %w", err)
	}
	return writeFile(s.path, b)
}

// maxSessions is how many sessions and sub-agents are held at once: many more
// than there can be requests and chores under way, so that what is let go of
// was saved.
const maxSessions = 1000

// sessions holds those sessions that were asked for last.
type sessions struct {
	home string
	log  *slog.Logger
	mu   sync.Mutex // held while one is read: there is only ever one of an id
	byID *lru.Cache[string, *session]
}

func newSessions(home string, log *slog.Logger) *sessions {
	byID, err := lru.New[string, *session](maxSessions)
	if err != nil {
		panic(err) // a constant that is no size
	}
	return &sessions{home: home, log: log, byID: byID}
}

// get returns the session with that id, from disk when it is not held. A session without an id is a new one at every call.
func (ss *sessions) get(id string) *session {
	if id == "" {
		return &session{}
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if s, ok := ss.byID.Get(id); ok {
		return s
	}
	s := &session{path: filepath.Join(ss.home, "sessions", api.FileName(id)+".json")}
	b, err := os.ReadFile(s.path)
	if err == nil {
		err = json.Unmarshal(b, s)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ss.log.Warn("read session", "session", id, "error", err)
	}
	s.ID = id
	ss.byID.Add(id, s)
	return s
}

// of returns the session, or where agent is not empty the sub-agent of it,
// which knows nothing of what came before it.
func (ss *sessions) of(id, agent string, now time.Time) *session {
	if id == "" || agent == "" {
		return ss.get(id)
	}
	s := ss.get(id + agentMark + agent)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Of == "" {
		s.Of, s.Compacted = id, now
	}
	return s
}

// clean removes the state of sessions that nobody has used for long.
func (ss *sessions) clean(now time.Time) {
	for _, dir := range []string{"sessions", filepath.Join("sessions", "refined"), "recollections"} {
		dir = filepath.Join(ss.home, dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // not there yet
		}
		for _, e := range entries {
			fi, err := e.Info()
			if err == nil && strings.HasSuffix(e.Name(), ".json") && now.Sub(fi.ModTime()) > keepSessions {
				os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// leave writes what the session is told at its next prompt if no daemon
// answers then. Nothing to tell means no file.
func (s *session) leave(home string, f api.Fallback, keys map[string]string) error {
	if s.ID == "" {
		return nil
	}
	path := api.FallbackPath(home, s.ID)
	if f.Context == "" {
		s.Fallback = nil
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove fallback: %w", err)
		}
		return nil
	}
	b, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("encode fallback: %w", err)
	}
	if err := writeFile(path, b); err != nil {
		return err
	}
	s.Fallback = keys
	return nil
}

// collect notes that a fallback was told when its file is gone: the hook
// removes it.
func (s *session) collect(home string) {
	if len(s.Fallback) == 0 {
		return
	}
	if _, err := os.Stat(api.FallbackPath(home, s.ID)); errors.Is(err, fs.ErrNotExist) {
		s.tell(s.Fallback)
		s.Fallback = nil
	}
}

// writeFile replaces a file of the daemon's state.
func writeFile(path string, b []byte) error {
	if err := durable.WriteFile(path, b, 0o600); err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	return nil
}
