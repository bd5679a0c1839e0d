package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"
	berrors "go.etcd.io/bbolt/errors"
)

const (
	// lockTimeout bounds the wait for the lock of an index that another
	// process has open; by default bolt waits for ever.
	lockTimeout = "1s"

	// openTimeout is far above the half second that a million documents
	// take to open from a cold disk. Damaged files can make bleve wait for
	// a goroutine that has died.
	openTimeout = 10 * time.Second

	// closeTimeout gives a merge that is under way the time to stop.
	closeTimeout = 5 * time.Second

	callbackName = "recollect.index"
)

var errBusy = errors.New("no answer in time")

// A generation is one bleve index in a folder of its own.
type generation struct {
	dir    string
	number int
	report func(*generation, error)
	caches caches

	idx       bleveindex.Index
	core      *scorch.Scorch
	watermark []byte // as found when it was opened
	stale     bool   // likewise

	once  sync.Once
	dead  chan struct{} // closed when the generation proves damaged
	cause error         // why; valid once dead is closed
}

// openNewest opens the generation with the highest number and deletes the
// others, or begins the next one when it cannot be used.
func (x *Index) openNewest() (*generation, error) {
	if err := os.MkdirAll(x.dir, 0o700); err != nil {
		return nil, err
	}
	numbers, err := x.numbers()
	if err != nil {
		return nil, err
	}
	if len(numbers) == 0 {
		return x.begin()
	}
	g := x.newGeneration(slices.Max(numbers))
	err = g.open()
	if errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, errors.New("another process has it open")
	}
	if err != nil {
		x.log.Warn("index set aside", "dir", g.dir, "cause", err)
		if g, err = x.begin(); err != nil {
			return nil, err
		}
	}
	x.sweep(g.number)
	return g, nil
}

// numbers lists the generations in the folder, whatever their state.
func (x *Index) numbers() ([]int, error) {
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil && n > 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

// sweep deletes all generations but one. What cannot be deleted now, such as
// files that Windows still maps, goes the next time.
func (x *Index) sweep(keep int) {
	numbers, _ := x.numbers()
	for _, n := range numbers {
		if n != keep {
			if err := os.RemoveAll(x.path(n)); err != nil {
				x.log.Warn("old index not deleted", "dir", x.path(n), "cause", err)
			}
		}
	}
}

func (x *Index) path(number int) string { return filepath.Join(x.dir, strconv.Itoa(number)) }

func (x *Index) newGeneration(number int) *generation {
	return &generation{dir: x.path(number), number: number, report: x.damaged, caches: newCaches(), dead: make(chan struct{})}
}

// begin makes an empty generation with the next free number.
func (x *Index) begin() (*generation, error) {
	if err := os.MkdirAll(x.dir, 0o700); err != nil { // somebody deleted it
		return nil, err
	}
	numbers, err := x.numbers()
	if err != nil {
		return nil, err
	}
	g := x.newGeneration(slices.Max(append(numbers, 0)) + 1)
	if err := g.start(); err != nil {
		return nil, err
	}
	if err := within(openTimeout, g.found); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// found writes what tells an index without documents from one that has lost
// them: bleve opens damaged files as if they were empty.
func (g *generation) found() error {
	batch := bleveindex.NewBatch()
	batch.SetInternal(formatKey, []byte(format))
	batch.SetInternal(totalsKey, totals{}.encode())
	return g.apply(batch)
}

// open opens a generation that exists and checks that it is one of ours and
// holds the documents that its last batch counted.
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
		return fmt.Errorf("check format: it is %q, not %q", f, format)
	}
	if docs != t.docs {
		return fmt.Errorf("count documents: %d, not %d", docs, t.docs)
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

// start opens bleve's storage, or makes it where there is none, under guard:
// damaged files make it return an error, panic or wait for ever. It is opened
// without bleve's own front, which links every kind of index and query there
// is, 7.7 MB of them.
func (g *generation) start() error {
	registerCallback()
	store := filepath.Join(g.dir, "store")
	generations.Store(store, g)
	err := within(openTimeout, func() error {
		config := map[string]any{"path": store, "bolt_timeout": lockTimeout, "asyncErrorCallbackName": callbackName}
		idx, err := scorch.NewScorch(scorch.Name, config, analysers())
		if err != nil {
			return err
		}
		core, ok := idx.(*scorch.Scorch)
		if !ok {
			return fmt.Errorf("check type: it is %T", idx)
		}
		g.idx, g.core = idx, core
		return core.Open()
	})
	if err != nil {
		generations.Delete(store)
	}
	return err
}

func (g *generation) close() error {
	generations.Delete(filepath.Join(g.dir, "store"))
	return within(closeTimeout, g.idx.Close)
}

// apply writes a batch. A goroutine of bleve's that has died would let it
// wait for ever, so damage ends the wait.
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

func (g *generation) fail(cause error) {
	g.once.Do(func() {
		g.cause = cause
		close(g.dead)
	})
}

// generations finds the generation that an error of bleve's background
// goroutines belongs to: bleve takes the callback by name only, from a
// process-wide table, and tells it the folder.
var generations sync.Map

var registerCallback = sync.OnceFunc(func() {
	scorch.RegistryAsyncErrorCallbacks[callbackName] = func(err error, dir string) {
		g, ok := generations.Load(dir)
		if !ok || errors.Is(err, scorch.ErrCleanup) { // old files that stay harm nobody
			return
		}
		g.(*generation).report(g.(*generation), err)
	}
})

// within runs f under guard and gives up waiting after limit. The goroutine
// of an f that never returns is lost; nothing can end it.
func within(limit time.Duration, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- guard(f) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return errBusy
	}
}

// guard runs f and turns its panics into errors, those from reading a mapped
// file that is shorter than it says included.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
