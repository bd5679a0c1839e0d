// Package trial withholds memories from a share of the sessions, for a user who wants to compare them with the others.
//
// Which sessions these are is decided by their ids, and recorded when each begins, in a file in the data folder with an
// id and a time a line: so a share that is changed later changes nothing for them, unless it is 0.
package trial

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// Name is the name of the file in the data folder.
const Name = "trial.jsonl"

// A Session is a line of the file.
type Session struct {
	ID       string    `json:"session"`
	Withheld bool      `json:"withheld"`
	At       time.Time `json:"at"`
}

const (
	maxLine     = 4 << 10 // bytes
	maxSessions = 100_000 // that are read
)

// Read returns the sessions of the trial in a data folder, by id: whether memories were withheld from them.
func Read(home string) (map[string]bool, error) {
	f, err := regular.Open(filepath.Join(home, Name))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]bool{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sessions := map[string]bool{}
	lines := regular.NewLines(f, maxLine)
	for len(sessions) < maxSessions {
		l, err := lines.Next()
		if err != nil {
			return sessions, nil // the end, or what can be read
		}
		var s Session
		if json.Unmarshal(l.Text, &s) == nil && s.ID != "" {
			sessions[s.ID] = s.Withheld
		}
	}
	return sessions, nil
}

// A Trial is that of one data folder. It is safe for concurrent use.
type Trial struct {
	home string

	mu    sync.Mutex
	known map[string]bool // nil until it is needed
	torn  bool
}

// New returns the trial of a data folder.
func New(home string) *Trial { return &Trial{home: home} }

// Withholds reports whether memories are withheld from a session, and records it. share is the part of the sessions
// from which they are, in [0, 1]; at 0 there is no trial, and nothing is recorded. With an error the session could not
// be recorded, and is as it would have been.
func (t *Trial) Withholds(session string, share float64, now time.Time) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if session == "" || share == 0 {
		return false, nil
	}
	if t.known == nil {
		known, err := Read(t.home)
		if err != nil {
			return false, err
		}
		t.known = known
	}
	if withheld, known := t.known[session]; known {
		return withheld, nil
	}
	s := Session{session, part(session) < share, now.UTC().Truncate(time.Second)}
	t.known[session] = s.Withheld
	line, err := json.Marshal(s)
	if err == nil {
		err = durable.AppendLines(filepath.Join(t.home, Name), append(line, '\n'), &t.torn)
	}
	return s.Withheld, err
}

// part returns a number in [0, 1) that only depends on an id.
func part(id string) float64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	x := h.Sum64()
	x ^= x >> 33 // the ids of some clients only differ at their end
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}
