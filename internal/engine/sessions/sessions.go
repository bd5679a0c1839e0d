package sessions

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

// maxSessionAge is how long the state of a session is kept: as long as Claude
// Code keeps transcripts by default.
const maxSessionAge = 30 * 24 * time.Hour

// maxSessions is how many sessions and sub-agents are held at once: many more
// than there can be requests and jobs under way, so that what is let go of
// was saved.
const maxSessions = 1000

// Sessions holds those sessions that were asked for last.
type Sessions struct {
	Tasks       Tasks
	Windows     Windows
	Listener    Listener
	FailedTools FailedTools

	home string
	log  *slog.Logger
	mu   sync.Mutex // held while one is read: there is only ever one of an id
	byID *lru.Cache[string, *Session]

	newer error // names the last one whose file a newer version wrote
}

// NewSessions returns the sessions whose state lies in home.
func NewSessions(home string, log *slog.Logger) *Sessions {
	byID, err := lru.New[string, *Session](maxSessions)
	if err != nil {
		panic(err) // a constant that is no size
	}
	return &Sessions{home: home, log: log, byID: byID}
}

// Get returns the session with that id, from disk when it is not held. A session
// without an id is a new one at every call.
func (ss *Sessions) Get(id string) *Session {
	if id == "" {
		return &Session{}
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if s, ok := ss.byID.Get(id); ok {
		return s
	}
	s, err := read(api.SessionPath(ss.home, id))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ss.log.Warn("read session", logkey.Session, id, logkey.Error, err)
		ss.newer = cmp.Or(s.file.Newer(), ss.newer)
	}
	s.ID = id
	ss.byID.Add(id, s)
	return s
}

// read reads the session in the file at path, or returns a new one with an error.
func read(path string) (*Session, error) {
	file := durable.NewState(path)
	s := &Session{}
	err := file.Read(s)
	if err != nil {
		s = &Session{}
	}
	if s.Injected == nil {
		s.Injected = s.OldInjected
	}
	s.OldInjected = nil
	s.dir, s.file = filepath.Dir(path), file
	return s, err
}

// Newer returns an error if a newer version wrote the state of a session that was asked
// for.
func (ss *Sessions) Newer() error {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.newer
}

// Find returns the session with that id, if anything is known of it.
func (ss *Sessions) Find(id string) (*Session, bool) {
	if id == "" {
		return nil, false
	}
	ss.mu.Lock()
	known := ss.byID.Contains(id)
	ss.mu.Unlock()
	if _, err := os.Stat(api.SessionPath(ss.home, id)); !known && err != nil {
		return nil, false
	}
	return ss.Get(id), true
}

// HadPrompt reports whether a session had a prompt, unless its state says otherwise as it was saved last. It takes no
// lock, because who asks holds that of another session, and Forget waits for that one with all of them locked.
func (ss *Sessions) HadPrompt(id string) bool {
	s, err := read(api.SessionPath(ss.home, id))
	return err != nil || s.Context().Begun
}

// GetAgent returns the sub-agent of a session, which knows nothing of what came
// before it, or the session itself where agent is empty.
func (ss *Sessions) GetAgent(id, agent string, now time.Time) *Session {
	if id == "" || agent == "" {
		return ss.Get(id)
	}
	s := ss.Get(memory.AgentID(id, agent))
	s.Lock()
	defer s.Unlock()
	if s.Parent == "" {
		s.Parent, s.Compacted = id, now
	}
	return s
}

// RemoveOld removes the state of sessions that nobody has used for long.
func (ss *Sessions) RemoveOld(now time.Time) {
	for _, dir := range []string{"sessions", filepath.Join("sessions", "refined"), "recollections"} {
		dir = filepath.Join(ss.home, dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // not there yet
		}
		for _, e := range entries {
			fi, err := e.Info()
			if err == nil && strings.HasSuffix(e.Name(), ".json") && now.Sub(fi.ModTime()) > maxSessionAge {
				os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}
