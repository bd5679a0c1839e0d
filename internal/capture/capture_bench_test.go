package capture

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"

	"recollect/internal/agents/transcript"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// BenchmarkCapture reads the sample transcripts, from the file to the store.
func BenchmarkCapture(b *testing.B) {
	paths, err := transcript.Files("../../testdata/transcripts/projects")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		home := b.TempDir()
		lock, err := store.Acquire(home)
		if err != nil {
			b.Fatal(err)
		}
		s, err := store.Open(lock, slog.New(slog.NewTextHandler(io.Discard, nil)))
		if err != nil {
			b.Fatal(err)
		}
		c := New(filepath.Join(home, "sessions"), s, func(_ context.Context, ms []clean.Memory) error { return s.Append(ms...) })
		for _, path := range paths {
			if _, err := c.File(b.Context(), Input{Path: path, Whole: true}, func(cwd string) memory.Project { return memory.Project{Name: filepath.Base(cwd), Path: cwd} }); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		lock.Release()
	}
}
