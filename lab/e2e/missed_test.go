//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// What a session was not told at its start, because nobody answered in time, comes with its first
// prompt that is answered, and once.
func testMissedStart(t *testing.T, k kit) {
	const session = "6d1f8a52-94a7-4c8e-b6d3-0c5f4be2a919"
	w := newWorld(t, k)
	w.ask(t, wish, []turn{{text: "I will."}})
	w.waitForExport(t, `"id":"pref-`)
	s := w.waitForMemories(t)
	missed := w.hang(t, s.PID)
	first := w.ask(t, "good morning", []turn{{text: "Good morning."}}, "--session-id", session)
	if !missed() {
		t.Fatal("the start of the session was answered")
	}
	if got := first.startContext(); got != "" {
		t.Errorf("told %q at the start that was missed", got)
	}
	if got := first.promptContext(); strings.Count(got, "[preference] "+wish) != 1 {
		t.Errorf("told %q with the first prompt, want the wish once", got)
	}
	again := w.ask(t, "and good evening", []turn{{text: "Good evening."}}, "--resume", session)
	if got := strings.Count(again.text(), "[preference] "+wish); got != 1 {
		t.Errorf("the conversation holds the wish %d times, want once", got)
	}
}

// hang keeps a daemon from answering until the start of a session was missed, on a machine that has
// too much to do. The function that it returns reports whether one was.
func (w *world) hang(t *testing.T, pid int) func() bool {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	suspend(t, p)
	t.Cleanup(func() { resume(p) })
	found := make(chan bool, 1)
	done := make(chan struct{})
	var busy sync.WaitGroup
	for range 4 {
		busy.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	go func() {
		defer close(done)
		for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(time.Millisecond) {
			if w.noted() {
				found <- true
				resume(p)
				return
			}
		}
		resume(p)
		found <- false
	}()
	return func() bool { busy.Wait(); return <-found }
}

// noted reports whether a hook has noted that the start of its session was missed.
func (w *world) noted() bool {
	paths, _ := filepath.Glob(filepath.Join(w.client.data(), "recollections", "*.start.json"))
	for _, path := range paths {
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte(`"missed":true`)) {
			return true
		}
	}
	return false
}
