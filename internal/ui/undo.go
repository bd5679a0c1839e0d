package ui

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"recollect/internal/memory"
)

// What was done to a memory.
const (
	edited    = "edited"
	forgotten = "forgotten"
)

// An entry is a change that can be undone: the memory as it was before.
type entry struct {
	Number int
	Done   string
	At     time.Time
	Was    memory.Memory
}

// A notice tells on the next page what was done. Undo is the number of the change, 0 if it
// cannot be undone.
type notice struct {
	Text string
	Undo int
}

// maxUndo is how many changes can be undone, the newest.
const maxUndo = 200

// undo holds what was changed for as long as the page is served, in memory alone.
type undo struct {
	mu      sync.Mutex
	entries []entry
	last    int
	notice  notice
}

// add records a change and tells of it.
func (u *undo) add(done string, was memory.Memory, note string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last++
	u.entries = append(u.entries, entry{u.last, done, time.Now(), was})
	u.entries = u.entries[max(0, len(u.entries)-maxUndo):]
	text := "Edited."
	if done == forgotten {
		text = "Forgotten: “" + was.Title + "”."
	}
	if note != "" {
		text += " " + note
	}
	u.notice = notice{text, u.last}
}

func (u *undo) say(text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.notice = notice{Text: text}
}

func (u *undo) takeNotice() notice {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := u.notice
	u.notice = notice{}
	return n
}

// list returns the changes, the newest first.
func (u *undo) list() []entry {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []entry
	for i := len(u.entries) - 1; i >= 0; i-- {
		out = append(out, u.entries[i])
	}
	return out
}

// take removes a change and returns it.
func (u *undo) take(number string) (entry, bool) {
	n, err := strconv.Atoi(number)
	u.mu.Lock()
	defer u.mu.Unlock()
	for i, e := range u.entries {
		if err == nil && e.Number == n {
			u.entries = append(u.entries[:i:i], u.entries[i+1:]...)
			return e, true
		}
	}
	return entry{}, false
}

// put brings back what was taken and could not be undone.
func (u *undo) put(e entry) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.entries = append(u.entries, e)
}

// changes shows what was changed on this page and can be undone.
func (s *Server) changes(*http.Request) (view, error) {
	return view{Title: "Changes", Main: s.undo.list()}, nil
}

// undoChange stores a memory as it was before a change. Forgetting leaves a mark by which its
// id is not learned again, which the stored memory takes the place of.
func (s *Server) undoChange(r *http.Request) (string, error) {
	e, ok := s.undo.take(r.PathValue("number"))
	if !ok {
		return "", mistake{errors.New("this change was undone before, or is too old")}
	}
	if _, err := s.restore(r.Context(), e.Was); err != nil {
		s.undo.put(e)
		return "", err
	}
	text := "Undone."
	if e.Done == forgotten {
		text = "Brought back as it was. Only what was counted of its use is gone, and which running sessions have it."
	}
	s.undo.say(text)
	return pathOf(e.Was.ID), nil
}
