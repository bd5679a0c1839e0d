package engine

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/store"
)

// patience bounds every wait for something that should take milliseconds.
const patience = 30 * time.Second

var quiet = slog.New(slog.DiscardHandler)

// newHome makes a data folder.
func newHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	return home
}

// A running engine.
type running struct {
	*Engine
	Home  string
	t     *testing.T
	stop  context.CancelFunc
	ended chan error // yields what Run and Close returned
}

// start opens an engine and runs it.
func start(t *testing.T, home string) *running {
	t.Helper()
	return startWith(t, home, quiet)
}

func startWith(t *testing.T, home string, log *slog.Logger) *running {
	t.Helper()
	e, lock := openEngine(t, home, log)
	ctx, stop := context.WithCancel(context.Background())
	r := &running{e, home, t, stop, make(chan error, 1)}
	go func() { r.ended <- errors.Join(e.Run(ctx, stop), e.Close(), lock.Release()) }()
	t.Cleanup(func() {
		stop()
		r.ended <- r.wait()
	})
	return r
}

func openEngine(t *testing.T, home string, log *slog.Logger) (*Engine, *store.Lock) {
	t.Helper()
	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.NewLive(home, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), home, lock, settings, log)
	if err != nil {
		t.Fatal(errors.Join(err, lock.Release()))
	}
	return e, lock
}

// A benchmark opens an engine in a folder of its own with settings of its own,
// stores memories, and asks recall.
func TestStorageAlone(t *testing.T) {
	for _, kind := range []string{config.EmbedderOff, config.EmbedderBuiltin} {
		t.Run(kind, func(t *testing.T) {
			home := t.TempDir()
			lock, err := store.Acquire(home)
			if err != nil {
				t.Fatal(err)
			}
			live, err := config.NewLive(home, nil)
			if err != nil {
				t.Fatal(err)
			}
			settings := live.Current()
			settings.Embedder.Kind = kind
			e, err := Open(t.Context(), home, lock, config.Fixed(settings), quiet)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- e.RunStorage(ctx, stop) }()
			ms, err := clean.Drafts(memory.Drafts(note("the database pool has 40 connections"), note("the build takes four minutes"))...)
			if err := errors.Join(err, e.Append(ctx, ms), e.UpToDate(ctx)); err != nil {
				t.Fatal(err)
			}
			found, err := e.Recall.Search(ctx, recall.Request{Prompt: "database pool", Now: time.Now(), Settings: settings}, 1)
			if err != nil || len(found) != 1 || found[0].Memory.ID != ms[0].Memory().ID {
				t.Errorf("Search() = %+v, %v, want %s", found, err, ms[0].Memory().ID)
			}
			stop()
			if err := errors.Join(<-ended, e.Close(), lock.Release()); err != nil {
				t.Error(err)
			}
		})
	}
}

// openIdle opens an engine that nobody runs.
func openIdle(t *testing.T, home string) *Engine {
	t.Helper()
	e, lock := openEngine(t, home, quiet)
	t.Cleanup(func() {
		if err := errors.Join(e.Close(), lock.Release()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// wait returns what Run returned.
func (r *running) wait() error {
	select {
	case err := <-r.ended:
		return err
	case <-time.After(patience):
		r.t.Error("the engine does not end")
		return nil
	}
}

// end stops the engine and waits until it has ended.
func (r *running) end() {
	r.t.Helper()
	r.stop()
	err := r.wait()
	if err != nil {
		r.t.Errorf("Run() = %v", err)
	}
	r.ended <- err // for the cleanup
}

// until waits for what the engine does by itself.
func (r *running) until(what string, done func() bool) {
	r.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-limit:
			r.t.Fatalf("not in time: %s", what)
		}
	}
}

// health returns what the engine says of itself.
func (r *running) health() api.Health {
	var h api.Health
	r.Health(&h)
	return h
}

// Recollect answers a prompt, and counts it as the daemon does.
func (r *running) Recollect(ctx context.Context, in api.Prompt) (api.Recollection, error) {
	began := time.Now()
	out, err := ask(ctx, r.Engine.Recollect, in)
	r.Asked(time.Now(), usage.PromptEvent, time.Since(began), len(out.Injected), err)
	return out, err
}

// Orient, Tool and Agent return what is injected at an event.
func (r *running) Orient(ctx context.Context, in api.Session) (api.Recollection, error) {
	return ask(ctx, r.Engine.Orient, in)
}

func (r *running) Tool(ctx context.Context, in api.ToolCall) (api.Recollection, error) {
	return ask(ctx, r.Engine.Tool, in)
}

func (r *running) Agent(ctx context.Context, in api.Agent) (api.Recollection, error) {
	return ask(ctx, r.Engine.Agent, in)
}

// ask calls a method, and returns its reply, which arrives.
func ask[In any](ctx context.Context, call func(context.Context, In) (api.Recollection, Commit, error), in In) (api.Recollection, error) {
	return askAndLeave(ctx, call, in, nil)
}

// askAndLeave calls a method whose reply does not arrive, if undelivered says why.
func askAndLeave[In any](ctx context.Context, call func(context.Context, In) (api.Recollection, Commit, error), in In, undelivered error) (api.Recollection, error) {
	out, commit, err := call(ctx, in)
	if commit != nil {
		commit(undelivered)
	}
	return out, err
}

// note is a memory of somebody who stood in a project's folder.
func note(title string) memory.Memory {
	return memory.Memory{Source: memory.Inbox, Title: title}
}

// remember stores notes and returns their ids.
func (r *running) remember(titles ...string) []string {
	r.t.Helper()
	var ms []memory.Memory
	for _, title := range titles {
		ms = append(ms, note(title))
	}
	done, err := r.Remember(r.t.Context(), api.Remember{Memories: memory.Drafts(ms...), Cwd: "/home/dev/src/app"})
	if err != nil {
		r.t.Fatal(err)
	}
	return done.IDs
}

// search returns the titles of what is found.
func (r *running) search(query string) []string {
	r.t.Helper()
	found, err := r.Search(r.t.Context(), api.Search{Query: query, Cwd: "/home/dev/src/app", Limit: 1000})
	if err != nil {
		r.t.Fatal(err)
	}
	titles := []string{}
	for _, f := range found.Results {
		titles = append(titles, f.Memory.Title)
	}
	return titles
}
