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
	// lockTimeout limits the wait for an index that another process has open. By default bolt waits
	// forever.
	lockTimeout = "1s"

	// openTimeout is far above the half second that opening a million documents from a cold disk takes.
	// Damaged files can make bleve wait forever for a goroutine that has died.
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
	watermark []byte // at the time of opening
	stale     bool   // at the time of opening
	inMemory  error  // why it has no files, nil if it has

	once  sync.Once
	dead  chan struct{} // closed when the generation proves damaged
	cause error         // why; valid once dead is closed
}

// initialize marks an index as new, because bleve opens damaged files as if they were empty. It bypasses
// apply: a report of damage may concern a deleted generation whose folder had the same name, and real
// damage shows at the next use.
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

// open opens an existing generation and checks that it has our format and the number of documents that
// its last batch recorded.
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

// analysers are the goroutines in which bleve prepares documents. All indexes share them, as they do in
// bleve itself.
var analysers = sync.OnceValue(func() *bleveindex.AnalysisQueue { return bleveindex.NewAnalysisQueue(4) })

// start opens or creates bleve's storage. It does so under guard, because damaged files can make bleve
// return an error, panic or wait forever. It bypasses bleve's main package, which would link every kind
// of index and query (7.7 MB).
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

// unregister hides the generation from bleve's goroutines.
func (g *generation) unregister() {
	generations.Delete(g.store())
	generations.Delete(g.core)
}

// store returns the folder in which bleve stores the index, or "" for an index in memory.
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
		g.merging.End() // a running merge was given up
	}
	return err
}

// apply writes a batch. If one of bleve's goroutines has died, bleve waits forever; markDead then ends
// the wait.
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

// generations maps a folder, and the bleve index in it, to its open generation. bleve looks up its
// callbacks by name in a process-wide table and passes them only a folder or an index; the map tells
// which generation an error or event belongs to.
var generations sync.Map

var registerCallback = sync.OnceFunc(func() {
	scorch.RegistryAsyncErrorCallbacks[callbackName] = func(err error, dir string) {
		g, ok := generations.Load(dir)
		if !ok || errors.Is(err, scorch.ErrCleanup) { // leftover files do no harm
			return
		}
		g.(*generation).report(g.(*generation), err)
	}
	// bleve's goroutines turn panics into such errors. This callback also runs before they read mapped
	// files, and makes faults panic.
	scorch.RegistryEventCallbacks[callbackName] = func(e scorch.Event) bool {
		debug.SetPanicOnFault(true)
		if g, ok := generations.Load(e.Scorch); ok {
			g.(*generation).giveWay(e.Kind)
		}
		return true
	}
})

// giveWay makes a merge wait until it may begin, and lets the next one begin when it has ended.
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
