package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// patience bounds every wait for something that should take milliseconds.
const patience = 60 * time.Second

// A cluster is some servers of this process, which can be stopped and started again.
type cluster struct {
	t       testing.TB
	options []*server.Options
	servers []*server.Server
}

// startCluster starts n servers that know each other. more may change their options.
func startCluster(t testing.TB, n int, more func(*server.Options)) *cluster {
	t.Helper()
	c := &cluster{t: t, servers: make([]*server.Server, n)}
	var routes []*url.URL
	for i := range n {
		o := &server.Options{
			ServerName: fmt.Sprint("node", i), Host: "127.0.0.1", Port: freePort(t), JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		}
		if n > 1 {
			o.Cluster = server.ClusterOpts{Name: "team", Host: "127.0.0.1", Port: freePort(t)}
			routes = append(routes, &url.URL{Scheme: "nats-route", Host: fmt.Sprintf("127.0.0.1:%d", o.Cluster.Port)})
		}
		if more != nil {
			more(o)
		}
		c.options = append(c.options, o)
	}
	for i := range n {
		c.options[i].Routes = routes
		c.start(i)
	}
	t.Cleanup(func() {
		for i := range c.servers {
			c.kill(i)
		}
	})
	c.ready()
	return c
}

// freePort returns a port that nobody listens on.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// start starts a server, with what it has on disk.
func (c *cluster) start(i int) {
	c.t.Helper()
	s, err := server.NewServer(c.options[i].Clone())
	if err != nil {
		c.t.Fatal(err)
	}
	s.Start()
	c.servers[i] = s
}

// kill stops a server.
func (c *cluster) kill(i int) {
	if s := c.servers[i]; s != nil {
		s.Shutdown()
		s.WaitForShutdown()
		c.servers[i] = nil
	}
}

// ready waits until the servers answer and have a leader.
func (c *cluster) ready() {
	c.t.Helper()
	for _, s := range c.servers {
		if !s.ReadyForConnections(patience) {
			c.t.Fatal("a server does not start")
		}
	}
	eventually(c.t, "the cluster has a leader", func() bool {
		for _, s := range c.servers {
			if s != nil && (len(c.servers) == 1 || s.JetStreamIsLeader()) {
				return true
			}
		}
		return false
	})
}

// leader returns the server that leads the stream.
func (c *cluster) leader() int {
	c.t.Helper()
	found := 0
	eventually(c.t, "the stream has a leader", func() bool {
		for i, s := range c.servers {
			if s != nil && s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, Name) {
				found = i
				return true
			}
		}
		return false
	})
	return found
}

// url returns the addresses of all servers, whether they run or not.
func (c *cluster) url() string {
	var all []string
	for _, o := range c.options {
		all = append(all, fmt.Sprintf("nats://127.0.0.1:%d", o.Port))
	}
	return strings.Join(all, ",")
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for nothing: %s", what)
		}
	}
}

// A member has what it received, by subject.
type member struct {
	*Stream
	home string
	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	has     map[string]string
	calls   int           // messages that were handed on
	newest  time.Duration // how late the last message came
	failing int           // how often it cannot store them
}

// join starts a member's end.
func join(t testing.TB, home string, at Server, projects ...string) *member {
	t.Helper()
	m := &member{home: home, has: map[string]string{}}
	m.start(t, at)
	for _, p := range projects {
		if err := m.Join(p); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { m.end() })
	return m
}

// start opens what is on disk, and runs it.
func (m *member) start(t testing.TB, at Server) {
	t.Helper()
	s := Open(m.home, func() Server { return at }, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	m.Stream, m.stop, m.done = s, stop, done
	go func() {
		defer close(done)
		s.Run(ctx, m.receive)
	}()
}

// end stops the member, and waits until it has.
func (m *member) end() {
	m.stop()
	<-m.done
}

func (m *member) receive(_ context.Context, messages []Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing > 0 {
		m.failing--
		return errors.New("no room")
	}
	for _, msg := range messages {
		m.calls++
		m.newest = time.Since(msg.At)
		key := subjectOf(msg.Project, msg.Member, msg.ID)
		if delete(m.has, key); len(msg.Text) > 0 {
			m.has[key] = string(msg.Text)
		}
	}
	return nil
}

// count returns how many memories a member has, and how many messages it was handed.
func (m *member) count() (has, calls int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.has), m.calls
}

// lag returns how long after it was stored the last message was handed on.
func (m *member) lag() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest.Round(time.Millisecond)
}

// share puts n memories of a project into the outbox.
func (m *member) share(t testing.TB, project, name string, n int) {
	t.Helper()
	var all []Entry
	for i := range n {
		all = append(all, Entry{Project: project, ID: fmt.Sprintf("%s-%d", name, i), Text: fmt.Sprintf("the text of %s %d", name, i)})
	}
	if err := m.Send(all...); err != nil {
		t.Fatal(err)
	}
}
