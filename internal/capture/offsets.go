package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"recollect/internal/system/durable"
)

// offsets stores how far each transcript was read, in one small file each. Losing
// them costs time, not memories: what is read again is found to be stored.
type offsets struct{ dir string }

// An offset is how far a transcript was read. Sum and Tail are the CRC-32 of
// what the file began with and of what lay before Offset, so that another file
// under the same path is noticed, and one that was cut and has grown again.
type offset struct {
	Path   string `json:"path"`
	Offset int64  `json:"offset"`          // where the last turn begins
	End    int64  `json:"end"`             // what was read of it
	Tried  int64  `json:"tried,omitempty"` // what a capture was about to store beyond End; it may have been killed
	Head   int64  `json:"head"`            // bytes under Sum
	Sum    uint32 `json:"sum"`
	Tail   uint32 `json:"tail"` // of as many bytes
}

// headSize is how much of a transcript's beginning, and of what was read last,
// stands for all of it: records hold ids and times.
const headSize = 4096

const offsetPrefix = "offset-"

// load returns how far path, which is open as f, was read: nothing when it is
// new, was cut, or is not the file it was.
func (o offsets) load(f *os.File, path string) offset {
	was, ok := o.read(o.file(path))
	if !ok || was.Path != path {
		return offset{}
	}
	fi, err := f.Stat()
	if err != nil || fi.Size() < was.Offset || was.Offset < 0 {
		return offset{}
	}
	head, tail, err := sumsOf(f, was.Head, was.Offset)
	if err != nil || head != was.Sum || tail != was.Tail {
		return offset{}
	}
	return was
}

// save stores how far path, which is open as f, was read: its last turn begins at to, and was read
// up to end.
func (o offsets) save(f *os.File, path string, to, end int64) error {
	is := offset{Path: path, Offset: to, End: end, Head: min(to, headSize)}
	var err error
	if is.Sum, is.Tail, err = sumsOf(f, is.Head, is.Offset); err != nil {
		return fmt.Errorf("keep offset: %w", err)
	}
	return o.write(is)
}

// try stores that what path has up to end is about to be stored, and may be stored in part
// if the daemon is killed. was is how far it was read before.
func (o offsets) try(path string, was offset, end int64) error {
	was.Path, was.Tried = path, max(was.Tried, end)
	return o.write(was)
}

// hasGrown reports whether a turn was known in part, and has grown since.
func (is offset) hasGrown(start, stop int64) bool {
	return start < max(is.End, is.Tried) && is.End < stop
}

// read reads one of the small files.
func (o offsets) read(file string) (offset, bool) {
	var was offset
	err := durable.NewState(file).Read(&was)
	return was, err == nil
}

func (o offsets) write(is offset) error {
	file := durable.NewState(o.file(is.Path))
	if err := file.Read(new(offset)); errors.Is(err, durable.ErrNewer) {
		return nil
	}
	if err := file.Write(is); err != nil {
		return fmt.Errorf("keep offset: %w", err)
	}
	return nil
}

func (o offsets) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(o.dir, offsetPrefix+hex.EncodeToString(sum[:12])+".json")
}

// sumsOf returns the CRC-32 of the first n bytes of a file, and of the n bytes
// before to.
func sumsOf(f *os.File, n, to int64) (head, tail uint32, err error) {
	if head, err = sumOf(f, 0, n); err != nil {
		return 0, 0, err
	}
	tail, err = sumOf(f, to-n, n)
	return head, tail, err
}

func sumOf(f *os.File, from, n int64) (uint32, error) {
	h := crc32.NewIEEE()
	if _, err := io.CopyN(h, io.NewSectionReader(f, from, n), n); err != nil {
		return 0, err
	}
	return h.Sum32(), nil
}
