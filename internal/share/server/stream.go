// Package server carries the memories that a team shares over its NATS server: one stream, in which
// each memory is the last message of a subject.
//
//	recollect.<project>.<member>.<id of the memory>
//
// A message is what share shows, or empty, which withdraws it. What leaves waits in an outbox on disk
// until the stream has it. What arrives is handed on in the order of the stream; how far each project
// was read is stored behind that, so that nothing is missed, and what is handed on twice after a crash
// is the same. The position is the member's own, not the server's: a data folder that was restored,
// and a stream that was made anew, are read again from where they are.
//
// A project is read only after it was joined. Only the goroutines of Run ever wait for the server.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"recollect/internal/system/logkey"
)

const (
	// lookAgain is how often the settings are looked at.
	lookAgain = 5 * time.Second
	// refusedFor is how long what a server refused is not asked again.
	refusedFor = 10 * time.Minute
	// maxWait is the longest wait between two attempts.
	maxWait = 30 * time.Second
)

// A Message is a memory of a project that a member shared or withdrew.
type Message struct {
	Project, Member, ID string
	Text                []byte // empty if it was withdrawn
	At                  time.Time
	Why                 string // set by who receives it: why it is left out

	made time.Time // when the stream was made that it is of
	seq  uint64
}

// A Stream is a member's end of a team's stream. Open is the only way to make one. It is safe for
// concurrent use.
type Stream struct {
	server func() Server
	log    *slog.Logger
	state  *state
	outbox *outbox

	changes atomic.Int64  // of what is joined, and from where it is read
	joining chan struct{} // says that there was one, or that there is something to do
	sending chan struct{} // says that the outbox has something
	storing sync.Mutex    // held while messages are handed on

	broken error // why nothing can be done

	mu     sync.Mutex
	status Status
	nc     *nats.Conn // of the session that runs, nil if none does
}

// checkIn is how long the server has to answer that it is there.
const checkIn = 2 * time.Second

// Check asks the server whether it is there, and returns an error if it is connected and does not
// answer: a connection to a server that hangs stays for a minute.
func (s *Stream) Check(ctx context.Context) error {
	s.mu.Lock()
	nc := s.nc
	s.mu.Unlock()
	if nc == nil || !nc.IsConnected() {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, checkIn)
	defer cancel()
	if err := nc.FlushWithContext(limited); err != nil && nc.IsConnected() {
		return fmt.Errorf("the team's server does not answer: %w", err)
	}
	return nil
}

// use sets the connection of the session that runs.
func (s *Stream) use(nc *nats.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nc = nc
}

// Open opens what a data folder has of a team's stream. server says where it is now. What is on disk
// and cannot be read is left as it is: then nothing is sent or received.
func Open(home string, server func() Server, log *slog.Logger) *Stream {
	s := &Stream{server: server, log: log, joining: make(chan struct{}, 1), sending: make(chan struct{}, 1), status: Status{Refused: map[string]string{}}}
	var stateErr, outboxErr error
	s.state, stateErr = openState(filepath.Join(home, "stream.json"))
	s.outbox, outboxErr = openOutbox(filepath.Join(home, "outbox.jsonl"))
	if s.broken = errors.Join(stateErr, outboxErr); s.broken != nil {
		log.Warn("open what is shared over the team's server", logkey.Error, s.broken)
	}
	return s
}

// Joined reports whether a project was joined.
func (s *Stream) Joined(project string) bool {
	_, ok := s.state.positionOf(project)
	return ok
}

// Join has the memories of a project read from now on, from the first on.
func (s *Stream) Join(project string) error { return s.join(project, false) }

// Replay has those of a project that was joined read again.
func (s *Stream) Replay(project string) error { return s.join(project, true) }

func (s *Stream) join(project string, again bool) error {
	s.storing.Lock()
	defer s.storing.Unlock()
	if s.broken != nil || s.Joined(project) != again {
		return s.broken
	}
	err := s.state.changeProjects(func(all map[string]*position) { all[project] = &position{} })
	s.changes.Add(1)
	wake(s.joining)
	return err
}

