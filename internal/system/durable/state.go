package durable

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"recollect/internal/system/regular"
)

// MaxState is the largest size of the file of a State, in bytes.
const MaxState = 16 << 20

// ErrNewer means that a newer recollect wrote a file. The caller should neither use nor change it.
var ErrNewer = errors.New("a newer recollect wrote it, so it is left as it is")

// A State is a JSON file in which recollect keeps something between its runs. It is safe for concurrent
// use.
type State struct {
	path  string
	newer atomic.Bool // whether a newer version wrote it
}

// NewState returns the state in the file at path.
func NewState(path string) *State { return &State{path: path} }

// Newer returns an error that names the file if a newer version wrote it.
func (s *State) Newer() error {
	if !s.newer.Load() {
		return nil
	}
	return fmt.Errorf("%s: %w", filepath.Base(s.path), ErrNewer)
}

// Read reads the file into v, which must not be used after an error. The error is fs.ErrNotExist if there
// is no file, and ErrNewer if a newer version wrote it: it states a later version than 1, or is valid
// JSON of another form.
func (s *State) Read(v any) error {
	b, err := regular.Read(s.path, MaxState)
	if err != nil {
		return err
	}
	var head struct {
		V json.Number `json:"v"`
	}
	err = json.Unmarshal(b, v)
	other := err != nil && json.Valid(b)
	if version := json.Unmarshal(b, &head); version == nil {
		n, bad := head.V.Int64()
		if newer := bad != nil || n > 1; newer && head.V != "" {
			other = true
		}
	}
	if s.newer.Store(other); other {
		return s.Newer()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(s.path), err)
	}
	return nil
}

// Write replaces the file by v as JSON, unless a newer version wrote it.
func (s *State) Write(v any) error {
	if s.newer.Load() {
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", filepath.Base(s.path), err)
	}
	return WriteFile(s.path, b, 0o600)
}
