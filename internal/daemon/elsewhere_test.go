package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"recollect/internal/daemon/lease"
	"recollect/internal/store"
)

// anotherMachine is what a daemon of another machine that has mounted the folder leaves there.
const anotherMachine = `{"host":"desk","domain":"another kernel","pid":7,"nonce":"n"}` + "\n"

func visit(t *testing.T, home string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, "daemon.host"), []byte(anotherMachine), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refused waits for a daemon that does not serve, and wants it to name the other machine.
func refused(t *testing.T, home string) {
	t.Helper()
	r := launch(t, home, "1.0.0")
	began := time.Now()
	err := r.wait()
	r.ended <- nil
	var held *lease.HeldError
	if !errors.As(err, &held) || held.Holder.Host != "desk" {
		t.Errorf("Run() = %v, want the folder held by desk", err)
	}
	if took := time.Since(began); took > takeOverWait/2 {
		t.Errorf("Run() took %v", took)
	}
}

// A folder that another machine serves is left alone, whether the lock of that machine holds here, as
// over NFS, or not.
func TestAnotherMachineServes(t *testing.T) {
	home := newHome(t)
	visit(t, home)
	refused(t, home)
	if entries, _ := os.ReadDir(filepath.Join(home, "memories")); len(entries) > 0 {
		t.Errorf("it made %v", entries)
	}
	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, home)
	var held *lease.HeldError
	if err := WaitForEnd(t.Context(), home); !errors.As(err, &held) {
		t.Errorf("WaitForEnd() = %v, want the folder held", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if err := Alone(t.Context(), home, func() error { t.Error("it has the folder for itself"); return nil }); !errors.As(err, &held) {
		t.Errorf("Alone() = %v, want the folder held", err)
	}
	if err := os.Remove(filepath.Join(home, "daemon.host")); err != nil {
		t.Fatal(err)
	}
	start(t, home).remember("the pool has 40 connections")
}

// A daemon that was away for so long that another machine took the folder ends, and leaves that
// machine's record alone.
func TestAnotherMachineTookOver(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	visit(t, home)
	err := r.wait()
	r.ended <- err
	if err != nil {
		t.Errorf("Run() = %v", err)
	}
	if there, _ := os.ReadFile(filepath.Join(home, "daemon.host")); string(there) != anotherMachine {
		t.Errorf("the record is %q, want the other machine's", there)
	}
}

// A daemon that ends gives the folder free for other machines at once.
func TestEndGivesTheFolderFree(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	if held, ok := lease.Current(home); !ok || held.PID != os.Getpid() {
		t.Errorf("while it runs, %+v has the folder", held)
	}
	r.end()
	if held, ok := lease.Current(home); ok {
		t.Errorf("after its end, %+v has the folder", held)
	}
}
