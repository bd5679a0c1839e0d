// Package server carries the memories that a team shares over its NATS server: one stream, in which
// each memory is the last message of a subject.
//
//	recollect.<project>.<member>.<id of the memory>
//
// A message has the content that share shows. An empty message withdraws the memory. Messages wait in
// an outbox on disk until the stream has acknowledged them. Received messages are passed on in the order
// of the stream, and then the position in it is stored. After a crash some are passed on twice, which
// changes nothing, but none is lost. The position is stored here, not on the server, so that it fits a
// data folder that was restored, or a stream that was made again.
//
// Only projects that the user has joined are read. Only the goroutines of Run ever wait for the server.
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
	// lookAgain is how often the settings are checked.
	lookAgain = 5 * time.Second
	// refusedFor is how long a request that the server refused is not repeated.
	refusedFor = 10 * time.Minute
	// maxWait is the longest wait between two attempts.
	maxWait = 30 * time.Second
)

// A Message is a memory of a project that a member shared or withdrew.
type Message struct {
	Project, Member, ID string
	Text                []byte // empty if it was withdrawn
	At                  time.Time
	Why                 string // why it is left out; set by the receiver

	made time.Time // when its stream was made
	seq  uint64
}

// A Stream is a member's end of a team's stream. Open is the only way to make one. It is safe for
// concurrent use.
type Stream struct {
	server func() Server
	log    *slog.Logger
	state  *state
	outbox *outbox

	changes atomic.Int64  // number of changes of the joined projects and their positions
	joining chan struct{} // holds a token after such a change, or after an entry was sent
	sending chan struct{} // holds a token after an entry was sent
	storing sync.Mutex    // held while messages are passed on

	broken error // why nothing can be sent or received

	mu     sync.Mutex
	status Status
	nc     *nats.Conn // of the current session, nil if there is none
}

// checkIn is how long the server may take to answer Check.
const checkIn = 2 * time.Second

// Check returns an error if the server is connected but does not answer. A connection to a server that
// hangs lasts for a minute.
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

func (s *Stream) setConnection(nc *nats.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nc = nc
}

// Open opens the member's end of a team's stream in a data folder. server returns the current settings.
// If the files cannot be read, they are left alone, and nothing is sent or received.
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

// Joined reports whether the user has joined a project.
func (s *Stream) Joined(project string) bool {
	_, ok := s.state.positionOf(project)
	return ok
}

// Join has the memories of a project received from now on, including old ones.
func (s *Stream) Join(project string) error { return s.joinProject(project, false) }

// Replay has the memories of a joined project received again.
func (s *Stream) Replay(project string) error { return s.joinProject(project, true) }

func (s *Stream) joinProject(project string, again bool) error {
	s.storing.Lock()
	defer s.storing.Unlock()
	if s.broken != nil || s.Joined(project) != again {
		return s.broken
	}
	err := s.state.changeProjects(func(all map[string]*position) { all[project] = &position{} })
	s.changes.Add(1)
	putToken(s.joining)
	return err
}

// Leave stops receiving a project, and drops the entries that wait to be sent. When it returns, no more
// message of the project is passed on.
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
	putToken(s.joining)
	return err
}

// Send adds entries to the outbox. They are sent as soon as the server can be reached.
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
	putToken(s.sending)
	putToken(s.joining)
	return nil
}

// Waits reports whether a memory of this member waits in the outbox.
func (s *Stream) Waits(project, id string) bool { return s.outbox.hasEntry(project, id) }

// Member returns the name of this member in subjects.
func (s *Stream) Member() (string, error) {
	l, err := readLogin(s.server().Credentials)
	if l.member == "" {
		l.member = s.state.streamName()
	}
	return l.member, err
}

// Left lists the messages of a project that were left out, and why.
func (s *Stream) Left(project string) []Left { return s.state.leftOut(project) }

// Run sends and receives until ctx ends. receive stores messages, in order, and sets in each why it is
// left out. If it returns an error, it is called again with the same messages.
func (s *Stream) Run(ctx context.Context, receive func(context.Context, []Message) error) {
	if s.broken != nil {
		s.changeStatus(func(st *Status) { st.Problem = s.broken.Error() })
		return
	}
	pause := reconnectIn
	for ctx.Err() == nil {
		server := s.server()
		if server.URL == "" || len(s.state.joinedProjects()) == 0 && s.outbox.len() == 0 {
			s.changeStatus(func(st *Status) { *st = Status{Refused: map[string]string{}} })
			s.wait(ctx, lookAgain)
			continue
		}
		began := time.Now()
		err := s.session(ctx, server, receive)
		s.changeStatus(func(st *Status) { st.Connected = false })
		if err == nil || ctx.Err() != nil {
			continue
		}
		s.log.Warn("team's server", logkey.Error, err)
		s.changeStatus(func(st *Status) { st.Problem = err.Error() })
		if time.Since(began) > maxWait {
			pause = reconnectIn
		}
		s.wait(ctx, pause)
		pause = min(2*pause, maxWait)
	}
}

// wait waits for d, or until there is something to do.
func (s *Stream) wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-s.joining:
	case <-time.After(d):
	}
}

// putToken puts a token into c, unless c has one already.
func putToken(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// A Status is the state of a Stream.
type Status struct {
	Connected bool
	Problem   string               // why it is not connected, "" if it is or need not be
	Refused   map[string]string    // by project, what the server refuses this member: "read" or "publish"
	Waiting   int                  // entries in the outbox
	Projects  []string             // joined projects
	At        map[string]time.Time // by project, when the last message was sent
}

// Status returns the current state of s.
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

func (s *Stream) changeStatus(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}
