//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"recollect/internal/api"
)

// A usage holds the resources of the daemon after a number of prompts.
type usage struct {
	prompts, anonMiB, files, threads int
}

// String implements fmt.Stringer.
func (u usage) String() string {
	return fmt.Sprintf("%d MiB of its own, %d open files, %d threads", u.anonMiB, u.files, u.threads)
}

// soakSamples is how often the daemon is measured.
const soakSamples = 10

// Limits on the growth of a daemon from the first half of the soak, in which its caches fill, to the end.
const (
	moreMiB   = 16
	moreFiles = 8 // a segment of the index that is being merged temporarily has more files
	// The runtime starts threads for system calls that happen to run at the same time.
	moreThreads = 8
)

// soak sends prompts in several parts, each from the same sessions, and measures whether the daemon
// grows.
func (t *torture) soak(prompts int) error {
	if err := t.settle(); err != nil {
		return err
	}
	pids, err := t.in.daemons()
	if err != nil || len(pids) != 1 {
		return fmt.Errorf("soak: daemons %v: %w", pids, err)
	}
	part := prompts / soakSamples
	for i := range soakSamples {
		if err := t.ask(part, i*part); err != nil {
			return err
		}
		u, err := measure(pids[0])
		if err != nil {
			return fmt.Errorf("soak: the daemon ended: %w", err)
		}
		u.prompts = (i + 1) * part
		t.flat = append(t.flat, u)
	}
	most, last := t.flat[0], t.flat[len(t.flat)-1]
	for _, u := range t.flat[:len(t.flat)/2+1] { // memory goes up and down
		most.anonMiB, most.files, most.threads = max(most.anonMiB, u.anonMiB), max(most.files, u.files), max(most.threads, u.threads)
	}
	if last.anonMiB > most.anonMiB+moreMiB || last.files > most.files+moreFiles || last.threads > most.threads+moreThreads {
		t.problem("the daemon grew: at most %v, then %v", most, last)
	}
	return nil
}

// ask sends n prompts of the users, numbered from from.
func (t *torture) ask(n, from int) error {
	var next, failed atomic.Int64
	var all sync.WaitGroup
	for i, u := range t.users {
		u := &user{torture: t, number: i, random: rand.New(rand.NewPCG(uint64(from), uint64(u.number)))}
		all.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= n {
					return
				}
				text, _ := u.sentence(4 + u.random.IntN(20))
				_, err := t.in.client.Recollect(context.Background(), api.Prompt{
					Event: "UserPromptSubmit", Prompt: "why does the " + text + "?", SessionID: fmt.Sprint("soak", k), Cwd: t.in.project,
				})
				if err != nil {
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	if failed.Load() > 0 {
		t.problem("%d of %d prompts of the soak failed", failed.Load(), n)
	}
	return nil
}

// measure returns the resources that a process uses.
func measure(pid int) (usage, error) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return usage{}, err
	}
	files, err := os.ReadDir(filepath.Join(dir, "fd"))
	if err != nil {
		return usage{}, err
	}
	return usage{anonMiB: field(string(status), "RssAnon:") >> 10, files: len(files), threads: field(string(status), "Threads:")}, nil
}

// field returns a number in /proc/PID/status, or 0.
func field(status, name string) int {
	_, rest, _ := strings.Cut(status, name)
	words := strings.Fields(rest)
	if len(words) == 0 {
		return 0
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return 0
	}
	return n
}
