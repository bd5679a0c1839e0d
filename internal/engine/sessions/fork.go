package sessions

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
)

// maxBeside is how many transcripts, the newest, are looked at for the one that a session was forked from.
const maxBeside = 50

// Fork gives a session that was forked what was given to the session that it comes from, whose context it begins with. Claude Code
// does not say which that is: it runs in the same folder and has as many tokens in its context, or is the newest if
// their number is not known.
func (ss *Sessions) Fork(id, cwd, transcript string, tokens int) {
	parent := ss.forkedFrom(id, cwd, transcript, tokens)
	if id == "" || parent == nil {
		return
	}
	parent.Lock()
	injected, passed, compacted, prompt := maps.Clone(parent.Injected), slices.Clone(parent.Passed), parent.Compacted, parent.LastPrompt
	parent.Unlock()
	s := ss.Get(id)
	s.Lock()
	defer s.Unlock()
	if s.Injected == nil {
		s.Injected, s.Passed, s.Compacted, s.LastPrompt = injected, passed, compacted, prompt
	}
}

func (ss *Sessions) forkedFrom(id, cwd, transcript string, tokens int) *Session {
	for _, path := range beside(transcript) {
		s, known := ss.Find(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
		if !known {
			continue
		}
		if usage, err := claudecode.ReadUsage(path); tokens == 0 || err == nil && usage.Tokens == tokens {
			return s
		}
	}
	if tokens > 0 {
		return nil
	}
	return ss.newestIn(id, cwd)
}

// beside lists the other transcripts in the folder of one, the newest first.
func beside(transcript string) []string {
	dir := filepath.Dir(transcript)
	entries, err := os.ReadDir(dir)
	if err != nil || transcript == "" {
		return nil
	}
	written := map[string]int64{}
	for _, e := range entries {
		if e.Name() == filepath.Base(transcript) || filepath.Ext(e.Name()) != ".jsonl" {
			continue
		}
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			written[filepath.Join(dir, e.Name())] = fi.ModTime().UnixNano()
		}
	}
	paths := slices.SortedFunc(maps.Keys(written), func(a, b string) int { return cmp.Compare(written[b], written[a]) })
	return paths[:min(len(paths), maxBeside)]
}

// newestIn returns the session that ran last in a folder, of those that are held, but for one.
func (ss *Sessions) newestIn(but, cwd string) *Session {
	ss.mu.Lock()
	held := ss.byID.Values() // the oldest first
	ss.mu.Unlock()
	for _, s := range slices.Backward(held) {
		if s.ID != but && s.ranIn(cwd) {
			return s
		}
	}
	return nil
}

// ranIn reports whether s is a session that ran in a folder. One that is busy is not waited for.
func (s *Session) ranIn(cwd string) bool {
	if !s.TryLock() {
		return false
	}
	defer s.Unlock()
	return s.Parent == "" && s.Cwd != "" && s.Cwd == cwd
}
