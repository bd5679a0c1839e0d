package capture

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract"
	"recollect/internal/capture/handoff"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// maxStates is of how many transcripts, those read last, it is kept in memory
// what they have said.
const maxStates = 16

// A state is what the part of a transcript before an offset says about its
// session. It saves reading that part again each time the session goes on.
type state struct {
	offset  int64
	rules   int // of what was forgotten, when it was read
	session handoff.Session
	before  *extract.Turn // the turn that ends at the offset, nil if there is none
	gap     bool          // some of it may not be learned from
}

// A session is what a reading has seen of the main conversation, and what it
// had seen when the last turn began, which is read again next time.
type session struct {
	handoff.Session
	before handoff.Session // without the last turn
	last   int64           // where the last turn begins, −1 if there is none
	second int64           // where the turn before it begins, −1 if it was not read
	grown  bool            // the last turn was known, and has grown since
}

// addTurn adds a turn. If that panics, s is as it was.
func (s *session) addTurn(turn *extract.Turn, grown bool) {
	after := s.Clone()
	if after.Add(turn) {
		s.before, s.Session, s.second, s.last, s.grown = s.Session, after, s.last, turn.Start, grown
	}
}

// leaveSession ends what was seen of a session when a turn of the main conversation belongs to another one, and
// returns its handoff: clients have written one session over another.
func (r *reading) leaveSession(t *claudecode.Turn) (memory.Draft, bool) {
	before := r.session.ID()
	isMain := t.Agent == "" && !t.Sidechain
	if !isMain || before == "" || before == clean.ID(t.Session) {
		return memory.Draft{}, false
	}
	d, ok := r.session.Draft()
	r.session = session{last: -1, second: -1}
	delete(r.before, "")
	return d, ok
}

// isForgotten reports whether a turn was forgotten, so that no handoff tells of
// it.
func (r *reading) isForgotten(s *extract.Turn) bool {
	d := s.Draft(memory.Handoffs, memory.OriginUser)
	d.SetHome(clean.Project(d.Home()))
	return r.capture.Forgotten.Cover(&d.Memory)
}

// errReached ends the reading of a transcript where the rest is read for
// other reasons.
var errReached = errors.New("offset reached")

// begin prepares a reading that begins at an offset. What lies before is read
// again where it is not in memory any more.
func (r *reading) begin(ctx context.Context, offset int64) error {
	r.session = session{last: -1, second: -1}
	if offset == 0 {
		return nil
	}
	if was, ok := r.capture.states.Get(r.path); ok && was.offset == offset && was.rules == r.capture.Forgotten.Len() {
		r.session.Session = was.session.Clone()
		if was.before != nil {
			r.before[""] = was.before
		}
		r.gap = was.gap
		return nil
	}
	again := reading{batch: batch{capture: r.capture}, path: r.path, project: r.project, projects: r.projects, before: r.before, ignore: r.ignore, allow: r.allow}
	_, err := r.file.Turns(0, func(t claudecode.Turn) error {
		if t.Start >= offset {
			return errReached
		}
		return cmp.Or(again.readGuarded(&t, func() error {
			r.leaveSession(&t)
			s, err := again.turnOf(t)
			if err == nil && s != nil && !r.isForgotten(s) {
				after := r.session.Session.Clone()
				after.Add(s)
				r.session.Session = after
			}
			return err
		}), ctx.Err())
	})
	r.gap = again.gap
	if errors.Is(err, errReached) {
		return nil
	}
	return err
}

// handOff stores what r has queued, what passes in its projects now, and the handoff of the session, and ends the goals that
// it closes.
func (r *reading) handOff(ctx context.Context) error {
	if err := r.learnCommands(); err != nil {
		return err
	}
	d, ok := r.session.Draft()
	if !ok {
		return r.flush(ctx)
	}
	isNew := r.isNew(d)
	if err := r.learn(d, r.session.grown); err != nil {
		return err
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	return r.endGoals(ctx, &d, isNew)
}

// learnCommands queues what builds, tests, checks and deploys the projects.
func (r *reading) learnCommands() error {
	for _, p := range slices.Compact(slices.SortedFunc(maps.Values(r.projects), compareProjects)) {
		if d, ok := r.capture.Outcomes.Commands(p); ok {
			if err := r.learn(d, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func compareProjects(a, b memory.Project) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Remote, b.Remote), cmp.Compare(a.Name, b.Name))
}

// keepState keeps in memory what was said before an offset, if r knows that: more
// than one turn may have to be read again.
func (r *reading) keepState(offset int64) {
	rules := r.capture.Forgotten.Len()
	switch s := &r.session; {
	case offset > s.last:
		r.capture.states.Add(r.path, state{offset, rules, s.Session, r.prior, r.gap})
	case offset > s.second:
		r.capture.states.Add(r.path, state{offset, rules, s.before, r.prior, r.gap})
	default:
		r.capture.states.Remove(r.path)
	}
}
