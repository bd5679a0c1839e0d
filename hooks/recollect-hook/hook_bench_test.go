package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect"
	"recollect/internal/api"
	"recollect/internal/memory"
)

// BenchmarkHook times the prompt hook as a whole process, from spawn to exit,
// in turn with a program that only reads its input, over stores of several
// sizes. Each iteration is one run of each. The prompts bear on memories, so
// each hook has something to tell.
func BenchmarkHook(b *testing.B) {
	bin := build(b)
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) { benchmarkHook(b, bin, n) })
	}
}

// build builds the executables, and the bare program to compare with, and
// returns their folder.
func build(b *testing.B) string {
	b.Helper()
	bin := b.TempDir()
	for name, pkg := range map[string]string{"bare": "./testdata/bare", "recollect-hook": ".", "recollect": "../../cmd/recollect"} {
		cmd := exec.Command("go", "build", "-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s -w", "-o", filepath.Join(bin, name), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("build %s: %v\n%s", pkg, err, out)
		}
	}
	return bin
}

// startDaemon starts a daemon with a home of its own, which it returns. The
// path of a socket must be short.
func startDaemon(b *testing.B, bin string) string {
	b.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(home) })
	b.Setenv("RECOLLECT_HOME", home)
	daemon := exec.Command(filepath.Join(bin, "recollect"), "daemon", "run")
	if err := daemon.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		daemon.Process.Kill()
		daemon.Wait()
	})
	return home
}

func benchmarkHook(b *testing.B, bin string, n int) {
	home := startDaemon(b, bin)
	text := newWriter(7)
	texts := fill(b, home, text, n)

	var bare, hook []time.Duration
	told := 0
	for i := 0; b.Loop(); i++ {
		event := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s%d","cwd":"/src/app","prompt":%q}`, i, text.prompt(texts))
		d, _ := run(b, filepath.Join(bin, "bare"), event)
		bare = append(bare, d)
		d, out := run(b, filepath.Join(bin, "recollect-hook"), event)
		hook = append(hook, d)
		if strings.Contains(out, "memory-data") {
			told++
		}
	}
	report(b, bare, hook)
	b.ReportMetric(100*float64(told)/float64(len(hook)), "told-%")
}

// report compares the times of the hook with those of the bare program.
func report(b *testing.B, bare, hook []time.Duration) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	for _, q := range []int{50, 95} {
		x, y := quantile(bare, q), quantile(hook, q)
		b.ReportMetric(ms(x), fmt.Sprintf("bare-p%d-ms", q))
		b.ReportMetric(ms(y), fmt.Sprintf("hook-p%d-ms", q))
		b.ReportMetric(float64(y)/float64(x), fmt.Sprintf("ratio-p%d", q))
	}
}

// fill stores n memories, waits until they are indexed, and returns their
// texts.
func fill(b *testing.B, home string, text *writer, n int) (texts []string) {
	b.Helper()
	keep(b, home, n, func() memory.Memory {
		texts = append(texts, text.sentences())
		return memory.Memory{Source: memory.Episodes, Project: "app", Text: texts[len(texts)-1], OccurredAt: time.Now()}
	})
	return texts
}

// keep stores n memories that next makes and waits until they are indexed.
func keep(b *testing.B, home string, n int, next func() memory.Memory) {
	b.Helper()
	const batch = 500
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	client := &api.Client{Home: home, Version: recollect.Version()}
	for stored := 0; stored < n; stored += batch {
		var ms []memory.Memory
		for range batch {
			ms = append(ms, next())
		}
		waitFor(b, ctx, func() error {
			_, err := client.Remember(ctx, api.Remember{Memories: memory.Drafts(ms...)})
			return err
		})
	}
	waitFor(b, ctx, func() error {
		h, err := client.Health(ctx)
		if err == nil && (h.Index != "ready" || h.Indexed != h.Memories) {
			return api.ErrNoDaemon
		}
		return err
	})
}

// waitFor calls f until the daemon answers.
func waitFor(b *testing.B, ctx context.Context, f func() error) {
	b.Helper()
	for {
		err := f()
		if err == nil {
			return
		}
		if ctx.Err() != nil || !errors.Is(err, api.ErrNoDaemon) {
			b.Fatal(err)
		}
	}
}

func run(b *testing.B, program, input string) (time.Duration, string) {
	b.Helper()
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(input)
	var out strings.Builder
	cmd.Stdout = &out
	began := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began), out.String()
}

func quantile(d []time.Duration, percent int) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[min(len(d)-1, len(d)*percent/100)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// A writer makes text whose words are spread as in real text: the word of
// rank r comes up about 1/r as often as the first.
type writer struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newWriter(seed uint64) *writer {
	rng := rand.New(rand.NewPCG(seed, seed))
	w := &writer{rng: rng, zipf: rand.NewZipf(rng, 1.1, 8, 19_999)}
	for range 20_000 {
		w.words = append(w.words, w.word())
	}
	return w
}

func (w *writer) word() string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	var b strings.Builder
	for range 2 + w.rng.IntN(3) {
		b.WriteByte(consonants[w.rng.IntN(len(consonants))])
		b.WriteByte(vowels[w.rng.IntN(len(vowels))])
	}
	return b.String()
}

// sentences are about 300 characters.
func (w *writer) sentences() string { return w.text(40) }

// prompt is a question of eight words that stand in one of the texts.
func (w *writer) prompt(texts []string) string {
	words := strings.Fields(texts[w.rng.IntN(len(texts))])
	from := w.rng.IntN(len(words) - 8)
	return strings.Join(words[from:from+8], " ")
}

func (w *writer) text(words int) string {
	out := make([]string, words)
	for i := range out {
		out[i] = w.words[w.zipf.Uint64()]
	}
	return strings.Join(out, " ")
}
