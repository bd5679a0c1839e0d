package api

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/system/regular"
)

// A Start is the start of a session whose hook has asked, and has no answer yet: Missed says that
// it has given up. Its file stays until the hook has an answer, or until the session's first
// prompt or tool call that is answered has made up for it.
type Start struct {
	Session
	Missed bool `json:"missed,omitempty"`
}

// maxStart is the size of the largest file of a start, in bytes.
const maxStart = 64 << 10

// startWait is how long a hook waits at most for what is injected at a start. An older one was
// ended without a word.
const startWait = time.Second

// IsOwed reports whether something may be injected into a session at this start of it, if need be later. The
// context of one that is resumed or forked is replayed.
func (s Session) IsOwed() bool {
	silent, replayed := s.Clean || s.Incognito, s.Reason == "resume" || s.Reason == "fork"
	return s.SessionID != "" && !silent && !replayed
}

// startPath returns the path of the file of a session's start.
func startPath(home, session string) string {
	return filepath.Join(home, "recollections", FileName(session)+".start.json")
}

// LeaveStart notes that a session starts.
func LeaveStart(home string, s Start) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := startPath(home, s.SessionID)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

// MissedStart returns the start of a session that its hook had no answer to.
func MissedStart(home, session string, now time.Time) (Session, bool) {
	path := startPath(home, session)
	fi, err := os.Lstat(path)
	if err != nil {
		return Session{}, false
	}
	var s Start
	b, err := regular.Read(path, maxStart)
	if err != nil || json.Unmarshal(b, &s) != nil || s.SessionID != session {
		return Session{}, false
	}
	return s.Session, s.Missed || now.Sub(fi.ModTime()) > startWait
}

// EndStart removes the note that a session starts.
func EndStart(home, session string) error {
	if err := os.Remove(startPath(home, session)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
