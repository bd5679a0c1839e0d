// Package forgotten remembers what a user asked to forget, so that transcripts which still contain it do
// not bring it back. Each rule covers the memories that match all of its parts.
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

// A Rule describes memories that the user forgot: those that match all of its parts. It contains none of
// the forgotten words, and only checksums of the project.
type Rule struct {
	V       int           `json:"v"`
	Session string        `json:"session,omitempty"`
	Project []string      `json:"project,omitempty"` // see projectKeys
	Source  memory.Source `json:"source,omitempty"`
	Turns   []string      `json:"turns,omitempty"`
	Before  time.Time     `json:"before"` // memories of this time and later are not covered
}

// covers reports whether m matches all parts of the rule.
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

// projectKeys returns the keys by which a rule identifies a project: checksums of its name, path and
// remote, as far as it has them.
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

// IdentityKeys returns the projectKeys that no other project shares. The key of the name is among them
// only if p has neither path nor remote.
func IdentityKeys(p memory.Project) []string {
	if p.Path != "" || p.Remote != "" {
		p.Name = ""
	}
	return projectKeys(p)
}

// Rules are the rules of a data folder, stored one per line in a file. A nil Rules has none. They are
// safe for concurrent use.
type Rules struct {
	path string

	mu    sync.Mutex
	rules []Rule
	newer int // lines that a newer version wrote
}

// maxForgotten is the largest size of the file in bytes.
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

// Newer returns an error if a newer version wrote some of the rules. Memories that those cover may be
// learned again.
func (f *Rules) Newer() error {
	if f.newer == 0 {
		return nil
	}
	return fmt.Errorf("%s: a newer recollect wrote %d of its lines, so what they cover is not known to be forgotten", filepath.Base(f.path), f.newer)
}

// Cover reports whether a rule covers m.
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
	// a crash may have cut the line before short
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
