package forget

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CutLogs removes from the daemon's own logs what they may have of a
// forgotten memory: prompts and texts stand in the lines for debugging alone.
func CutLogs(home string, t Traces) error {
	for _, name := range []string{"daemon.log", "daemon.log.1"} {
		err := cut(filepath.Join(home, name), func(line []byte) bool {
			return bytes.Contains(line, []byte(" level=DEBUG ")) || t.In(line)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cut removes the lines that drop names from a file that somebody has open to
// append to, in place.
func cut(path string, drop func(line []byte) bool) error {
	old, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	var kept []byte
	for line := range bytes.Lines(old) {
		if !drop(line) {
			kept = append(kept, line...)
		}
	}
	if len(kept) == len(old) {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	if _, err = f.WriteAt(kept, 0); err == nil {
		err = f.Truncate(int64(len(kept)))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	return nil
}

// maxLeft is the size up to which a file is searched for words that are left,
// in bytes.
const maxLeft = 64 << 20

// Left lists the files in the data folder that still have the words that
// somebody wanted gone, but belong to that person: copies, settings. Where
// other conditions narrowed the words down they may well stay elsewhere.
func (sel *Selection) Left(home string) []string {
	left := []string{}
	if sel.raw == nil || !sel.project.Zero() || sel.session != "" || sel.source != "" || !sel.before.IsZero() {
		return left
	}
	filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone meanwhile
		}
		if e.IsDir() && filepath.Dir(path) == home && (e.Name() == "index" || e.Name() == "vectors") {
			return filepath.SkipDir // no text, but by chance
		}
		if fi, err := e.Info(); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxLeft {
			return nil
		}
		if b, err := os.ReadFile(path); err == nil && sel.raw.Match(b) {
			left = append(left, path)
		}
		return nil
	})
	return left
}
