package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"recollect/internal/api"
	"recollect/internal/durable"
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
