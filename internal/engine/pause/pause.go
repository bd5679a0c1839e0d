// Package pause knows where and when the user wants to be left alone: the pauses,
// in which nothing is injected and nothing learned, and the incognito sessions, of
// which nothing is ever learned.
//
// A pause is of everything, of a project or of a session. It has a beginning and an
// end, and a turn that overlaps with it is not learned from later either. So a pause
// that has ended is stored too.
package pause

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/memory"
	"recollect/internal/system/durable"
)

// A Scope is what a pause is of: everything if it is zero.
type Scope struct {
	Session string         `json:"session,omitempty"`
	Project memory.Project `json:"project,omitzero"`
}

// covers reports whether a session in a project is in the scope.
func (s Scope) covers(session string, project memory.Project) bool {
	if s.Session != "" && s.Session != session {
		return false
	}
	return s.Project.Zero() || s.Project.Same(project)
}

// same reports whether two scopes are one.
func (s Scope) same(o Scope) bool {
	if s.Session != o.Session || s.Project.Zero() != o.Project.Zero() {
		return false
	}
	return s.Project == o.Project || s.Project.Same(o.Project)
}

// A Pause is a stretch of time in which a scope is left alone. Until is zero while it
// lasts.
type Pause struct {
	Scope
	From  time.Time `json:"from"`
	Until time.Time `json:"until,omitzero"`
}

// overlaps reports whether the pause has something of what began and ended then.
func (p Pause) overlaps(began, ended time.Time) bool {
	return !ended.Before(p.From) && (p.Until.IsZero() || began.Before(p.Until))
}

// Pauses are all pauses that there were, in pauses.json. It is safe for concurrent use.
type Pauses struct {
	Incognito *Incognito // the sessions of which nothing is ever learned

	file *durable.State

	mu  sync.Mutex
	all []Pause
	err error // the file cannot be read, so that everything counts as paused
}

// Open reads the pauses of a data folder. If that fails nobody knows what the user wanted
// to be left alone, so everything is; Err says so.
func Open(home string) *Pauses {
	p := &Pauses{Incognito: OpenIncognito(home), file: durable.NewState(filepath.Join(home, "pauses.json"))}
	var stored struct {
		Pauses []Pause `json:"pauses"`
	}
	if err := p.file.Read(&stored); err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.err = fmt.Errorf("pauses.json cannot be read, so everything counts as paused: %w", err)
	} else {
		p.all = stored.Pauses
	}
	return p
}

// Err returns why everything counts as paused, nil if it does not.
func (p *Pauses) Err() error { return p.err }

// Begin begins a pause, unless the same lasts already.
func (p *Pauses) Begin(s Scope, now time.Time) error {
	return p.change(func(all []Pause) []Pause {
		if slices.ContainsFunc(all, func(old Pause) bool { return old.Until.IsZero() && old.same(s) }) {
			return all
		}
		return append(all, Pause{Scope: s, From: now.UTC()})
	})
}

// End ends the pause of a scope, and reports whether there was one.
func (p *Pauses) End(s Scope, now time.Time) (ended bool, err error) {
	err = p.change(func(all []Pause) []Pause {
		for i := range all {
			if all[i].Until.IsZero() && all[i].same(s) {
				all[i].Until, ended = now.UTC(), true
			}
		}
		return all
	})
	return ended, err
}

// change stores what f makes of a copy of the pauses.
func (p *Pauses) change(f func([]Pause) []Pause) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.err
	}
	all := f(slices.Clone(p.all))
	if err := p.file.Write(map[string]any{"v": 1, "pauses": all}); err != nil {
		return fmt.Errorf("store pauses: %w", err)
	}
	p.all = all
	return nil
}

// Lasting returns the pauses that last.
func (p *Pauses) Lasting() []Pause {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.all), func(one Pause) bool { return !one.Until.IsZero() })
}

// Now reports whether a session in a project is paused.
func (p *Pauses) Now(session string, project memory.Project) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err != nil || slices.ContainsFunc(p.all, func(one Pause) bool {
		return one.Until.IsZero() && one.covers(session, project)
	})
}

// During reports whether a session in a project was paused at some moment between two
// times, or is.
func (p *Pauses) During(began, ended time.Time, session string, project memory.Project) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.all, func(one Pause) bool {
		return one.covers(session, project) && one.overlaps(began, ended)
	})
}
