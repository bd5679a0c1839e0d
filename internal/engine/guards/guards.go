// Package guards keeps the rules over tool calls that the user has switched on, and what they did.
//
// A guard belongs to a memory, which says what the user said. It has no words of its own: if the memory is
// forgotten or superseded, the guard does nothing, and goes with it. Guards are this machine's own: they
// are not shared or synchronized, and no file of a repository makes or ends one.
//
// They lie in guards.json, with their last hits.
package guards

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/capture/guard"
	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

const (
	maxGuards = 500
	maxHits   = 50 // of each guard, the last ones
	// TooMany is how many overrides have the user asked whether to drop a guard.
	TooMany = 3
)

// What became of a call that the user was asked about.
const (
	overridden = "overridden"
	refused    = "refused"
)

// A Stored is a guard as guards.json has it.
type Stored struct {
	ID         string           `json:"id"` // of the memory
	Rule       memory.GuardRule `json:"rule"`
	Since      time.Time        `json:"since"`
	Count      int              `json:"count,omitempty"`
	Overridden int              `json:"overridden,omitempty"`
	Notified   bool             `json:"notified,omitempty"` // the user was asked whether to drop it
	Hits       []Hit            `json:"hits,omitempty"`     // in order

	matcher *guard.Matcher
}

// A Hit is a call that a guard acted on.
type Hit struct {
	api.GuardHit
	Use        string `json:"use,omitempty"`        // id of the call in the transcript
	Transcript string `json:"transcript,omitempty"` // until the outcome is known
}

// Guards are those of a data folder. It is safe for concurrent use.
type Guards struct {
	file *durable.State
	log  *slog.Logger

	mu  sync.Mutex
	all []*Stored
	err error // the file cannot be read
}

// Open reads the guards of a data folder.
func Open(home string, log *slog.Logger) *Guards {
	g := &Guards{file: durable.NewState(filepath.Join(home, api.GuardsFile)), log: log}
	var stored struct {
		Guards []Stored `json:"guards"`
	}
	if err := g.file.Read(&stored); err != nil && !errors.Is(err, fs.ErrNotExist) {
		g.err = fmt.Errorf("guards.json cannot be read, so no guard is on: %w", err)
		log.Warn("read guards", logkey.Error, err)
		return g
	}
	for _, s := range stored.Guards[:min(len(stored.Guards), maxGuards)] {
		m, err := guard.Compile(s.Rule)
		if err != nil {
			log.Warn("a guard is left out", logkey.Error, fmt.Errorf("%s: %w", s.ID, err))
			continue
		}
		s.matcher = m
		g.all = append(g.all, &s)
	}
	return g
}

// Err returns why no guard is on, nil if they are.
func (g *Guards) Err() error { return g.err }

// Len returns the number of guards.
func (g *Guards) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.all)
}

// List returns copies of the guards, in the order in which they were switched on.
func (g *Guards) List() []Stored {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]Stored, len(g.all))
	for i, s := range g.all {
		out[i] = *s
		out[i].Hits = slices.Clone(s.Hits)
	}
	return out
}

// Add switches a guard on, in place of one of the same memory.
func (g *Guards) Add(id string, rule memory.GuardRule, now time.Time) (Stored, error) {
	m, err := guard.Compile(rule)
	if err != nil {
		return Stored{}, &api.BadRequest{Err: err}
	}
	s := &Stored{ID: id, Rule: rule, Since: now.UTC().Truncate(time.Second), matcher: m}
	err = g.change(func(all []*Stored) []*Stored {
		return append(slices.DeleteFunc(all, func(old *Stored) bool { return old.ID == id }), s)
	})
	return *s, err
}

// Remove switches a guard off, and returns it; ok is false if there is none.
func (g *Guards) Remove(id string) (s Stored, ok bool, err error) {
	err = g.change(func(all []*Stored) []*Stored {
		return slices.DeleteFunc(all, func(old *Stored) bool {
			if old.ID == id {
				s, ok = *old, true
			}
			return old.ID == id
		})
	})
	return s, ok, err
}

// change stores what f makes of a copy of the guards.
func (g *Guards) change(f func([]*Stored) []*Stored) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return g.err
	}
	all := f(slices.Clone(g.all))
	if len(all) > maxGuards {
		return &api.BadRequest{Err: fmt.Errorf("more than %d guards", maxGuards)}
	}
	if err := g.write(all); err != nil {
		return err
	}
	g.all = all
	return nil
}

