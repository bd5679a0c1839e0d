package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
)

// BenchmarkStores times the hook over data folders that exist already, which BENCH_STORES lists:
// until the first answer of a daemon that was not running, and prompts to which no memory is
// relevant and those that are the titles of some, in turn with a program that only reads its input.
// scripts/bench stores makes such folders.
func BenchmarkStores(b *testing.B) {
	homes := filepath.SplitList(os.Getenv("BENCH_STORES"))
	if len(homes) == 0 {
		b.Skip("BENCH_STORES names no data folder")
	}
	bin := binaries(b)
	unrelated := fieldOf(b, "../../testdata/unrelated.jsonl", "text", 100)
	for _, home := range homes {
		titles := fieldOf(b, filepath.Join(home, "memories", "journal.jsonl"), "title", 100)
		b.Setenv("RECOLLECT_HOME", home)
		b.Run(filepath.Base(home)+"/opening", func(b *testing.B) { benchmarkOpening(b, bin, home) })
		daemon := serve(b, bin, home)
		b.Run(filepath.Base(home)+"/unrelated", func(b *testing.B) { benchmarkPrompts(b, bin, unrelated, "") })
		b.Run(filepath.Base(home)+"/titles", func(b *testing.B) { benchmarkPrompts(b, bin, titles, "memory-data") })
		b.Logf("%s: %d MiB of its own", home, anonMiB(daemon))
		daemon.Process.Kill()
		daemon.Wait()
	}
}

// fieldOf returns a field of up to n records of a file of JSON Lines, spread evenly.
func fieldOf(b *testing.B, file, field string, n int) []string {
	b.Helper()
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var all []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var record map[string]any
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			b.Fatal(err)
		}
		if text, ok := record[field].(string); ok {
			all = append(all, text)
		}
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		b.Fatalf("%s: %d records with %s, %v", file, len(all), field, err)
	}
	step := max(1, len(all)/n)
	var out []string
	for i := 0; i < len(all) && len(out) < n; i += step {
		out = append(out, all[i])
	}
	return out
}

// serve starts a daemon for a data folder and waits until everything in it is indexed.
func serve(b *testing.B, bin, home string) *exec.Cmd {
	b.Helper()
	daemon := exec.Command(filepath.Join(bin, "recollect"), "daemon", "run")
	if err := daemon.Start(); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	client := &api.Client{Home: home}
	waitFor(b, ctx, func() error {
		h, err := client.Health(ctx)
		if err == nil && (h.Index != "ready" || h.Indexed != h.Memories || h.Embedded != h.Memories) {
			time.Sleep(100 * time.Millisecond)
			return api.ErrNoDaemon
		}
		return err
	})
	return daemon
}

// openings is how often a store is opened after each kind of end: that of a million takes seconds.
const openings = 15

// benchmarkOpening starts the daemon and asks at once, in turn after a daemon that ended by itself and
// after one that was killed. The files are in the system's cache.
func benchmarkOpening(b *testing.B, bin, home string) {
	daemon := serve(b, bin, home) // whatever was to be indexed
	client := &api.Client{Home: home}
	answer := func() time.Duration {
		daemon.Wait()
		daemon = exec.Command(filepath.Join(bin, "recollect"), "daemon", "run")
		began := time.Now()
		if err := daemon.Start(); err != nil {
			b.Fatal(err)
		}
		waitFor(b, b.Context(), func() error {
			_, err := client.Search(b.Context(), api.Search{Query: "connection pool", Limit: 1})
			return err
		})
		return time.Since(began)
	}
	var ended, killed []time.Duration
	for range openings {
		if err := client.Shutdown(b.Context()); err != nil {
			b.Fatal(err)
		}
		ended = append(ended, answer())
		daemon.Process.Kill()
		killed = append(killed, answer())
	}
	daemon.Process.Kill()
	daemon.Wait()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(quantile(ended, 50)), "first-answer-p50-ms")
	b.ReportMetric(ms(quantile(killed, 50)), "first-answer-after-kill-p50-ms")
}

// benchmarkPrompts sends prompts of new sessions. Where want is not empty, only the hooks that
// inject something count; else only those that do not.
func benchmarkPrompts(b *testing.B, bin string, prompts []string, want string) {
	var bare, hook []time.Duration
	runs := 0
	for b.Loop() {
		event := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"b%d-%d","cwd":"/src/app","prompt":%q}`, time.Now().UnixNano(), runs, prompts[runs%len(prompts)])
		runs++
		d, _ := run(b, filepath.Join(bin, "bare"), event)
		bare = append(bare, d)
		d, out := run(b, filepath.Join(bin, "recollect-hook"), event)
		if (out == "") == (want == "") {
			hook = append(hook, d)
		}
	}
	if len(hook) == 0 {
		b.Skip("no prompt was answered so")
	}
	report(b, bare, hook)
	b.ReportMetric(100*float64(len(hook))/float64(runs), "counted-%")
}

// anonMiB returns what a process takes besides mapped files, in MiB, 0 where that is not known.
func anonMiB(daemon *exec.Cmd) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", daemon.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "RssAnon:")
	words := strings.Fields(rest)
	if !slices.Contains(words, "kB") {
		return 0
	}
	kib, err := strconv.Atoi(words[0])
	if err != nil {
		return 0
	}
	return kib >> 10
}
