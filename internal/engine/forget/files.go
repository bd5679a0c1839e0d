package forget

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/system/regular"
)

// Report is the file of the data folder with what recollect prove came to: a line of counts, then one for each finding.
const Report = "proof.jsonl"

// CutReport removes the findings that have traces. The counts in the first line have none.
func (t Traces) CutReport(home string) error {
	names := slices.Concat(slices.Collect(maps.Keys(t.IDs)), slices.Collect(maps.Keys(t.Sessions)))
	isFirst := true
	_, err := Cut(filepath.Join(home, Report), func(line []byte) bool {
		if isFirst {
			isFirst = false
			return false
		}
		hasName := func(name string) bool { return bytes.Contains(line, []byte(`"`+name+`"`)) }
		return t.In(line) || slices.ContainsFunc(names, hasName)
	})
	return err
}

// CutLogs removes the lines that drop selects from the daemon's own logs, and returns
// how many they are.
func CutLogs(home string, drop func(line []byte) bool) (int, error) {
	dropped := 0
	for _, name := range []string{"daemon.log", "daemon.log.1", "daemon.died"} {
		n, err := Cut(filepath.Join(home, name), drop)
		if dropped += n; err != nil {
			return dropped, err
		}
	}
	return dropped, nil
}

// InLog reports whether a line of the daemon's own logs has traces. All lines at debug
// level may have: only those contain prompts and texts.
func (t Traces) InLog(line []byte) bool {
	return bytes.Contains(line, []byte(" level=DEBUG ")) || t.In(line)
}

// maxLog is the most that a log of the daemon may have, in bytes: it is moved aside long
// before.
const maxLog = 256 << 20

// Cut removes the lines that drop selects from a file, in place, because another process
// may have it open to append to. It returns how many they are.
func Cut(path string, drop func(line []byte) bool) (int, error) {
	old, err := regular.Read(path, maxLog)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	dropped := 0
	var kept []byte
	for line := range bytes.Lines(old) {
		if drop(line) {
			dropped++
			continue
		}
		kept = append(kept, line...)
	}
	if dropped == 0 {
		return 0, nil
	}
	f, err := regular.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	if _, err = f.WriteAt(kept, 0); err == nil {
		err = f.Truncate(int64(len(kept)))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, fmt.Errorf("forget: %w", err)
	}
	return dropped, nil
}

// maxLeft is the size up to which a file is searched for remaining words, in bytes.
const maxLeft = 64 << 20

// Left lists the user's own files in the data folder, such as copies and settings, that
// still have the words to forget. It lists none if other conditions narrowed the
// selection, because then the words may rightly remain elsewhere.
func (sel *Selection) Left(home string) []string {
	left := []string{}
	if sel.raw == nil || sel.isNarrowed() {
		return left
	}
	filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone meanwhile
		}
		if e.IsDir() && slices.Contains([]string{filepath.Join(home, "index"), filepath.Join(home, "vectors")}, path) {
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
