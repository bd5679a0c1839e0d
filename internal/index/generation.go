package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"recollect/internal/system/traffic"
)

const (
	// lockTimeout bounds the wait for the lock of an index that another
	// process has open; by default bolt waits forever.
	lockTimeout = "1s"

	// openTimeout is far above the half second that opening a million
	// documents from a cold disk takes. Damaged files can make bleve wait
	// forever for a goroutine that has died.
	openTimeout = 10 * time.Second

	// closeTimeout gives a running merge time to stop.
	closeTimeout = 5 * time.Second

	callbackName = "recollect.index"
)

var errTimeout = errors.New("no answer in time")

// A generation is one bleve index in a folder of its own.
type generation struct {
	dir    string
	number int
	report func(*generation, error)
	caches caches

	merging *traffic.Work // belongs to bleve's goroutine that merges

	idx       bleveindex.Index
	core      *scorch.Scorch
	watermark []byte // as read on opening
	stale     bool   // as read on opening
	inMemory  error  // why it has no files, nil if it has

	once  sync.Once
	dead  chan struct{} // closed when the generation proves damaged
	cause error         // why; valid once dead is closed
}

// initialize writes what distinguishes an index without documents from one
// that has lost them, because bleve opens damaged files as if they were empty.
// It writes past apply: damage that is already reported may belong to a deleted
// generation whose folder had the same name, and shows at the next use if not.
func (g *generation) initialize() error {
	batch := bleveindex.NewBatch()
	batch.SetInternal(formatKey, []byte(format))
	batch.SetInternal(totalsKey, totals{}.encode())
	return g.idx.Batch(batch)
}

// create makes a new generation.
func (g *generation) create() error {
	if err := g.start(); err != nil {
		return err
	}
	if err := within(openTimeout, g.initialize); err != nil {
		return errors.Join(err, g.close())
	}
	return nil
}

// open opens an existing generation and checks that it has our format and
// contains as many documents as its last batch recorded.
func (g *generation) open() error {
	if err := g.start(); err != nil {
		return err
	}
	if err := guard(g.check); err != nil {
		return errors.Join(err, g.close())
	}
	return nil
}

func (g *generation) check() error {
	snap, err := g.snapshot()
	if err != nil {
		return err
	}
	defer snap.Close()
	docs, _ := snap.DocCount()
	t, err := readTotals(snap)
	if err != nil {
		return err
	}
	if f, _ := snap.GetInternal(formatKey); string(f) != format {
		return fmt.Errorf("check format: got %q, want %q", f, format)
	}
	if docs != t.docs {
		return fmt.Errorf("count documents: got %d, want %d", docs, t.docs)
	}
	stale, err := snap.GetInternal(staleKey)
	if err != nil {
		return err
	}
	g.stale = len(stale) > 0
	watermark, err := snap.GetInternal(watermarkKey)
	g.watermark = slices.Clone(watermark)
	return err
}

// analysers are the goroutines that bleve prepares documents with. All indexes
// share them, as they do where bleve itself opens an index.
var analysers = sync.OnceValue(func() *bleveindex.AnalysisQueue { return bleveindex.NewAnalysisQueue(4) })

// start opens bleve's storage, or creates it, under guard, because damaged
// files can make it return an error, panic or wait forever. It bypasses
// bleve's own front, which would link every kind of index and query (7.7 MB).
func (g *generation) start() error {
	registerCallback()
	store := g.store()
	generations.Store(store, g)
	err := within(openTimeout, func() error {
		config := map[string]any{"path": store, "bolt_timeout": lockTimeout, "asyncErrorCallbackName": callbackName, "eventCallbackName": callbackName}
		idx, err := scorch.NewScorch(scorch.Name, config, analysers())
		if err != nil {
			return err
		}
		core, ok := idx.(*scorch.Scorch)
		if !ok {
			return fmt.Errorf("check type: got %T, want *scorch.Scorch", idx)
		}
		g.idx, g.core = idx, core
		generations.Store(core, g)
		return core.Open()
	})
	if err != nil {
		g.unregister()
	}
	return err
}

// unregister ends that bleve's goroutines find the generation.
func (g *generation) unregister() {
	generations.Delete(g.store())
	generations.Delete(g.core)
}

// store returns where bleve stores the index, which is in memory if that is "".
func (g *generation) store() string {
	if g.inMemory != nil {
		return ""
	}
	return filepath.Join(g.dir, "store")
}

func (g *generation) close() error {
	g.unregister()
	err := within(closeTimeout, g.idx.Close)
	if err == nil {
		g.merging.End() // what was being merged was given up
	}
	return err
}

// apply writes a batch. When one of bleve's goroutines has died, bleve waits
// forever, so damage to the generation ends the wait.
func (g *generation) apply(batch *bleveindex.Batch) error {
	select {
	case <-g.dead:
		return g.cause
	default:
	}
	done := make(chan error, 1)
	go func() { done <- guard(func() error { return g.idx.Batch(batch) }) }()
	select {
	case err := <-done:
		return err
	case <-g.dead:
		return g.cause
	}
}

func (g *generation) snapshot() (*scorch.IndexSnapshot, error) {
	reader, err := g.core.Reader()
	if err != nil {
		return nil, err
	}
	snap, ok := reader.(*scorch.IndexSnapshot)
	if !ok || snap == nil {
		return nil, errClosed
	}
	return snap, nil
}

// markDead records that the generation is damaged, with the first cause.
func (g *generation) markDead(cause error) {
	g.once.Do(func() {
		g.cause = cause
		close(g.dead)
	})
}

// generations maps a folder, and the bleve index in it, to its open generation, to
// which an error or an event of bleve's background goroutines then belongs. bleve
// looks up the callbacks by name in a process-wide table and passes them only these.
var generations sync.Map

var registerCallback = sync.OnceFunc(func() {
	scorch.RegistryAsyncErrorCallbacks[callbackName] = func(err error, dir string) {
		g, ok := generations.Load(dir)
		if !ok || errors.Is(err, scorch.ErrCleanup) { // leftover old files do no harm
			return
		}
		g.(*generation).report(g.(*generation), err)
	}
	// bleve's background goroutines turn panics into such errors, and ask before
	// they read mapped files: from then on, a fault is a panic for them too.
	scorch.RegistryEventCallbacks[callbackName] = func(e scorch.Event) bool {
		debug.SetPanicOnFault(true)
		if g, ok := generations.Load(e.Scorch); ok {
			g.(*generation).giveWay(e.Kind)
		}
		return true
	}
})

// giveWay lets a merge wait until it may begin, and others when it has ended.
func (g *generation) giveWay(kind scorch.EventKind) {
	switch kind {
	case scorch.EventKindPreMergeCheck:
		g.merging.Next(context.Background())
	case scorch.EventKindMergerProgress:
		g.merging.End()
	}
}

// within runs f under guard and stops waiting after limit. If f never returns,
// its goroutine leaks, because nothing can end it.
func within(limit time.Duration, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- guard(f) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return errTimeout
	}
}

// guard runs f and turns its panics into errors, including the faults raised
// by reading beyond the end of a truncated mapped file.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

var errClosed = errors.New("index is closed")
