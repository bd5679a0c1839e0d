package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"recollect/internal/api"
	"recollect/internal/durable"
	"recollect/internal/memory"
)

// traces are what forgotten memories leave behind in files that are not the
// store's, by which they are found there.
type traces struct {
	ids      map[string]bool
	sessions map[string]bool // that they came from: their last prompts go too
	words    *regexp.Regexp  // or nil
	home     func(cwd string) bool
}

func (d *Daemon) traces(sel *selection, deleted []memory.Memory) traces {
	t := traces{ids: map[string]bool{}, sessions: map[string]bool{sel.session: true}, words: sel.raw}
	for _, m := range deleted {
		t.ids[m.ID] = true
		t.sessions[m.Session] = true
	}
	delete(t.sessions, "")
	t.home = func(cwd string) bool {
		return !sel.project.Zero() && cwd != "" && sel.project.Same(d.project(cwd))
	}
	return t
}

// in reports whether a line of a file has one of the words, or begins like a
// line about one of the memories.
func (t traces) in(line []byte) bool {
	if t.words != nil && t.words.Match(line) {
		return true
	}
	for _, found := range idIn.FindAllSubmatch(line, -1) {
		if t.ids[string(found[1])] {
			return true
		}
	}
	return false
}

// idIn finds the ids that a line of JSON states.
var idIn = regexp.MustCompile(`"id":"([^"\\]*)"`)

// erase removes what hooks would tell of forgotten memories, and what was said
// in the sessions that they came from.
func (ss *sessions) erase(t traces) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	told := ss.eraseFallbacks(t)
	for _, s := range ss.byID.Values() {
		s.mu.Lock()
		if s.erase(t, told) {
			ss.warn(s.save(), s.ID)
		}
		s.mu.Unlock()
	}
	for _, path := range filesIn(filepath.Join(ss.home, "sessions")) {
		if strings.HasPrefix(filepath.Base(path), durable.TempPrefix) {
			os.Remove(path) // what a crash has left
			continue
		}
		s := session{path: path}
		b, err := os.ReadFile(path)
		if err != nil || json.Unmarshal(b, &s) != nil || s.ID == "" || ss.byID.Contains(s.ID) {
			continue
		}
		if s.erase(t, told) {
			ss.warn(s.save(), s.ID)
		}
	}
}

func (ss *sessions) warn(err error, session string) {
	if err != nil {
		ss.log.Warn("forget", "session", session, "error", err)
	}
}

// eraseFallbacks removes the fallbacks that tell of forgotten memories, and
// returns their paths.
func (ss *sessions) eraseFallbacks(t traces) map[string]bool {
	gone := map[string]bool{}
	for _, path := range filesIn(filepath.Join(ss.home, "recollections")) {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // told meanwhile
		}
		if strings.HasPrefix(filepath.Base(path), durable.TempPrefix) || t.in(b) {
			ss.warn(os.Remove(path), filepath.Base(path))
			gone[path] = true
		}
	}
	return gone
}

// erase removes what s has of forgotten memories, and reports whether it had
// anything. A fallback whose file is gone was not told.
func (s *session) erase(t traces, gone map[string]bool) bool {
	changed := false
	if gone[api.FallbackPath(filepath.Dir(filepath.Dir(s.path)), s.ID)] && s.Fallback != nil {
		s.Fallback, changed = nil, true
	}
	for id := range s.Told {
		if t.ids[id] {
			delete(s.Told, id)
			changed = true
		}
	}
	passed := s.Passed[:0:0]
	for _, id := range s.Passed {
		if !t.ids[id] {
			passed = append(passed, id)
		}
	}
	if len(passed) != len(s.Passed) {
		s.Passed, changed = passed, true
	}
	said := t.sessions[s.ID] || t.home(s.Cwd) || t.words != nil && t.words.MatchString(s.LastPrompt)
	if said && s.LastPrompt != "" {
		s.LastPrompt, changed = "", true
	}
	return changed
}

// erase removes what was noted of these memories.
func (u *usage) erase(ids map[string]bool) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	before := len(u.told)
	for key := range u.told {
		if ids[key.id] {
			delete(u.told, key)
			delete(u.uses, key.id)
		}
	}
	if len(u.told) == before {
		return nil
	}
	return u.compact()
}

// eraseLogs removes from the daemon's own logs what they may have of a
// forgotten memory: prompts and texts stand in the lines for debugging alone.
func eraseLogs(home string, t traces) error {
	for _, name := range []string{"daemon.log", "daemon.log.1"} {
		err := cut(filepath.Join(home, name), func(line []byte) bool {
			return bytes.Contains(line, []byte(" level=DEBUG ")) || t.in(line)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cut removes the lines that drop names from a file that somebody has open to
// append to, in place.
func cut(path string, drop func(line []byte) bool) error {
	old, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	var kept []byte
	for line := range bytes.Lines(old) {
		if !drop(line) {
			kept = append(kept, line...)
		}
	}
	if len(kept) == len(old) {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	if _, err = f.WriteAt(kept, 0); err == nil {
		err = f.Truncate(int64(len(kept)))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	return nil
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

// maxLeft is the size up to which a file is searched for words that are left,
// in bytes.
const maxLeft = 64 << 20

// left lists the files in the data folder that still have the words that
// somebody wanted gone, but belong to that person: copies, settings. Where
// other conditions narrowed the words down they may well stay elsewhere.
func (d *Daemon) left(sel *selection) []string {
	left := []string{}
	if sel.raw == nil || !sel.project.Zero() || sel.session != "" || sel.source != "" || !sel.before.IsZero() {
		return left
	}
	filepath.WalkDir(d.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone meanwhile
		}
		if e.IsDir() && filepath.Dir(path) == d.home && (e.Name() == "index" || e.Name() == "vectors") {
			return filepath.SkipDir // no text, but by chance
		}
		if fi, err := e.Info(); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxLeft {
			return nil
		}
		if b, err := os.ReadFile(path); err == nil && sel.raw.Match(b) {
			left = append(left, path)
		}
		return nil
	})
	return left
}
