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

// A Start is the start of a session, stored in a file while its hook waits for the daemon. Missed
// says that the hook has given up. In that case the file remains until an answer to the session's
// next prompt or tool call has made up for it.
type Start struct {
	Session
	Missed bool `json:"missed,omitempty"`
}

// maxStart is the size of the largest file of a start, in bytes.
const maxStart = 64 << 10

// startWait is the age of a Start after which its hook no longer waits: it was ended without warning.
const startWait = time.Second

// IsOwed reports whether this start of a session may have something injected, now or later. A session
// that is resumed or forked may not, because its context is replayed.
func (s Session) IsOwed() bool {
	silent, replayed := s.Clean || s.Incognito, s.Reason == "resume" || s.Reason == "fork"
	return s.SessionID != "" && !silent && !replayed
}

// startPath returns the path of the file of a Start.
func startPath(home, session string) string {
	return filepath.Join(home, "recollections", FileName(session)+".start.json")
}

// LeaveStart writes the file of a Start.
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

// MissedStart returns the start of a session, and reports whether its hook got no answer.
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

// EndStart removes the file of a Start.
func EndStart(home, session string) error {
	if err := os.Remove(startPath(home, session)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
