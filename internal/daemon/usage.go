package daemon

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// usage counts the sessions that each memory was told to. It is kept in
// usage.jsonl, one line a telling; losing the last lines in a crash loses
// nothing that matters, so they are not synced.
type usage struct {
	path string
	log  *slog.Logger
	mu   sync.Mutex
	seen map[string]bool // id and session
	uses map[string]int
}

// A telling is one line of usage.jsonl.
type telling struct {
	V       int       `json:"v"`
	ID      string    `json:"id"`
	Session string    `json:"session"`
	At      time.Time `json:"at"`
}

func openUsage(home string, log *slog.Logger) *usage {
	u := &usage{path: filepath.Join(home, "usage.jsonl"), log: log, seen: map[string]bool{}, uses: map[string]int{}}
	f, err := os.Open(u.path)
	if err != nil {
		return u // not there yet
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var t telling
		if json.Unmarshal(sc.Bytes(), &t) == nil && t.ID != "" {
			u.count(t.ID, t.Session)
		}
	}
	return u
}

// of returns the number of sessions that a memory was told to.
func (u *usage) of(id string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.uses[id]
}

// add notes that a session was told these memories.
func (u *usage) add(session string, keys map[string]string, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var lines []byte
	for id := range keys {
		if !u.count(id, session) {
			continue
		}
		line, err := json.Marshal(telling{1, id, session, now})
		if err != nil {
			panic(err) // strings and a time
		}
		lines = append(append(lines, line...), '\n')
	}
	if err := u.write(lines); err != nil {
		u.log.Warn("note usage", "error", err)
	}
}

// count notes a telling and reports whether it is the session's first.
func (u *usage) count(id, session string) bool {
	key := id + " " + session
	if u.seen[key] {
		return false
	}
	u.seen[key] = true
	u.uses[id]++
	return true
}

func (u *usage) write(lines []byte) error {
	f, err := os.OpenFile(u.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(lines); err != nil {
		return fmt.Errorf("append: %w", err)
	}
	return f.Close()
}
