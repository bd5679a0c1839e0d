package server

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const project = "git.example.com/acme/orders-api"

// size returns a small number for every run, or as many times that as RECOLLECT_STRESS says.
func size(t testing.TB, small int) (n int, stress bool) {
	t.Helper()
	text := os.Getenv("RECOLLECT_STRESS")
	if text == "" {
		return small, false
	}
	times, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("RECOLLECT_STRESS: %v", err)
	}
	return small * times, true
}

// same waits until all members have n memories, and fails unless they are equal.
func same(t testing.TB, n int, members ...*member) {
	t.Helper()
	for i, m := range members {
		eventually(t, fmt.Sprintf("member %d has the %d that the first has", i, n), func() bool {
			if m != members[0] {
				members[0].mu.Lock()
				defer members[0].mu.Unlock()
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			return len(m.has) == n && maps.Equal(members[0].has, m.has)
		})
	}
}

// Five members share while a server is killed, the leader is killed, all are killed, and one member
// is away: all have everything in the end, once.
//
// RECOLLECT_STRESS=50 makes it 52,500 memories, and kills one more server.
func TestMembersConverge(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3, nil)
	at := Server{URL: c.url()}
	var all []*member
	for range 5 {
		all = append(all, join(t, t.TempDir(), at, project))
	}
	away := all[4]
	away.end()
	each, stress := size(t, 50)
	sum := 0
	share := func(part string, of ...*member) {
		for i, m := range of {
			m.share(t, project, part+strconv.Itoa(i), each)
			sum += each
		}
	}
	began := time.Now()
	share("calm", all[:4]...)
	same(t, sum, all[:4]...)
	t.Logf("%d memories of four members reach all in %v, the last seen %v after it was stored", sum, time.Since(began).Round(time.Millisecond), all[0].lag())

	kill := func(what string, i int) {
		began := time.Now()
		c.kill(i)
		share(what, all[:4]...)
		same(t, sum, all[:4]...)
		t.Logf("%s killed: %d more in %v, the last seen %v after it was stored", what, 4*each, time.Since(began).Round(time.Millisecond), all[0].lag())
		c.start(i)
		eventually(t, "the server has caught up", func() bool { return c.servers[i].JetStreamIsStreamCurrent(server.DEFAULT_GLOBAL_ACCOUNT, Name) })
	}
	if stress {
		kill("one server", (c.leader()+1)%3)
	}
	kill("the leader", c.leader())

	for i := range c.servers {
		c.kill(i)
	}
	share("none", all[:4]...) // into the outboxes
	eventually(t, "everybody knows that there is no server", func() bool { return !all[0].Status().Connected && all[0].Status().Problem != "" })
	if stress { // and one of them is stopped meanwhile
		all[0].end()
		all[0].start(t, at)
	}
	if got := all[0].Status().Waiting; got != each {
		t.Errorf("%d wait in the outbox, want %d", got, each)
	}
	began = time.Now()
	for i := range c.servers {
		c.start(i)
	}
	same(t, sum, all[:4]...)
	t.Logf("all killed and started: %d more in %v", 4*each, time.Since(began).Round(time.Millisecond))

	began = time.Now()
	away.start(t, at)
	same(t, sum, all...)
	t.Logf("who was away has %d in %v", sum, time.Since(began).Round(time.Millisecond))
	share("last", all...)
	same(t, sum, all...)

	began = time.Now()
	sixth := join(t, t.TempDir(), at, project)
	same(t, sum, all[0], sixth)
	t.Logf("who joins has %d in %v", sum, time.Since(began).Round(time.Millisecond))
	if _, calls := sixth.count(); calls != sum {
		t.Errorf("%d messages were handed on, of %d", calls, sum)
	}
}

// What is withdrawn, changed or sent twice is so for all, also for who was away; who leaves gets
// nothing more, and who asks for it gets all again.
func TestChanges(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, nil)
	at := Server{URL: c.url()}
	ana, bob := join(t, t.TempDir(), at, project), join(t, t.TempDir(), at, project)
	ana.share(t, project, "x", 3)
	same(t, 3, ana, bob)
	bob.end()
	if err := ana.Send(Entry{Project: project, ID: "x-0"}, Entry{Project: project, ID: "x-1", Text: "one"}, Entry{Project: project, ID: "x-1", Text: "another"}, Entry{Project: project, ID: "y", Text: "y"}); err != nil {
		t.Fatal(err)
	}
	if !ana.Waits(project, "y") && ana.Status().Waiting > 0 || ana.Waits(project, "x-0") {
		t.Error("what waits is not known")
	}
	eventually(t, "ana has what she changed", func() bool {
		ana.mu.Lock()
		defer ana.mu.Unlock()
		member, err := ana.Member()
		return err == nil && len(ana.has) == 3 && ana.has[subjectOf(project, member, "x-1")] == "another"
	})
	bob.start(t, at)
	same(t, 3, ana, bob)

	if err := bob.Leave(project); err != nil {
		t.Fatal(err)
	}
	if err := bob.Send(Entry{Project: project, ID: "z", Text: "z"}); err == nil {
		t.Error("who left may send")
	}
	ana.share(t, project, "more", 1)
	same(t, 4, ana)
	_, before := bob.count()
	if err := bob.Join(project); err != nil {
		t.Fatal(err)
	}
	same(t, 4, ana, bob)
	eventually(t, "all is read again", func() bool { _, n := bob.count(); return n == before+5 }) // with what was withdrawn
	if err := bob.Replay(project); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all is read again", func() bool { _, n := bob.count(); return n == before+10 })
}

