package engine

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What panics behind the requests is begun again, more and more seldom, until the engine ends.
func TestRunCareful(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		e := &Engine{log: slog.New(slog.NewTextHandler(&out, nil))}
		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		runs := 0
		e.runCareful(ctx, "import past sessions", func(context.Context) {
			runs++
			panic("boom")
		})
		if runs < 24 || runs > 40 {
			t.Errorf("%d runs in a day", runs)
		}
		if n := strings.Count(out.String(), `level=WARN msg="import past sessions" error="panic: boom, in engine.`); n != runs {
			t.Errorf("%d of %d are in the log: %.400s", n, runs, out.String())
		}
	})
}

func TestRunCarefulEnds(t *testing.T) {
	e := &Engine{log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	runs := 0
	e.runCareful(t.Context(), "x", func(context.Context) { runs++ })
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	e.runCareful(ended, "x", func(context.Context) {
		runs++
		panic("at the end")
	})
	if runs != 2 {
		t.Errorf("%d runs, want one each", runs)
	}
}
