package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect"
	"recollect/internal/api"
)

// BenchmarkStop times the Stop hook as a whole process, from spawn to exit,
// in turn with a program that only reads its input, at the end of a turn of a
// short and of a long session. It must not grow with the transcript.
func BenchmarkStop(b *testing.B) {
	bin := build(b)
	for _, mb := range []int{1, 100} {
		b.Run(fmt.Sprintf("transcript=%dMB", mb), func(b *testing.B) { benchmarkStop(b, bin, mb) })
	}
}

func benchmarkStop(b *testing.B, bin string, mb int) {
	home := startDaemon(b, bin)
	path := filepath.Join(b.TempDir(), "s1.jsonl")
	transcript(b, path, mb<<20)
	event := fmt.Sprintf(`{"hook_event_name":"Stop","session_id":"s1","cwd":"/src/app","transcript_path":%q,"last_assistant_message":"Done."}`, path)
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	client := &api.Client{Home: home, Version: recollect.Version()}
	waitFor(b, ctx, func() error {
		_, err := client.Health(ctx)
		return err
	})
	run(b, filepath.Join(bin, "recollect-hook"), event)
	awaitCapture(b, ctx, client)

	var bare, stop []time.Duration
	for b.Loop() {
		d, _ := run(b, filepath.Join(bin, "bare"), event)
		bare = append(bare, d)
		d, _ = run(b, filepath.Join(bin, "recollect-hook"), event)
		stop = append(stop, d)
	}
	report(b, bare, stop)
}

// transcript writes a session of about n bytes, most of which is what tools
// printed, as in real ones.
func transcript(b *testing.B, path string, n int) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w, text := bufio.NewWriter(f), newWriter(9)
	output := strings.Repeat(text.text(400)+`\n`, 40)
	for i, written := 0, 0; written < n; i++ {
		const at = `"timestamp":"2026-01-05T10:00:00Z","sessionId":"s1","cwd":"/src/app"`
		line, err := fmt.Fprintf(w, `{"type":"user","uuid":"u%d",%s,"message":{"content":%q}}
{"type":"assistant","uuid":"a%d",%s,"message":{"id":"m%d","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"make"}}]}}
{"type":"user","uuid":"r%d",%s,"message":{"content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}}
{"type":"assistant","uuid":"e%d",%s,"message":{"id":"n%d","content":[{"type":"text","text":%q}]}}
`, i, at, text.text(9), i, at, i, i, i, at, i, output, i, at, i, text.sentences())
		if err != nil {
			b.Fatal(err)
		}
		written += line
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// awaitCapture waits until the daemon has captured what the transcript had when the
// first hook ran: three seconds after the last memory came nothing is left.
func awaitCapture(b *testing.B, ctx context.Context, client *api.Client) {
	b.Helper()
	for last, since := 0, time.Now(); last == 0 || time.Since(since) < 3*time.Second; time.Sleep(50 * time.Millisecond) {
		h, err := client.Health(ctx)
		if err != nil {
			b.Fatal(err)
		}
		if h.Memories != last {
			last, since = h.Memories, time.Now()
		}
	}
}
