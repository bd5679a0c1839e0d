package forget

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/regular"
)

// CutLogs removes the traces of forgotten memories, and all lines at debug level, from
// the daemon's own logs: only those lines contain prompts and texts.
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

// maxLog is the most that a log of the daemon may have, in bytes: it is moved aside long
// before.
const maxLog = 256 << 20

// cut removes the lines that drop selects from a file, in place, because another process
// has it open to append to.
func cut(path string, drop func(line []byte) bool) error {
	old, err := regular.Read(path, maxLog)
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
	f, err := regular.OpenFile(path, os.O_WRONLY, 0)
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

// maxLeft is the size up to which a file is searched for remaining words, in bytes.
const maxLeft = 64 << 20

// Left lists the user's own files in the data folder, such as copies and settings, that
// still have the words to forget. It lists none if other conditions narrowed the
// selection, because then the words may rightly remain elsewhere.
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
			return filepath.SkipDir // has no text
		}
		if fi, err := e.Info(); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxLeft {
			return nil
		}
		if b, err := regular.Read(path, maxLeft); err == nil && sel.raw.Match(b) {
			left = append(left, path)
		}
		return nil
	})
	return left
}
