// Package regular opens files that others may have put in place: regular files only, and without waiting.
// It never reads named pipes, because opening one blocks until somebody writes to it, or devices, which
// may have no end.
package regular

import (
	"fmt"
	"io"
	"os"
)

// Open opens the regular file at path, or the one that a link there leads to, for reading. It returns an
// error for anything else.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// OpenFile is os.OpenFile for a regular file. The file need not exist if flag has os.O_CREATE.
func OpenFile(path string, flag int, perm os.FileMode) (*os.File, error) {
	return open(path, os.Stat, func() (*os.File, error) { return os.OpenFile(path, flag|noWait, perm) })
}

// OpenIn opens the regular file with a name below root for reading.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return open(name, root.Stat, func() (*os.File, error) { return root.OpenFile(name, os.O_RDONLY|noWait, 0) })
}

// open checks the file before opening it, because opening a device may already have an effect, and again
// afterwards, because another file may have taken its place.
func open(path string, stat func(string) (os.FileInfo, error), open func() (*os.File, error)) (*os.File, error) {
	if fi, err := stat(path); err == nil {
		if err := check(path, fi); err != nil {
			return nil, err
		}
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil {
		err = check(path, fi)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func check(path string, fi os.FileInfo) error {
	if !fi.Mode().IsRegular() {
		return &os.PathError{Op: "open", Path: path, Err: fmt.Errorf("is %s, not a file", kindOf(fi.Mode()))}
	}
	return nil
}

func kindOf(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// From returns the present content of f from an offset on. It leaves out what is written to f meanwhile,
// and returns nothing for files of the system that have no size and no end.
func From(f *os.File, offset int64) (*io.SectionReader, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(f, offset, max(0, fi.Size()-offset)), nil
}

// Read returns the content of the regular file at path. It returns an error for a file of more than limit
// bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := ReadAll(f, limit)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return b, nil
}

// ReadAll reads r to its end. It returns an error if that is more than limit bytes.
func ReadAll(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, fmt.Errorf("has more than %s", size(limit))
	}
	return b, err
}

func size(n int64) string {
	for _, unit := range []string{"bytes", "KiB", "MiB"} {
		if n < 1<<10 || n%(1<<10) != 0 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n >>= 10
	}
	return fmt.Sprintf("%d GiB", n)
}
