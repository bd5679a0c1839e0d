package daemon

import (
	"net"
	"testing"

	"recollect/internal/api"
	"recollect/internal/store"
)

// A daemon that waits for one of its own version does not follow it: that one may have been told to
// end, and whoever still wants an answer starts another.
func TestDoesNotFollowOneThatEnds(t *testing.T) {
	home := newHome(t)
	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", api.SocketPath(home))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() { // it ends when it is first asked
		if conn, err := listener.Accept(); err == nil {
			conn.Close()
		}
		listener.Close()
		lock.Release()
	}()
	got, err := takeOver(t.Context(), home, "1.0.0")
	if got != nil || err != nil {
		t.Errorf("takeOver() = %v, %v, want neither lock nor error", got, err)
	}
	if store.Owned(home) {
		t.Error("the folder is not free")
	}
}
