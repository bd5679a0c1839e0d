// Package index finds memories by their words. It keeps a bleve index that is
// derived from the store and rebuilt from it at will, and scores it with BM25
// of its own, because bleve's "bm25" is something else.
//
// A term is one analysed word (see Analyze). The watermark says how far into
// the store's logs the index has come; it is written in the same batch as the
// documents it vouches for. A generation is one bleve index in a numbered
// folder of its own: a damaged, foreign or outdated one is never repaired, the
// next number is begun beside it and the old folder deleted when that works.
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
)

// format names the analysis and the fields of the documents. An index of
// another format is begun anew, so it changes whenever Analyze gives other
// terms for some text.
const format = "5"

// Keys of the values that bleve keeps beside the documents.
var (
	formatKey    = []byte("recollect.format")
	totalsKey    = []byte("recollect.totals")
	watermarkKey = []byte("recollect.watermark")
)

var errClosed = errors.New("index is closed")

// An Index is an open index. Its methods may be called at the same time.
type Index struct {
	dir    string
	log    *slog.Logger
	broken chan error
	pool   sync.Pool // of *window, between searches

	writing sync.Mutex // held through Update, Reset and Close

	mu        sync.RWMutex // guards what follows
	current   *generation  // nil once closed
	watermark []byte
	stale     bool // see Stale
}

// Open opens the index in the folder dir, or begins an empty one where there
// is none that can be used. It returns an error only when the folder itself
// cannot be used, or when another process has the index open.
func Open(dir string, log *slog.Logger) (*Index, error) {
	x := &Index{dir: dir, log: log, broken: make(chan error, 1)}
	x.pool.New = func() any { return new(window) }
	g, err := x.openNewest()
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", dir, err)
	}
	x.use(g)
	return x, nil
}

// Watermark returns what the last Update that moved it was given. It is nil
// when the index has never been filled: the caller then fills it.
func (x *Index) Watermark() []byte {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Clone(x.watermark)
}

// Update adds or replaces the memories put and removes those with the ids in
// deleted, as one batch that is on disk when it returns; an id in both is
// removed. The watermark moves with the batch; nil leaves it where it is. Even
// the smallest batch costs milliseconds, so changes are worth gathering; above
// 2,000 memories a batch gains no speed, only size in memory.
func (x *Index) Update(put []memory.Memory, deleted []string, watermark []byte) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	if slices.ContainsFunc(put, func(m memory.Memory) bool { return m.ID == "" }) {
		return fmt.Errorf("update index %s: a memory has no id", x.dir)
	}
	err := x.read(context.Background(), func(g *generation, snap *scorch.IndexSnapshot) error {
		batch, err := newBatch(g, snap, put, deleted)
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

// IDs returns the ids of all memories in the index, in no order.
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

// Broken returns a channel that receives the cause when the index proves
// damaged while in use. Its owner then calls Reset and fills the index again;
// until then searches answer as far as they can.
func (x *Index) Broken() <-chan error { return x.broken }

// Reset begins an empty index in place of the present one and deletes that.
// When the new one cannot be begun, the old one stays in use.
func (x *Index) Reset() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	old := x.generation()
	if old == nil {
		return fmt.Errorf("reset index %s: %w", x.dir, errClosed)
	}
	next, err := x.begin()
	if err != nil {
		return fmt.Errorf("reset index %s: %w", x.dir, err)
	}
	x.use(next)
	if err := old.close(); err != nil {
		x.log.Warn("damaged index not closed", "dir", old.dir, "cause", err)
	}
	x.sweep(next.number)
	return nil
}

// Close closes the index. Searches that are under way end as if it were open.
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

// use makes g the present generation. Damage that was found before now was
// another's, or found while g was opened.
func (x *Index) use(g *generation) {
	x.mu.Lock()
	x.current, x.watermark, x.stale = g, g.watermark, g.stale
	x.mu.Unlock()
	select {
	case <-x.broken:
	default:
	}
	select {
	case <-g.dead:
		x.damaged(g, g.cause)
	default:
	}
}

func (x *Index) generation() *generation {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.current
}

// snapshot returns the present generation and a view of its documents that no
// later change touches, or nil when the index is closed. The caller closes it.
func (x *Index) snapshot() (*generation, *scorch.IndexSnapshot, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return nil, nil, errClosed
	}
	snap, err := x.current.snapshot()
	return x.current, snap, err
}

// read calls f with a view of the documents. An error or a panic of f is
// damage of the index, unless ctx has ended.
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
		x.damaged(g, err)
	}
	return err
}

// damaged reports that g does not work, if g is still in use. The channel
// holds one report; further ones add nothing.
func (x *Index) damaged(g *generation, cause error) {
	g.fail(cause)
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
