package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/memory/clean"
	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// Redact takes secrets out of the last prompts of sessions and removes the fallbacks that
// have one, which are made anew. It returns how many files had secrets.
func (ss *Sessions) Redact() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	gone := map[string]bool{}
	for _, path := range filesIn(filepath.Join(ss.home, "recollections")) {
		if b, err := regular.Read(path, maxFallback); err == nil && clean.HasSecret(b) {
			ss.warn(os.Remove(path), filepath.Base(path))
			gone[path] = true
		}
	}
	changed := len(gone)
	redact := func(s *Session) {
		if s.redact(gone) {
			ss.warn(s.Save(), s.ID)
			changed++
		}
	}
	for _, s := range ss.byID.Values() {
		s.Lock()
		redact(s)
		s.Unlock()
	}
	for _, path := range filesIn(filepath.Join(ss.home, "sessions")) {
		b, err := regular.Read(path, durable.MaxState)
		if err != nil || !clean.HasSecret(b) {
			continue
		}
		s, err := read(path)
		switch {
		case errors.Is(err, durable.ErrNewer): // it is that version's to redact
		case err != nil || strings.HasPrefix(filepath.Base(path), durable.TempPrefix):
			ss.warn(os.Remove(path), filepath.Base(path)) // what a crash has left
			changed++
		case s.ID != "" && !ss.byID.Contains(s.ID):
			redact(s)
		}
	}
	return changed
}

// redact takes secrets out of s, and reports whether there were any. A fallback
// whose file is among gone was not injected.
func (s *Session) redact(gone map[string]bool) bool {
	changed := s.forgetFallback(gone)
	for _, text := range []*string{&s.LastPrompt, &s.Cwd} {
		if cleaned := clean.Text(*text); cleaned != *text {
			*text, changed = cleaned, true
		}
	}
	return changed
}
