// Package forgotten knows what a user had forgotten, so that nothing that still has it
// teaches it again: rules, each of which covers the memories that fit all of its parts.
package forgotten

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/memory"
	"recollect/internal/system/regular"
)

// A Rule says what was forgotten, so that a transcript that still has it does
// not teach it again: what fits all of its parts. It holds none of the words
// that were forgotten, and of a project only checksums.
type Rule struct {
	V       int           `json:"v"`
	Session string        `json:"session,omitempty"`
	Project []string      `json:"project,omitempty"` // see projectKeys
	Source  memory.Source `json:"source,omitempty"`
	Turns   []string      `json:"turns,omitempty"`
	Before  time.Time     `json:"before"` // of what happened then and later nothing was forgotten
}

// covers reports whether m is among what was forgotten.
func (r *Rule) covers(m *memory.Memory) bool {
	switch {
	case r.Session != "" && r.Session != m.Session,
		r.Source != "" && r.Source != m.Source,
		len(r.Turns) > 0 && !slices.Contains(r.Turns, m.Turn),
		len(r.Project) > 0 && !slices.ContainsFunc(projectKeys(m.Home()), func(k string) bool { return slices.Contains(r.Project, k) }):
		return false
	}
	return m.OccurredAt.Before(r.Before)
}

// projectKeys returns what a rule knows a project by: a checksum of its name,
// and of its path and remote where it has them.
func projectKeys(p memory.Project) []string {
	var keys []string
	for kind, part := range map[string]string{"name": p.Name, "path": p.Path, "remote": p.Remote} {
		if part != "" {
			sum := sha256.Sum256([]byte(kind + ":" + part))
			keys = append(keys, hex.EncodeToString(sum[:12]))
		}
	}
	slices.Sort(keys)
	return keys
}

// IdentityKeys returns those of the projectKeys that distinguish p from every
// other project: its name only if p has nothing else.
func IdentityKeys(p memory.Project) []string {
	if p.Path != "" || p.Remote != "" {
		p.Name = ""
	}
	return projectKeys(p)
}

// Rules are those of a data folder, one a line of a file. Nil has none. They are safe for
// concurrent use.
type Rules struct {
	path string

	mu    sync.Mutex
	rules []Rule
	newer int // lines that a newer version wrote
}

// maxForgotten is the most that the file may have, in bytes.
const maxForgotten = 64 << 20

// Open reads the rules in the file at path, which need not exist.
func Open(path string) (*Rules, error) {
	f := &Rules{path: path}
	b, err := regular.Read(path, maxForgotten)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what was forgotten: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, len(b)+1)
	for lines.Scan() {
		var head struct{ V int }
		var r Rule
		switch {
		case json.Unmarshal(lines.Bytes(), &head) == nil && head.V > memory.Version:
			f.newer++
		case json.Unmarshal(lines.Bytes(), &r) == nil && r.V == memory.Version:
			f.rules = append(f.rules, r)
		}
	}
	return f, nil
}

// Newer returns an error if a newer version wrote some of the rules: what they
// cover may be learned again.
func (f *Rules) Newer() error {
	if f.newer == 0 {
		return nil
	}
	return fmt.Errorf("%s: a newer recollect wrote %d of its lines, so what they cover is not known to be forgotten", filepath.Base(f.path), f.newer)
}

// Cover reports whether m is among what was forgotten.
func (f *Rules) Cover(m *memory.Memory) bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.rules, func(r Rule) bool { return r.covers(m) })
}

// Len returns the number of rules.
func (f *Rules) Len() int {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.rules)
}

// Add stores a rule; it is on disk when Add returns.
func (f *Rules) Add(r Rule) error {
	r.V = memory.Version
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keep what was forgotten: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	file, err := regular.OpenFile(f.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep what was forgotten: %w", err)
	}
	// A line that a crash has cut short must not take this one with it.
	_, err = file.Write(append(append([]byte{'\n'}, line...), '\n'))
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("keep what was forgotten: %w", err)
	}
	f.rules = append(f.rules, r)
	return nil
}
