package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"recollect/internal/capture/handoff"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// elsewhere is how many later sessions of a project, none of which mentions a goal, end it: of an item of
// Claude's to-do list, and of what the user stated.
const (
	elsewhereListed = 2
	elsewhereStated = 4
)

// endGoals ends the goals of the session's project that it reached, and those that lapsed because later
// sessions went elsewhere. Only a session that is new can have made a goal lapse, or be followed by
// others.
func (r *reading) endGoals(ctx context.Context, session *memory.Draft, isNew bool) error {
	goals, err := r.openGoals(session.Home())
	if err != nil || len(goals) == 0 {
		return err
	}
	sessions := []memory.Memory{session.Memory}
	if isNew {
		if sessions, err = r.sessionsSince(session.Home(), goals); err != nil {
			return err
		}
	}
	for _, goal := range goals {
		switch at := r.reachedAt(&goal, sessions); {
		case !at.IsZero():
			goal.LastSeen = at
			err = r.endGoal(goal, r.end)
		case hasLapsed(&goal, sessions):
			goal.Tags = []string{memory.TagDone, memory.TagLapsed}
			err = r.endGoal(goal, r.replace)
		}
		if err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// reachedAt returns the end of a session that reached a goal, the zero time if none did. As long as
// a session has a list, that says what was reached of it.
func (r *reading) reachedAt(goal *memory.Memory, sessions []memory.Memory) time.Time {
	isListed := goal.Origin == memory.OriginAssistant
	for i := range sessions {
		s := &sessions[i]
		reached := s.When().After(goal.When()) && handoff.Reached(s, goal.Title)
		if isListed && s.Session == goal.Session {
			reached = s.Session == r.session.ID() && r.session.IsListClosed()
		}
		if reached {
			return s.When()
		}
	}
	return time.Time{}
}

func (r *reading) endGoal(goal memory.Memory, end func(clean.Memory) error) error {
	m, err := clean.Draft(memory.Draft{Memory: goal})
	if err != nil {
		return fmt.Errorf("end the goal %s: %w", goal.ID, err)
	}
	return end(m)
}

// replace queues m in place of what has its id.
func (b *batch) replace(m clean.Memory) error {
	return b.put(m, func(_, fresh memory.Memory) memory.Memory { return fresh })
}

// openGoals returns the open goals of a project that were taken from sessions: what somebody wrote down
// stays until they say otherwise.
func (r *reading) openGoals(of memory.Project) ([]memory.Memory, error) {
	var out []memory.Memory
	for m, err := range r.capture.store.Source(memory.Goals) {
		if err != nil {
			return nil, fmt.Errorf("read the goals: %w", err)
		}
		isOpen := !m.Done() && !m.Pending
		if isOpen && m.Session != "" && m.Home().Same(of) {
			out = append(out, m)
		}
	}
	return out, nil
}

// sessionsSince returns the handoffs of the sessions of a project that ended after the oldest of the goals
// was mentioned, the last one first.
func (r *reading) sessionsSince(of memory.Project, goals []memory.Memory) ([]memory.Memory, error) {
	oldest := goals[0].When()
	for _, g := range goals {
		if g.When().Before(oldest) {
			oldest = g.When()
		}
	}
	var out []memory.Memory
	before := func(h store.Head) bool { return h.When.Before(oldest) }
	for m, err := range r.capture.store.Backward(memory.Handoffs, before) {
		if err != nil {
			return nil, fmt.Errorf("read the handoffs: %w", err)
		}
		if m.Home().Same(of) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b memory.Memory) int { return b.When().Compare(a.When()) })
	return out, nil
}

// hasLapsed reports whether the last sessions of the project, enough of them, were about something else
// than a goal that an earlier one set. The sessions are in the order of time, the last one first.
func hasLapsed(goal *memory.Memory, sessions []memory.Memory) bool {
	n, enough := 0, elsewhereListed
	if goal.Origin == memory.OriginUser {
		enough = elsewhereStated
	}
	for i := range sessions {
		s := &sessions[i]
		if s.Session == goal.Session || !s.When().After(goal.When()) || handoff.IsAbout(s, goal.Title) {
			break
		}
		n++
	}
	return n >= enough
}

// isNew reports whether the store has no memory yet that a draft would replace.
func (b *batch) isNew(d memory.Draft) bool {
	m, err := clean.Draft(d)
	if err != nil {
		return false
	}
	fresh := m.Memory()
	_, _, err = b.known(fresh.ID)
	return errors.Is(err, store.ErrNotFound)
}
