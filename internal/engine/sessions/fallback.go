package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/api"
	"recollect/internal/system/durable"
)

// maxFallback is the most that the file of a fallback may have, in bytes.
const maxFallback = 1 << 20

// LeaveFallback writes what the hook injects at the session's next prompt if no daemon
// answers then; keys are the content keys of its memories. Without context there is no
// file.
func (s *Session) LeaveFallback(f api.Fallback, keys map[string]string) error {
	if s.ID == "" {
		return nil
	}
	path := api.FallbackPath(s.home(), s.ID)
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
	if _, err := os.Stat(s.home()); err != nil { // it was removed, and is not to be made again
		return fmt.Errorf("leave fallback: %w", err)
	}
	if err := durable.WriteFile(path, b, 0o600); err != nil {
		return err
	}
	s.Fallback = keys
	return nil
}

// DropFallbacks removes the fallbacks of all sessions, of which nothing was injected.
func (ss *Sessions) DropFallbacks() error {
	entries, err := os.ReadDir(filepath.Dir(api.FallbackPath(ss.home, "x")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, e := range entries {
		errs = append(errs, ss.dropFallback(e.Name()))
	}
	return errors.Join(errs...)
}

// dropFallback removes the fallback in a file, which has the name of its session's state.
func (ss *Sessions) dropFallback(name string) error {
	of, err := read(filepath.Join(ss.home, "sessions", name))
	if err != nil || of.ID == "" {
		return os.Remove(filepath.Join(filepath.Dir(api.FallbackPath(ss.home, "x")), name))
	}
	s := ss.Get(of.ID)
	s.Lock()
	defer s.Unlock()
	if err := s.LeaveFallback(api.Fallback{}, nil); err != nil {
		return err
	}
	return s.Save()
}

// CollectFallback records that the fallback was injected if its file is gone: the hook
// removes it.
func (s *Session) CollectFallback() {
	if len(s.Fallback) == 0 {
		return
	}
	if _, err := os.Stat(api.FallbackPath(s.home(), s.ID)); errors.Is(err, fs.ErrNotExist) {
		s.AddInjected(s.Fallback)
		s.Fallback = nil
	}
}