// A stream that was lost is made anew, and takes from nobody what they have.
func TestStreamIsLost(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, nil)
	ana := join(t, t.TempDir(), Server{URL: c.url()}, project)
	ana.share(t, project, "x", 5)
	same(t, 5, ana)
	c.kill(0)
	c.options[0].StoreDir = t.TempDir()
	c.start(0)
	c.ready()
	ana.share(t, project, "y", 2)
	same(t, 7, ana)
	if st, _ := ana.state.positionOf(project); st.Seq != 2 {
		t.Errorf("read until %d of the new stream, which has 2", st.Seq)
	}
}

// What cannot be stored is handed on again until it can.
func TestReceiverFails(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, nil)
	at := Server{URL: c.url()}
	ana := join(t, t.TempDir(), at, project)
	ana.share(t, project, "x", 3)
	same(t, 3, ana)
	bob := &member{home: t.TempDir(), has: map[string]string{}, failing: 2}
	bob.start(t, at)
	t.Cleanup(func() { bob.end() })
	if err := bob.Join(project); err != nil {
		t.Fatal(err)
	}
	same(t, 3, ana, bob)
	if bob.failing != 0 {
		t.Error("it did not fail")
	}
}

// A stream that was restored from a backup, and has less than was read, is read from its start.
func TestStreamIsRestored(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, nil)
	at := Server{URL: c.url()}
	ana := join(t, t.TempDir(), at, project)
	ana.share(t, project, "x", 3)
	same(t, 3, ana)
	c.kill(0)
	backup := t.TempDir()
	if err := os.CopyFS(backup, os.DirFS(c.options[0].StoreDir)); err != nil {
		t.Fatal(err)
	}
	c.start(0)
	c.ready()
	ana.share(t, project, "y", 4)
	same(t, 7, ana)
	c.kill(0)
	c.options[0].StoreDir = backup
	c.start(0)
	c.ready()
	eventually(t, "ana has read again", func() bool { p, _ := ana.state.positionOf(project); return p.Seq == 3 })
	bob := join(t, t.TempDir(), at, project)
	bob.share(t, project, "z", 2)
	same(t, 5, bob)
	eventually(t, "ana has what is new, and what the backup lacks", func() bool { n, _ := ana.count(); return n == 9 })
}

// A server that hangs is found out at once by who asks, and is there again when it goes on.
func TestServerThatHangs(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, nil)
	p := newPuppet(t, c.options[0].Port)
	ana := join(t, t.TempDir(), Server{URL: p.url()}, project)
	if err := ana.Check(t.Context()); err != nil {
		t.Errorf("before it is connected: %v", err)
	}
	eventually(t, "ana is connected", func() bool { return ana.Status().Connected })
	if err := ana.Check(t.Context()); err != nil {
		t.Errorf("connected: %v", err)
	}
	p.hang.Lock()
	for range 2 {
		if err := ana.Check(t.Context()); err == nil || !ana.Status().Connected {
			t.Errorf("it hangs: %v, connected %v", err, ana.Status().Connected)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ana.Check(ended); err == nil {
		t.Error("it hangs, and there is no time: no error")
	}
	p.hang.Unlock()
	eventually(t, "it answers again", func() bool { return ana.Check(t.Context()) == nil })
	c.kill(0)
	eventually(t, "it is known that the server is gone", func() bool { return !ana.Status().Connected })
	if err := ana.Check(t.Context()); err != nil {
		t.Errorf("not connected: %v", err)
	}
}

// A puppet stands before a server and passes on what is said, unless it hangs.
type puppet struct {
	listener net.Listener
	hang     sync.Mutex
}

func newPuppet(t *testing.T, port int) *puppet {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &puppet{listener: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return // closed by the cleanup
			}
			to, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				from.Close()
				continue
			}
			go p.pass(to, from)
			go p.pass(from, to)
		}
	}()
	return p
}

func (p *puppet) url() string { return "nats://" + p.listener.Addr().String() }

func (p *puppet) pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	for buf := make([]byte, 4096); ; {
		n, err := from.Read(buf)
		p.hang.Lock()
		//lint:ignore SA2001 it waits here while the server hangs
		p.hang.Unlock()
		if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
			return
		}
	}
}
