package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// maxBatch is how many memories are stored at a time.
const maxBatch = 200

// Done says what a capture did.
type Done struct {
	Turns     int // read
	Added     int // new or changed memories
	Unchanged int // memories that were there already
	Forgotten int // memories that were deleted before and stay so
	Skipped   int // unreadable lines
}

// Capture takes memories from files into the store, each only once. It is
// safe for concurrent use.
type Capture struct {
	offsets offsets
	store   *store.Store
	write   func(context.Context, []memory.Memory) error

	mu   sync.Mutex
	busy map[string]*sync.Mutex // by path: one capture of a file at a time
}

// New returns a Capture that keeps its offsets in dir, looks into s, and
// stores through write.
func New(dir string, s *store.Store, write func(context.Context, []memory.Memory) error) *Capture {
	return &Capture{offsets: offsets{dir}, store: s, write: write, busy: map[string]*sync.Mutex{}}
}

// File takes what is new in a transcript, or in a Markdown file, into the
// store. project tells the project of a folder. When ctx ends half way, what
// was stored is kept and the next call goes on from there.
func (c *Capture) File(ctx context.Context, path string, project func(cwd string) memory.Project) (Done, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Done{}, fmt.Errorf("read %s: %w", path, err)
	}
	if fi, err := os.Stat(path); err != nil {
		return Done{}, err
	} else if !fi.Mode().IsRegular() {
		return Done{}, fmt.Errorf("read %s: not a file", path)
	}
	lock := c.lock(path)
	lock.Lock()
	defer lock.Unlock()
	if strings.EqualFold(filepath.Ext(path), ".md") {
		return c.markdown(ctx, path)
	}
	return c.transcript(ctx, path, project)
}

// date gives an undated memory the time of its file, and keeps that time when
// it is imported again.
func (c *Capture) date(m *memory.Memory, modified time.Time) error {
	if err := m.Normalize(); err != nil || !m.OccurredAt.IsZero() {
		return err
	}
	if old, err := c.store.Get(m.ID); err == nil {
		modified = old.OccurredAt
	}
	m.OccurredAt = modified.UTC().Truncate(time.Second)
	return nil
}

func (c *Capture) lock(path string) *sync.Mutex {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy[path] == nil {
		c.busy[path] = &sync.Mutex{}
	}
	return c.busy[path]
}

func (c *Capture) markdown(ctx context.Context, path string) (Done, error) {
	f, err := os.Open(path)
	if err != nil {
		return Done{}, err
	}
	defer f.Close()
	ms, err := ReadMarkdown(f, path)
	if err != nil {
		return Done{}, err
	}
	fi, err := f.Stat()
	if err != nil {
		return Done{}, err
	}
	b := batch{capture: c}
	for _, m := range ms {
		if err := c.date(&m, fi.ModTime()); err != nil {
			return b.done, fmt.Errorf("read %s: %w", path, err)
		}
		if err := b.add(ctx, m); err != nil {
			return b.done, err
		}
	}
	return b.done, b.flush(ctx)
}

// transcript reads on from the stored offset: the start of the last turn,
// which may have grown since. The offset is kept after each batch, once what
// lies before it is durable.
func (c *Capture) transcript(ctx context.Context, path string, project func(string) memory.Project) (Done, error) {
	offset := c.offsets.load(path)
	homes := map[string]memory.Project{}
	b := batch{capture: c}
	scan, err := Turns(path, offset, func(t claudecode.Turn) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.done.Turns++
		home, ok := homes[t.Cwd]
		if !ok {
			home = project(t.Cwd)
			homes[t.Cwd] = home
		}
		m, ok := Episode(t, home)
		if !ok {
			return nil
		}
		added := b.done.Added
		if err := b.add(ctx, m); err != nil || b.done.Added == added {
			return err
		}
		return c.offsets.save(path, t.Start) // a batch was stored, this turn its last
	})
	b.done.Skipped = scan.Skipped
	if err != nil {
		return b.done, fmt.Errorf("read %s: %w", path, err)
	}
	if err := b.flush(ctx); err != nil {
		return b.done, err
	}
	return b.done, c.offsets.save(path, scan.Offset)
}

// A batch collects memories that the store does not have yet.
type batch struct {
	capture *Capture
	fresh   []memory.Memory
	done    Done
}

// add queues m unless it was stored before, word for word, or forgotten. A
// full batch is stored.
func (b *batch) add(ctx context.Context, m memory.Memory) error {
	if err := m.Normalize(); err != nil {
		return err
	}
	old, err := b.capture.store.Get(m.ID)
	switch {
	case err == nil && same(old, m):
		b.done.Unchanged++
		return nil
	case errors.Is(err, store.ErrNotFound) && b.capture.store.Known(m.ID):
		b.done.Forgotten++
		return nil
	}
	if m.RecordedAt.IsZero() {
		m.RecordedAt = time.Now().UTC().Truncate(time.Second)
	}
	b.fresh = append(b.fresh, m)
	if len(b.fresh) < maxBatch {
		return nil
	}
	return b.flush(ctx)
}

func (b *batch) flush(ctx context.Context) error {
	if len(b.fresh) == 0 {
		return nil
	}
	if err := b.capture.write(ctx, b.fresh); err != nil {
		return fmt.Errorf("store memories: %w", err)
	}
	b.done.Added += len(b.fresh)
	b.fresh = nil
	return nil
}

// same reports whether two records tell the same, whenever they were
// recorded.
func same(a, b memory.Memory) bool {
	a.RecordedAt, b.RecordedAt = time.Time{}, time.Time{}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
