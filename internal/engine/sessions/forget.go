package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/engine/forget"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
)

// Forget removes forgotten memories from fallbacks and sessions, and the last prompts
// of the sessions that they came from.
func (ss *Sessions) Forget(t forget.Traces) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	gone := ss.forgetFallbacks(t)
	for _, s := range ss.byID.Values() {
		s.Lock()
		if s.forget(t, gone) {
			ss.warn(s.Save(), s.ID)
		}
		s.Unlock()
	}
	for _, path := range filesIn(filepath.Join(ss.home, "sessions")) {
		if strings.HasPrefix(filepath.Base(path), durable.TempPrefix) {
			os.Remove(path) // what a crash has left
			continue
		}
		s, err := read(path)
		if err != nil || s.ID == "" || ss.byID.Contains(s.ID) {
			continue
		}
		if s.forget(t, gone) {
			ss.warn(s.Save(), s.ID)
		}
	}
}

func (ss *Sessions) warn(err error, session string) {
	if err != nil {
		ss.log.Warn("forget", logkey.Session, session, logkey.Error, err)
	}
}

// forgetFallbacks removes the fallbacks that have forgotten memories, and
// returns their paths.
func (ss *Sessions) forgetFallbacks(t forget.Traces) map[string]bool {
	gone := map[string]bool{}
	for _, path := range filesIn(filepath.Join(ss.home, "recollections")) {
		b, err := regular.Read(path, maxFallback)
		if err != nil {
			continue // the hook has removed it meanwhile
		}
		if strings.HasPrefix(filepath.Base(path), durable.TempPrefix) || t.In(b) {
			ss.warn(os.Remove(path), filepath.Base(path))
			gone[path] = true
		}
	}
	return gone
}

// forget removes forgotten memories from s, and reports whether there were any. A
// fallback whose file is among gone was not injected.
func (s *Session) forget(t forget.Traces, gone map[string]bool) bool {
	changed := s.forgetFallback(gone)
	for id := range s.Injected {
		if t.IDs[memoryOf(id)] {
			delete(s.Injected, id)
			changed = true
		}
	}
	for _, ids := range []*[]string{&s.Passed, &s.Chosen} {
		left := slices.DeleteFunc(slices.Clone(*ids), func(id string) bool { return t.IDs[id] })
		if len(left) != len(*ids) {
			*ids, changed = left, true
		}
	}
	quoted := t.Sessions[s.ID] || t.Within(s.Cwd) || t.HasWords(s.LastPrompt)
	if quoted && s.LastPrompt != "" {
		s.LastPrompt, changed = "", true
	}
	return changed
}

// forgetFallback forgets the fallback of s if its file is among gone, and reports whether
// it was.
func (s *Session) forgetFallback(gone map[string]bool) bool {
	if s.Fallback == nil || !gone[api.FallbackPath(s.home(), s.ID)] {
		return false
	}
	s.Fallback = nil
	return true
}

// filesIn lists the files in a folder, which need not exist.
func filesIn(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}
