package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
)

// benchMemories builds n memories as capture makes them: a few hundred bytes
// of prose each, with a project, files and a session.
func benchMemories(n int) []memory.Memory {
	words := strings.Fields("the deploy script fails when its variable is unset so the pipeline retries with a lock and the index follows the log in batches")
	ms := make([]memory.Memory, n)
	for i := range ms {
		var text strings.Builder
		for j := range 22 {
			fmt.Fprintf(&text, "%s%d ", words[(i*7+j*5)%len(words)], (i*j)%97)
		}
		src := memory.Sources[i%len(memory.Sources)]
		if i%2 == 0 {
			src = memory.Episodes
		}
		ms[i] = memory.Memory{
			Source: src, Title: fmt.Sprintf("turn %d of the day", i), Text: text.String(),
			Project: "app", ProjectPath: "/home/u/src/app", Files: []string{"scripts/deploy.sh"},
			OccurredAt: time.Unix(1_770_000_000+int64(i), 0).UTC(),
			Session:    "3f2c9a54-6d0e-4f7e-9a55-0a3d1c6f2b11", Origin: memory.OriginUser,
		}
	}
	return ms
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		for _, hinted := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/hinted=%t", n, hinted), func(b *testing.B) {
				if hinted {
					hintAll(b)
				}
				lock := own(b)
				s := open(b, lock)
				if err := s.Append(cleaned(benchMemories(n)...)...); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(logBytes(b, lock.home))
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					shut(b, s)
					if !hinted {
						removeHints(b, lock)
					}
					b.StartTimer()
					s = open(b, lock)
				}
				if got := s.Len(); got != n {
					b.Fatalf("Len() = %d, want %d", got, n)
				}
			})
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b, own(b))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				ms := benchMemories(n)
				for j := range ms {
					ms[j].Source, ms[j].Turn = memory.Inbox, fmt.Sprint(i)
				}
				if err := s.Append(cleaned(ms...)...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	s := open(b, own(b))
	if err := s.Append(cleaned(benchMemories(10_000)...)...); err != nil {
		b.Fatal(err)
	}
	ids := s.IDs()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := s.Get(ids[i*31%len(ids)]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAll(b *testing.B) {
	s := open(b, own(b))
	if err := s.Append(cleaned(benchMemories(10_000)...)...); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range s.All() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkSince(b *testing.B) {
	s := open(b, own(b))
	if err := s.Append(cleaned(benchMemories(10_000)...)...); err != nil {
		b.Fatal(err)
	}
	marks := s.Marks()
	if err := s.Append(cleaned(benchMemories(10_064)[10_000:]...)...); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if ch, err := s.Since(marks, 1000); err != nil || len(ch.Put) != 64 {
			b.Fatal(len(ch.Put), err)
		}
	}
}

func logBytes(tb testing.TB, home string) int64 {
	names, err := filepath.Glob(filepath.Join(home, folder, "*"))
	if err != nil {
		tb.Fatal(err)
	}
	var n int64
	for _, name := range names {
		fi, err := os.Stat(name)
		if err != nil {
			tb.Fatal(err)
		}
		n += fi.Size()
	}
	return n
}
