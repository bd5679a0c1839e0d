package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// readLines calls each for every line of a JSON Lines file in dir. The file is called name, or name with
// ".gz" if it is compressed. Fields that T lacks are ignored. An error names the file and the line.
func readLines[T any](dir, name string, each func(T) error) error {
	path := filepath.Join(dir, name)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		path += ".gz"
		f, err = os.Open(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: there is neither %s nor %s.gz: %w", dir, name, name, fs.ErrNotExist)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	defer f.Close()
	var r io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
	}
	if n, err := scan(r, each); err != nil {
		return fmt.Errorf("read %s:%d: %w", path, n, err)
	}
	return nil
}

// scan reads r line by line and returns the number of the last one.
func scan[T any](r io.Reader, each func(T) error) (int, error) {
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return n, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var v T
			if err := json.Unmarshal(line, &v); err != nil {
				return n, err
			}
			if err := each(v); err != nil {
				return n, err
			}
		}
		if err == io.EOF {
			return n, nil
		}
	}
}
