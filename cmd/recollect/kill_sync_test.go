package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Two daemons that are killed while they synchronize with one folder lose nothing: in the end both
// have everything that either acknowledged.
func TestKillWhileSyncing(t *testing.T) {
	skipIfShort(t, "takes 2 s")
	dir := t.TempDir()
	var homes []string
	for range 2 {
		home, _ := stressHome(t)
		homes = append(homes, home)
	}
	acked := map[string]bool{}
	for round := range rounds(t, 3) {
		for n, home := range homes {
			t.Setenv("RECOLLECT_HOME", home)
			process := awake(t)
			rememberSome(t, home, fmt.Sprintf("round %d of %d", round, n), acked)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				recollectCmd(t, "sync", dir) // may fail, as its daemon dies
			}()
			time.Sleep(rand.N(40 * time.Millisecond))
			if err := process.Kill(); err != nil {
				t.Fatal(err)
			}
			<-ended
		}
	}
	for range 2 {
		for _, home := range homes {
			t.Setenv("RECOLLECT_HOME", home)
			if out, errs, err := recollectCmd(t, "sync", dir); err != nil {
				t.Fatalf("sync: %v\n%s%s", err, out, errs)
			}
		}
	}
	for _, home := range homes {
		client := &api.Client{Home: home}
		for id := range acked {
			if _, err := client.Memory(t.Context(), id); err != nil {
				t.Errorf("%s lacks %s: %v", home, id, err)
			}
		}
	}
}

// rememberSome stores memories and adds their ids to acked.
func rememberSome(t *testing.T, home, what string, acked map[string]bool) {
	t.Helper()
	var ms []memory.Memory
	for i := range 50 {
		ms = append(ms, memory.Memory{Source: memory.Inbox, Title: fmt.Sprint(what, " number ", i)})
	}
	done, err := (&api.Client{Home: home}).Remember(t.Context(), api.Remember{Memories: memory.Drafts(ms...), Cwd: os.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range done.IDs {
		acked[id] = true
	}
}
