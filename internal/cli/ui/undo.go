package ui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// The changes of memories.
const (
	edited    = "edited"
	forgotten = "forgotten"
	approved  = "approved"
	rejected  = "rejected"
	takenBack = "taken back" // of a verdict; the others are those of api
)

// An entry is a change that can be undone. Was has the memories before the change: more than
// one only if the user approved or rejected a whole session. Of a verdict, Verdict is the one
// before, Back where it was given, and Was has only id and title.
type entry struct {
	Number int
	Done   string
	At     time.Time
	Was    []memory.Memory

	Verdict *api.Verdict
	Back    string
}

// A notice says on the next page what was done. Undo is the number of the change, 0 if it
// cannot be undone.
type notice struct {
	Text string
	Undo int
}

// maxUndo is how many of the newest changes can be undone.
const maxUndo = 200

// An undo keeps the changes in memory while the page is served.
type undo struct {
	mu      sync.Mutex
	entries []entry
	last    int
	notice  notice
}

// addEntry records a change, and sets a notice with the text note about it.
func (u *undo) addEntry(done, note string, was ...memory.Memory) {
	u.add(entry{Done: done, Was: was}, note)
}

// add is addEntry for an entry that has more than memories.
func (u *undo) add(e entry, note string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last++
	e.Number, e.At = u.last, time.Now()
	u.entries = append(u.entries, e)
	u.entries = u.entries[max(0, len(u.entries)-maxUndo):]
	u.notice = notice{strings.TrimSpace(doneText(e.Done, e.Was) + " " + note), u.last}
}

func doneText(done string, was []memory.Memory) string {
	word := strings.ToUpper(done[:1]) + done[1:]
	switch {
	case done == edited:
		return word + "."
	case len(was) > 1:
		return fmt.Sprintf("%s %d memories.", word, len(was))
	}
	return word + ": “" + was[0].Title + "”."
}

func (u *undo) setNotice(text string) {
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

// listEntries returns the changes, the newest first.
func (u *undo) listEntries() []entry {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []entry
	for i := len(u.entries) - 1; i >= 0; i-- {
		out = append(out, u.entries[i])
	}
	return out
}

func (u *undo) takeEntry(number string) (entry, bool) {
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

// putBack adds a change again that takeEntry took and that could not be undone.
func (u *undo) putBack(e entry) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.entries = append(u.entries, e)
}

func (s *Server) showChanges(*http.Request) (view, error) {
	return view{Title: "Changes", Main: s.undo.listEntries()}, nil
}

// undoVerdict lets the verdict hold that was given before.
func (s *Server) undoVerdict(ctx context.Context, e entry) error {
	if _, err := ask(s, ctx, api.With((*api.Client).SetVerdict, *e.Verdict)); err != nil {
		s.undo.putBack(e)
		return err
	}
	s.undo.setNotice("Undone.")
	return nil
}

// undoChange stores memories as they were before a change. A stored memory replaces the tombstone of a
// forgotten one.
func (s *Server) undoChange(r *http.Request) (string, error) {
	e, ok := s.undo.takeEntry(r.PathValue("number"))
	if !ok {
		return "", mistake{errors.New("this change was undone before, or is too old")}
	}
	if e.Verdict != nil {
		return e.Back, s.undoVerdict(r.Context(), e)
	}
	for _, was := range e.Was { // one by one, because together they may exceed the size of a request
		if _, err := s.restoreMemory(r.Context(), was); err != nil {
			s.undo.putBack(e)
			return "", err
		}
	}
	switch e.Done {
	case approved, rejected:
		s.undo.setNotice("Undone: it waits for your approval again.")
		return "/review", nil
	case forgotten:
		s.undo.setNotice("Brought back as it was. Only what was counted of its use is gone, and which running sessions have it.")
	default:
		s.undo.setNotice("Undone.")
	}
	return pathOf(e.Was[0].ID), nil
}
