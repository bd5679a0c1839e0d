package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"recollect/internal/system/logkey"
)

// Name is the name of a team's stream.
const Name = "RECOLLECT"

const (
	maxMessage = 24 << 10         // bytes of a message
	sameWithin = 10 * time.Minute // how long the server recognizes repeated messages
	replicas   = 3                // of a stream in a cluster
)

// errAgain ends a session that is to be replaced by a new one.
var errAgain = errors.New("begin again")

// A session is one connection.
type session struct {
	*Stream
	member string
	nc     *nats.Conn
	js     nats.JetStreamContext
	in     chan Message
	again  chan struct{} // holds a token after a reconnection

	mu      sync.Mutex
	refused map[string]time.Time // when the server last refused to "read" or "publish" a project
	denied  string               // the last other error about permissions
}

// session connects, then sends and receives until ctx ends or a new session has to begin.
func (s *Stream) session(ctx context.Context, server Server, receive func(context.Context, []Message) error) error {
	c := &session{Stream: s, in: make(chan Message, maxBatch), again: make(chan struct{}, 1), refused: map[string]time.Time{}}
	changes := s.changes.Load()
	ctx, cancel := context.WithCancel(ctx) // ends the connections of dialIn
	defer cancel()
	g, ctx := errgroup.WithContext(ctx)
	if err := c.connect(ctx, server); err != nil {
		return err
	}
	defer c.nc.Close()
	c.setConnection(c.nc)
	defer c.setConnection(nil)
	found, err := c.findStream(ctx)
	if err != nil {
		return err
	}
	s.changeStatus(func(st *Status) { *st = Status{Connected: true, Refused: map[string]string{}} })
	g.Go(func() error { return c.watchChanges(ctx, server, found.Created, changes) })
	g.Go(func() error { return c.publishEntries(ctx) })
	g.Go(func() error { return c.storeMessages(ctx, receive) })
	for _, project := range s.state.joinedProjects() {
		g.Go(func() error { return c.followProject(ctx, project) })
	}
	if err := g.Wait(); !errors.Is(err, errAgain) {
		return err
	}
	return nil
}

func (c *session) connect(ctx context.Context, server Server) error {
	l, err := readLogin(server.Credentials)
	if err != nil {
		return err
	}
	c.member = cmp.Or(l.member, c.state.streamName())
	options := []nats.Option{
		nats.Name("recollect"), nats.Timeout(connectIn), nats.SetCustomDialer(dialIn(ctx)),
		// With an inbox of its own, a member cannot read the answers to others: see docs/team.md.
		nats.CustomInboxPrefix("_INBOX_" + Token(c.member)),
		nats.MaxReconnects(-1), nats.ReconnectWait(reconnectIn), nats.ReconnectBufSize(-1), nats.PingInterval(20 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			c.changeStatus(func(st *Status) { st.Connected, st.Problem = false, "connection lost" })
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			c.changeStatus(func(st *Status) { st.Connected, st.Problem = true, "" })
			putToken(c.again)
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.recordRefusal(err) }),
	}
	if l.option != nil {
		options = append(options, l.option)
	}
	if server.CA != "" {
		options = append(options, nats.RootCAs(server.CA))
	}
	if c.nc, err = nats.Connect(server.URL, options...); err != nil {
		return fmt.Errorf("connect to the team's server: %w", err)
	}
	if c.js, err = c.nc.JetStream(nats.MaxWait(answerIn), nats.PublishAsyncMaxPending(maxWindow), nats.PublishAsyncTimeout(connectIn)); err != nil {
		c.nc.Close()
		return fmt.Errorf("connect to the team's server: %w", err)
	}
	return nil
}

// recordRefusal logs an error that the server reports outside its answers. If it says that this member
// lacks a permission, for which there is no answer, it is recorded.
func (c *session) recordRefusal(err error) {
	c.log.Debug("team's server", logkey.Error, err)
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return
	}
	_, about, ok := strings.Cut(err.Error(), root+".")
	about, _, _ = strings.Cut(about, `"`)
	token, _, _ := strings.Cut(about, ".")
	project, _, _, known := parseSubject(root + "." + token + ".x.x")
	if !ok || !known {
		c.mu.Lock()
		c.denied = err.Error()
		c.mu.Unlock()
		return
	}
	what := "publish"
	if strings.Contains(err.Error(), "$JS.API.CONSUMER.CREATE") {
		what = "read"
	}
	c.mu.Lock()
	c.refused[what+" "+project] = time.Now()
	c.mu.Unlock()
	c.changeStatus(func(st *Status) { st.Refused[project] = what })
}

// clearRefusal records that the server no longer refuses to read or publish a project.
func (c *session) clearRefusal(what, project string) {
	c.changeStatus(func(st *Status) {
		if st.Refused[project] == what {
			delete(st.Refused, project)
		}
	})
}

// mayTry reports whether to try to read or publish a project: not if it was refused lately.
func (c *session) mayTry(what, project string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Since(c.refused[what+" "+project]) > refusedFor
}

// findStream returns the state of the stream, and makes it if there is none.
func (c *session) findStream(ctx context.Context) (*nats.StreamInfo, error) {
	limited, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	info, err := c.js.StreamInfo(Name, nats.Context(limited))
	if errors.Is(err, nats.ErrStreamNotFound) {
		info, err = c.createStream(limited)
	}
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.denied != "" { // without permission, the request just timed out
			err = errors.New(c.denied)
		}
		return nil, fmt.Errorf("look for the stream %s: %w", Name, err)
	}
	if cfg := info.Config; cfg.MaxMsgsPerSubject != 1 || !slices.Contains(cfg.Subjects, root+".>") {
		return nil, fmt.Errorf("the stream %s: must have the subjects %s.> and keep one message of each", Name, root)
	}
	return info, nil
}

// createStream makes the stream, with replicas if there is a cluster.
func (c *session) createStream(ctx context.Context) (*nats.StreamInfo, error) {
	cfg := nats.StreamConfig{
		Name: Name, Description: "memories shared with recollect", Subjects: []string{root + ".>"}, Storage: nats.FileStorage,
		MaxMsgsPerSubject: 1, MaxMsgSize: maxMessage, Duplicates: sameWithin, Compression: nats.S2Compression, Replicas: 1,
	}
	if c.nc.ConnectedClusterName() != "" {
		cfg.Replicas = replicas
	}
	return c.js.AddStream(&cfg, nats.Context(ctx))
}

// watchChanges ends the session when a new one has to begin: the user has joined or left a project, the
// settings have changed, or after a reconnection the stream is another one or an older copy.
func (c *session) watchChanges(ctx context.Context, server Server, made time.Time, changes int64) error {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.joining:
			if c.changes.Load() != changes {
				return errAgain
			}
		case <-tick.C:
			if c.server() != server || c.nc.IsClosed() {
				return errAgain
			}
		case <-c.again:
			now, err := c.findStream(ctx)
			if err == nil && (!now.Created.Equal(made) || c.state.isAhead(now.State.LastSeq)) {
				return errAgain
			}
		}
	}
}
