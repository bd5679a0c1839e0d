// Package index finds memories by their words. It maintains a bleve index that
// is derived from the store and can be rebuilt from it at any time. It scores
// memories with its own BM25, because bleve's "bm25" is a different formula.
//
// A term is one analysed word (see Analyze). The watermark is the position in the store's logs up to
// which the index is complete; it is written in the same batch as the documents. A generation is one
// bleve index in a numbered folder of its own. A damaged, foreign or outdated generation is never
// repaired: the generation with the next number replaces it, and its folder is deleted.
package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"recollect/internal/memory"
	"recollect/internal/system/logkey"
	"recollect/internal/system/traffic"
)

// An Index is an open index. Its methods may be called concurrently.
type Index struct {
	folder
	broken chan error
	pool   sync.Pool // windows that no search uses now

	writing sync.Mutex // held during Update, Reset and Close

	mu        sync.RWMutex // guards the fields below
	current   *generation  // nil once closed
	watermark []byte
	stale     bool // see Stale
}

// Open opens the index in the folder dir, or creates an empty one if there is no usable index. The new
// index is in memory if the folder cannot be used, because the disk is full or the folder read-only.
// Merges give way to the requests of way. It returns an error only if another process has the index open.
func Open(dir string, way *traffic.Traffic, log *slog.Logger) (*Index, error) {
	x := &Index{broken: make(chan error, 1)}
	x.folder = folder{dir: dir, log: log, way: way, report: x.reportDamage}
	x.pool.New = func() any { return new(window) }
	g, err := x.openNewest()
	if err != nil && !errors.Is(err, errOpenElsewhere) {
		g, err = x.createInMemory(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", dir, err)
	}
	x.setCurrent(g)
	return x, nil
}

// Watermark returns the last watermark that was passed to Update. It is nil
// when the index has never been filled; the caller must then fill it.
func (x *Index) Watermark() []byte {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Clone(x.watermark)
}

// Update adds or replaces the memories put and removes those with the ids in deleted, as one batch that
// is on disk when Update returns. An id in both is removed. The watermark is written with the batch; nil
// leaves it unchanged. Callers should collect changes, because even the smallest batch takes
// milliseconds. A batch of more than 2,000 memories saves no more time and takes more memory.
func (x *Index) Update(put []memory.Memory, deleted []string, watermark []byte) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	if slices.ContainsFunc(put, func(m memory.Memory) bool { return m.ID == "" }) {
		return fmt.Errorf("update index %s: a memory has no id", x.dir)
	}
	err := x.read(context.Background(), func(g *generation, snap *scorch.IndexSnapshot) error {
		batch, err := newBatch(snap, put, deleted)
		if err != nil {
			return err
		}
		if watermark != nil {
			batch.SetInternal(watermarkKey, watermark)
		}
		if len(deleted) > 0 {
			batch.SetInternal(staleKey, []byte{1})
		}
		return g.apply(batch)
	})
	if err != nil {
		return fmt.Errorf("update index %s: %w", x.dir, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if watermark != nil {
		x.watermark = slices.Clone(watermark)
	}
	x.stale = x.stale || len(deleted) > 0
	return nil
}

// InMemory returns why the index is only in memory, where it is lost when the process ends. It returns
// nil if the index is on disk.
func (x *Index) InMemory() error {
	if g := x.generation(); g != nil {
		return g.inMemory
	}
	return nil
}

// IDs returns the ids of all memories in the index, in no particular order.
func (x *Index) IDs() ([]string, error) {
	var ids []string
	err := x.read(context.Background(), func(_ *generation, snap *scorch.IndexSnapshot) error {
		for _, seg := range snap.Segments() {
			for it := seg.DocNumbersLive().Iterator(); it.HasNext(); {
				id, err := seg.DocID(uint64(it.Next()))
				if err != nil {
					return err
				}
				ids = append(ids, string(id))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list ids of index %s: %w", x.dir, err)
	}
	return ids, nil
}

// Len returns the number of memories in the index, 0 once it is closed.
func (x *Index) Len() int {
	var n uint64
	_ = x.read(context.Background(), func(_ *generation, snap *scorch.IndexSnapshot) (err error) {
		n, err = snap.DocCount()
		return err
	})
	return int(n)
}

// Broken returns a channel that receives the cause when the index in use proves damaged. The caller
// should then call Reset and fill the index again. Until then searches return what they can still read.
func (x *Index) Broken() <-chan error { return x.broken }

// Reset replaces the index by an empty one and deletes the old files. The new index is in memory if it
// cannot be created on disk.
func (x *Index) Reset() error {
	return x.replace(func() (*generation, error) {
		g, err := x.create()
		if err != nil {
			return x.createInMemory(err)
		}
		return g, nil
	})
}

// ResetInMemory is Reset for an index whose files prove damaged again and again, as on a full disk.
func (x *Index) ResetInMemory(cause error) error {
	return x.replace(func() (*generation, error) { return x.createInMemory(cause) })
}

// replace makes the generation from create the current one.
func (x *Index) replace(create func() (*generation, error)) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	old := x.generation()
	if old == nil {
		return fmt.Errorf("reset index %s: %w", x.dir, errClosed)
	}
	next, err := create()
	if err != nil {
		return fmt.Errorf("reset index %s: %w", x.dir, err)
	}
	x.setCurrent(next)
	if err := old.close(); err != nil {
		x.log.Warn("damaged index not closed", logkey.Dir, old.dir, logkey.Cause, err)
	}
	x.sweep(next.number)
	return nil
}

// Close closes the index. Running searches still finish.
func (x *Index) Close() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	g := x.current
	x.current = nil
	x.mu.Unlock()
	if g == nil {
		return nil
	}
	if err := g.close(); err != nil {
		return fmt.Errorf("close index %s: %w", x.dir, err)
	}
	return nil
}

// setCurrent makes g the current generation. It drops a report of damage that is still in the channel,
// because that concerned an earlier generation, unless opening g itself showed damage.
func (x *Index) setCurrent(g *generation) {
	x.mu.Lock()
	x.current, x.watermark, x.stale = g, g.watermark, g.stale
	x.mu.Unlock()
	select {
	case <-x.broken:
	default:
	}
	select {
	case <-g.dead:
		x.reportDamage(g, g.cause)
	default:
	}
}

func (x *Index) generation() *generation {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.current
}

// snapshot returns the current generation and a view of its documents that
// later changes do not affect, or errClosed. The caller closes the view.
func (x *Index) snapshot() (*generation, *scorch.IndexSnapshot, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return nil, nil, errClosed
	}
	snap, err := x.current.snapshot()
	return x.current, snap, err
}

// read calls f with a view of the documents. An error or a panic of f means that the index is damaged,
// unless ctx has ended.
func (x *Index) read(ctx context.Context, f func(*generation, *scorch.IndexSnapshot) error) error {
	g, snap, err := x.snapshot()
	if errors.Is(err, errClosed) {
		return err
	}
	if err == nil {
		err = guard(func() error {
			defer snap.Close()
			return f(g, snap)
		})
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if err != nil {
		x.reportDamage(g, err)
	}
	return err
}

// reportDamage marks g as damaged and reports it, if g is still in use. The
// channel holds one report; further ones are dropped.
func (x *Index) reportDamage(g *generation, cause error) {
	g.markDead(cause)
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current != g {
		return
	}
	select {
	case x.broken <- cause:
	default:
	}
}
