package index

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"

	"recollect/internal/system/logkey"
	"recollect/internal/system/traffic"
)

// errOpenElsewhere means that another process has the index open in spite of the lock of the data folder.
var errOpenElsewhere = errors.New("another process has it open")

// A folder holds the generations of an index, each in a numbered folder of its
// own.
type folder struct {
	dir    string
	log    *slog.Logger
	way    *traffic.Traffic         // merges give way to its requests
	report func(*generation, error) // called when a generation proves damaged
}

// openNewest opens the generation with the highest number and deletes the others. If it cannot be used,
// openNewest creates the next one.
func (f *folder) openNewest() (*generation, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, err
	}
	numbers, err := f.numbers()
	if err != nil {
		return nil, err
	}
	if len(numbers) == 0 {
		return f.create()
	}
	g := f.newGeneration(slices.Max(numbers))
	err = g.open()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) {
		return nil, err // it may be usable another time
	}
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, errOpenElsewhere
	}
	if err != nil {
		f.log.Warn("index unusable, starting a new one", logkey.Dir, g.dir, logkey.Cause, err)
		if g, err = f.create(); err != nil {
			return nil, err
		}
	}
	f.sweep(g.number)
	return g, nil
}

// numbers lists the generations in the folder, usable or not.
func (f *folder) numbers() ([]int, error) {
	entries, err := os.ReadDir(f.dir)
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

// sweep deletes all generations but one. Files that cannot be deleted yet, such as those that Windows
// still maps, are deleted the next time.
func (f *folder) sweep(current int) {
	numbers, _ := f.numbers()
	for _, n := range numbers {
		if n != current {
			if err := os.RemoveAll(f.path(n)); err != nil {
				f.log.Warn("old index not deleted", logkey.Dir, f.path(n), logkey.Cause, err)
			}
		}
	}
}

func (f *folder) path(number int) string { return filepath.Join(f.dir, strconv.Itoa(number)) }

func (f *folder) newGeneration(number int) *generation {
	return &generation{dir: f.path(number), number: number, report: f.report, merging: f.way.Work(), caches: newCaches(), dead: make(chan struct{})}
}

// create makes an empty generation with the next free number.
func (f *folder) create() (*generation, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil { // it may have been deleted
		return nil, err
	}
	numbers, err := f.numbers()
	if err != nil {
		return nil, err
	}
	g := f.newGeneration(slices.Max(append(numbers, 0)) + 1)
	if err := g.create(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(g.dir))
	}
	return g, nil
}

// createInMemory makes an empty generation that has no files.
func (f *folder) createInMemory(cause error) (*generation, error) {
	f.log.Warn("index is kept in memory", logkey.Dir, f.dir, logkey.Cause, cause)
	g := f.newGeneration(0)
	g.inMemory = cause
	return g, g.create()
}
