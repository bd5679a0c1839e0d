package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
)

const (
	suffix    = ".vectors"
	newSuffix = ".new"

	// compactRows is the number of rows in one batch of a compacted file.
	compactRows = 4096
)

// A generation is one open file of vectors.
type generation struct {
	table
	path   string
	number int
	file   *os.File
	end    int64  // end of the last batch
	mapped []byte // the file up to the end of some batch, for reading
}

// openNewest opens the generation with the highest number and deletes the others. If it cannot be used,
// openNewest creates the next one.
func (f *File) openNewest() (*generation, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, err
	}
	numbers, err := f.numbers()
	if err != nil {
		return nil, err
	}
	if len(numbers) == 0 {
		return f.begin(nil)
	}
	g, err := f.open(slices.Max(numbers))
	if errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if err != nil {
		f.log.Warn("vectors unusable, starting a new file", logkey.File, f.path(slices.Max(numbers)), logkey.Cause, err)
		if g, err = f.begin(nil); err != nil {
			return nil, err
		}
	}
	f.sweep(g.number)
	return g, nil
}

// numbers lists the generations in the folder, usable or not.
func (f *File) numbers() ([]int, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, e := range entries {
		name, ours := strings.CutSuffix(e.Name(), suffix)
		if n, err := strconv.Atoi(name); ours && err == nil && n > 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

func (f *File) path(number int) string {
	return filepath.Join(f.dir, strconv.Itoa(number)+suffix)
}

// sweep deletes all generations but the current one, and incomplete new files. Files that cannot be
// deleted yet are deleted the next time.
func (f *File) sweep(current int) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		f.log.Warn("old vectors not deleted", logkey.File, f.dir, logkey.Cause, err)
		return
	}
	for _, e := range entries {
		path := filepath.Join(f.dir, e.Name())
		old := strings.HasSuffix(path, suffix) && path != f.path(current)
		if old || strings.HasSuffix(path, suffix+newSuffix) {
			if err := os.Remove(path); err != nil {
				f.log.Warn("old vectors not deleted", logkey.File, path, logkey.Cause, err)
			}
		}
	}
}

// begin creates and opens the next generation, with the live rows of from, or empty if from is nil. The
// file gets its final name only when it is complete.
func (f *File) begin(from *generation) (*generation, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil { // it may have been deleted
		return nil, err
	}
	numbers, err := f.numbers()
	if err != nil {
		return nil, err
	}
	number := slices.Max(append(numbers, 0)) + 1
	path := f.path(number)
	err = durable.Replace(path, path+newSuffix, func(file *os.File) error { return f.fill(file, from) })
	if err != nil {
		return nil, err
	}
	return f.open(number)
}

// fill writes the header of a new generation and the live rows of from.
func (f *File) fill(file *os.File, from *generation) error {
	_, err := file.Write(encodeHeader(f.version, f.dims))
	if err == nil && from != nil {
		err = guard(func() error { return from.copyTo(file) })
	}
	return err
}

// open opens the generation with this number and reads all of it.
func (f *File) open(number int) (*generation, error) {
	path := f.path(number)
	file, err := regular.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		file, err = regular.Open(path) // a read-only file can still be searched
	}
	if err != nil {
		return nil, err
	}
	g := &generation{path: path, number: number, file: file}
	if err := f.load(g); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// load reads the file of g up to the first damaged batch and cuts off the rest.
func (f *File) load(g *generation) error {
	fi, err := g.file.Stat()
	if err != nil {
		return err
	}
	header := encodeHeader(f.version, f.dims)
	if fi.Size() < int64(len(header)) {
		return fmt.Errorf("file of %d bytes is shorter than its header", fi.Size())
	}
	if g.mapped, err = mapFile(g.file, fi.Size()); err != nil {
		return err
	}
	return guard(func() error {
		if !bytes.Equal(g.mapped[:len(header)], header) {
			return fmt.Errorf("not made by version %s with %d dimensions", f.version, f.dims)
		}
		g.table, g.end = newTable(f.dims, fi.Size()), int64(len(header))
		for g.end < fi.Size() {
			b, err := decode(g.mapped[g.end:], g.stride)
			if err != nil {
				f.log.Warn("damaged end of vectors cut off", logkey.File, g.path, logkey.Bytes, fi.Size()-g.end, logkey.Cause, err)
				return g.truncate(err)
			}
			g.table.add(b, g.end)
			g.end += int64(len(b.raw))
		}
		return nil
	})
}

// truncate removes everything after the last good batch. Without a watermark it returns cause instead:
// the damaged batch may have contained deletions, and nothing would show that they must be repeated.
func (g *generation) truncate(cause error) error {
	if g.watermark == nil {
		return cause
	}
	if err := unmapFile(g.mapped); err != nil { // Windows cannot truncate a mapped file
		return err
	}
	g.mapped = nil
	if err := g.file.Truncate(g.end); err != nil {
		return err
	}
	return g.remap()
}

// write durably appends b after the last batch, or leaves the file unchanged.
func (g *generation) write(b *batch) error {
	_, err := g.file.WriteAt(b.raw, g.end)
	if err == nil {
		err = g.file.Sync()
	}
	if err == nil {
		return nil
	}
	// If truncating fails too, the next batch overwrites the rest.
	return errors.Join(err, g.file.Truncate(g.end))
}

// add puts the written batch b into use. Its bytes stay in memory until the next remap. The caller holds
// mu.
func (g *generation) add(b *batch) {
	g.table.add(b, g.end)
	g.end += int64(len(b.raw))
	g.unmapped += len(b.raw)
}

// remap maps the whole file and releases the batches in memory. The caller holds mu, unless g is not
// shared yet.
func (g *generation) remap() error {
	mapped, err := mapFile(g.file, g.end)
	if err != nil {
		return err
	}
	old := g.mapped
	g.mapped, g.unmapped = mapped, 0
	g.table.rebind(mapped)
	return unmapFile(old)
}

// copyTo writes the live rows of g as batches; the last has the watermark.
func (g *generation) copyTo(file *os.File) error {
	rows := g.live()
	for {
		n := min(compactRows, len(rows))
		var mark []byte
		if n == len(rows) {
			mark = g.watermark
		}
		if _, err := file.Write(g.batchOf(rows[:n], mark).raw); err != nil || n == len(rows) {
			return err
		}
		rows = rows[n:]
	}
}

func (g *generation) close() error {
	err := unmapFile(g.mapped)
	g.mapped = nil
	return errors.Join(err, g.file.Close())
}

// compact replaces the current generation by one without dead rows. The caller holds writing.
func (f *File) compact() error {
	return f.replace(f.generation())
}

// replace creates a generation with the live rows of from, or an empty one if from is nil, and makes it
// the current one. The caller holds writing.
func (f *File) replace(from *generation) error {
	next, err := f.begin(from)
	if err != nil {
		return err
	}
	if err := f.setCurrent(next); err != nil {
		f.log.Warn("old vectors not closed", logkey.File, f.dir, logkey.Cause, err)
	}
	f.sweep(next.number)
	return nil
}