// Leave has nothing of a project read any more, and nothing sent that waits. When it returns, no
// message of the project is handed on.
func (s *Stream) Leave(project string) error {
	s.storing.Lock()
	defer s.storing.Unlock()
	if s.broken != nil {
		return s.broken
	}
	err := errors.Join(
		s.outbox.dropWhere(func(e Entry) bool { return e.Project == project }),
		s.state.changeProjects(func(all map[string]*position) { delete(all, project) }),
	)
	s.changes.Add(1)
	wake(s.joining)
	return err
}

// Send puts what is shared into the outbox, from which it leaves as soon as the server can be reached.
func (s *Stream) Send(entries ...Entry) error {
	if s.broken != nil {
		return s.broken
	}
	for _, e := range entries {
		if !s.Joined(e.Project) {
			return fmt.Errorf("%s was not joined", e.Project)
		}
	}
	if err := s.outbox.addEntries(entries); err != nil {
		return err
	}
	wake(s.sending)
	wake(s.joining)
	return nil
}

// Waits reports whether a memory of this member is in the outbox.
func (s *Stream) Waits(project, id string) bool { return s.outbox.hasEntry(project, id) }

// Member returns the name of this member in subjects.
func (s *Stream) Member() (string, error) {
	l, err := readLogin(s.server().Credentials)
	if l.member == "" {
		l.member = s.state.streamName()
	}
	return l.member, err
}

// Left lists what was left out of a project, and why.
func (s *Stream) Left(project string) []Left { return s.state.leftOut(project) }

// Run keeps this end up to date until ctx ends. receive stores messages, in order, and says in each
// why it is left out; it is called again with those for which it returns an error.
func (s *Stream) Run(ctx context.Context, receive func(context.Context, []Message) error) {
	if s.broken != nil {
		s.note(func(st *Status) { st.Problem = s.broken.Error() })
		return
	}
	pause := reconnectIn
	for ctx.Err() == nil {
		server := s.server()
		if server.URL == "" || len(s.state.joinedProjects()) == 0 && s.outbox.len() == 0 {
			s.note(func(st *Status) { *st = Status{Refused: map[string]string{}} })
			s.wait(ctx, lookAgain)
			continue
		}
		began := time.Now()
		err := s.session(ctx, server, receive)
		s.note(func(st *Status) { st.Connected = false })
		if err == nil || ctx.Err() != nil {
			continue
		}
		s.log.Warn("team's server", logkey.Error, err)
		s.note(func(st *Status) { st.Problem = err.Error() })
		if time.Since(began) > maxWait {
			pause = reconnectIn
		}
		s.wait(ctx, pause)
		pause = min(2*pause, maxWait)
	}
}

// wait waits for a time, or until something is to be done.
func (s *Stream) wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-s.joining:
	case <-time.After(d):
	}
}

// wake asks for something that may have been asked for already.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// A Status is how a Stream stands.
type Status struct {
	Connected bool
	Problem   string            // why it is not connected, "" if it is or need not be
	Refused   map[string]string // by project, what its server does not let this member do
	Waiting   int               // in the outbox
	Projects  []string          // that were joined
	At        map[string]time.Time
}

// Status returns how s stands.
func (s *Stream) Status() Status {
	s.mu.Lock()
	out := s.status
	out.Refused = maps.Clone(out.Refused)
	s.mu.Unlock()
	out.Waiting = s.outbox.len()
	out.Projects, out.At = s.state.joinedProjects(), map[string]time.Time{}
	for _, p := range out.Projects {
		at, _ := s.state.positionOf(p)
		out.At[p] = at.At
	}
	maps.DeleteFunc(out.Refused, func(p, _ string) bool { return !slices.Contains(out.Projects, p) })
	return out
}

func (s *Stream) note(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}