func (g *Guards) write(all []*Stored) error {
	if err := g.file.Write(map[string]any{"v": 1, "guards": all}); err != nil {
		return fmt.Errorf("store guards: %w", err)
	}
	return nil
}

// A Verdict is what a guard does with a call.
type Verdict struct {
	ID     string // of the memory
	What   string // of the call the rule is about
	Action string
}

// Judge returns the verdict on a call, of the strictest guard that holds; ok is false if none is about it.
func (g *Guards) Judge(call *guard.Call, holds func(id string) bool) (v Verdict, ok bool) {
	g.mu.Lock()
	all := slices.Clone(g.all)
	g.mu.Unlock()
	for _, s := range all {
		if strictness[s.Rule.Action] <= strictness[v.Action] {
			continue
		}
		if what, fits := s.matcher.Match(call); fits && holds(s.ID) {
			v, ok = Verdict{s.ID, what, s.Rule.Action}, true
		}
	}
	return v, ok
}

var strictness = map[string]int{memory.GuardWarn: 1, memory.GuardAsk: 2, memory.GuardDeny: 3}

// Record notes that a guard acted on a call.
func (g *Guards) Record(id string, h Hit) {
	g.update("note what a guard did", func(s *Stored) bool {
		if s.ID != id {
			return false
		}
		s.Count++
		s.Hits = append(s.Hits, h)
		s.Hits = s.Hits[max(0, len(s.Hits)-maxHits):]
		return true
	})
}

// update changes guards in place, and stores them if change reports that it did. Those that a caller of
// List has are copies.
func (g *Guards) update(what string, change func(*Stored) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	changed := false
	for i, s := range g.all {
		fresh := *s
		fresh.Hits = slices.Clone(s.Hits)
		if change(&fresh) {
			g.all[i], changed = &fresh, true
		}
	}
	if !changed {
		return
	}
	if err := g.write(g.all); err != nil {
		g.log.Warn(what, logkey.Error, err)
	}
}

// Settle finds out in a transcript what became of the calls that the user was asked about.
func (g *Guards) Settle(path string) {
	open := map[string]string{}
	for _, s := range g.List() {
		for _, h := range s.Hits {
			if h.Transcript == path && h.Outcome == "" {
				open[h.Use] = ""
			}
		}
	}
	if len(open) == 0 {
		return
	}
	_, err := transcript.Turns(path, 0, func(t claudecode.Turn) error {
		for _, a := range t.Actions {
			if _, asked := open[a.ID]; asked && a.Refused {
				open[a.ID] = refused
			} else if asked {
				open[a.ID] = overridden
			}
		}
		return nil
	})
	if err != nil {
		g.log.Debug("settle guards", logkey.Transcript, path, logkey.Error, err)
	}
	g.update("note what became of a call", func(s *Stored) bool { return s.settle(open) })
}

func (s *Stored) settle(outcomes map[string]string) (changed bool) {
	for i := range s.Hits {
		h := &s.Hits[i]
		outcome := outcomes[h.Use]
		if h.Outcome != "" || h.Use == "" || outcome == "" {
			continue
		}
		h.Outcome, h.Transcript, changed = outcome, "", true
		if outcome == overridden {
			s.Overridden++
		}
	}
	return changed
}

// Due returns the guards that were overridden too often, each once.
func (g *Guards) Due() []string {
	var out []string
	g.update("note that a guard was asked about", func(s *Stored) bool {
		due := s.Overridden >= TooMany && !s.Notified
		if due {
			s.Notified = true
			out = append(out, s.ID)
		}
		return due
	})
	return out
}

// Forget removes the guards of memories, and hits that were in sessions or that has finds words in.
func (g *Guards) Forget(ids, sessions map[string]bool, has func(string) bool) error {
	if g.Len() == 0 {
		return nil
	}
	return g.change(func(all []*Stored) []*Stored {
		all = slices.DeleteFunc(all, func(s *Stored) bool { return ids[s.ID] })
		for i, s := range all {
			fresh := *s
			fresh.Hits = slices.DeleteFunc(slices.Clone(s.Hits), func(h Hit) bool { return sessions[h.Session] || has(h.What) })
			all[i] = &fresh
		}
		return all
	})
}
