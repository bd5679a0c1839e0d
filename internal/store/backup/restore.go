package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/system/durable"
)

// A restore works in a subfolder of the data folder. It unpacks the archive into "new", and moves the
// files that it replaces to "moving", which it renames to "old" when the new files are in place. It then
// renames the subfolder from unfinished to finished. After a crash, these names show how far the restore
// had come.
const (
	unfinished   = ".restore"
	finished     = ".restored"
	newFolder    = "new"
	movingFolder = "moving"
	oldFolder    = "old"
)

// ErrUnfinished means that an earlier restore was interrupted. The caller should tell the user, who
// can undo it.
var ErrUnfinished = errors.New("an earlier restore was interrupted")

// A LeftError means that the files replaced by an earlier restore are still there, because no daemon has
// opened the restored ones. The caller should tell the user, who may want them.
type LeftError struct{ Path string }

func (e *LeftError) Error() string { return "what an earlier restore replaced is still in " + e.Path }

// derived lists the files and folders that are made from the logs and settings, and replaced with them.
var derived = []string{logsFolder, "index", "vectors", "sessions", "recollections", ".config.toml.good", ".synonyms.toml.good"}

// Holds reports whether a data folder has anything worth keeping that a restore would replace: memories,
// settings, or records of what was injected or forgotten. Counts and times alone do not matter.
func Holds(home string) (bool, error) {
	s, err := Open(home)
	if err != nil {
		return false, err
	}
	defer s.Close()
	return slices.ContainsFunc(s.files, func(m member) bool { return m.size > 0 && !strings.HasSuffix(m.name, ".json") }), nil
}

// Stage verifies an archive and unpacks it into the data folder without putting it to use.
func Stage(ctx context.Context, r io.ReadSeeker, home string) (Manifest, error) {
	m, err := Verify(ctx, r)
	if err != nil {
		return m, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return m, err
	}
	if _, done := Left(home); done {
		return m, &LeftError{Replaced(home)}
	}
	dir := filepath.Join(home, unfinished)
	if err := os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		return m, ErrUnfinished
	} else if err != nil {
		return m, err
	}
	if err := os.Mkdir(filepath.Join(dir, movingFolder), 0o700); err != nil {
		return m, errors.Join(err, Discard(home))
	}
	if _, err := extract(ctx, r, filepath.Join(dir, newFolder)); err != nil {
		return m, errors.Join(err, Discard(home))
	}
	return m, nil
}

// Discard removes what Stage unpacked.
func Discard(home string) error { return os.RemoveAll(filepath.Join(home, unfinished)) }

// Swap replaces the current files with the staged ones and keeps the old files. If it fails, nothing has
// changed. Only the owner of the data folder may call it.
func Swap(home string) error {
	if err := swap(home); err != nil {
		return errors.Join(fmt.Errorf("put the files in place: %w", err), Undo(home))
	}
	return nil
}

func swap(home string) error {
	dir := filepath.Join(home, unfinished)
	moving := filepath.Join(dir, movingFolder)
	if err := moveAll(home, moving, replaced); err != nil {
		return err
	}
	if err := os.Rename(moving, filepath.Join(dir, oldFolder)); err != nil {
		return err
	}
	if err := moveAll(filepath.Join(dir, newFolder), home, replaced); err != nil {
		return err
	}
	if err := durable.SyncFolder(home); err != nil {
		return err
	}
	return os.Rename(dir, filepath.Join(home, finished))
}

// replaced reports whether a restore replaces this file or folder.
func replaced(name string) bool { return belongs(name) || slices.Contains(derived, name) }

// moveAll moves the files that which selects from one folder to another.
func moveAll(from, to string, which func(name string) bool) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !which(e.Name()) {
			continue
		}
		if err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Left reports whether traces of a restore remain, of one that was interrupted or one that was done.
func Left(home string) (interrupted, done bool) {
	_, err := os.Lstat(filepath.Join(home, unfinished))
	_, doneErr := os.Lstat(filepath.Join(home, finished))
	return err == nil, doneErr == nil
}

// Recover undoes a restore that was interrupted while it moved files, and reports whether it did. It
// leaves a restore alone that has only unpacked its archive, because that may still be running. Only the
// owner of the data folder may call it, before using anything there.
func Recover(home string) (bool, error) {
	dir := filepath.Join(home, unfinished)
	_, err := os.Lstat(filepath.Join(dir, oldFolder))
	moved, _ := os.ReadDir(filepath.Join(dir, movingFolder))
	if err != nil && len(moved) == 0 {
		return false, nil
	}
	return true, Undo(home)
}

// Undo puts the replaced files back after an interrupted restore, and removes the unpacked archive. Only
// the owner of the data folder may call it.
func Undo(home string) error {
	dir := filepath.Join(home, unfinished)
	if err := putBack(home, dir); err != nil {
		return fmt.Errorf("undo a restore: %w; what was there before is in %s", err, dir)
	}
	return Discard(home)
}

func putBack(home, dir string) error {
	old := filepath.Join(dir, oldFolder)
	if _, err := os.Lstat(old); errors.Is(err, fs.ErrNotExist) { // no file of the archive is in place yet
		return existing(moveAll(filepath.Join(dir, movingFolder), home, replaced))
	}
	if err := moveAll(home, filepath.Join(dir, newFolder), replaced); err != nil {
		return err
	}
	if err := moveAll(old, home, replaced); err != nil {
		return err
	}
	return durable.SyncFolder(home)
}

// existing returns err unless it says that a file does not exist.
func existing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Finish removes the files that a restore replaced.
func Finish(home string) error { return os.RemoveAll(filepath.Join(home, finished)) }

// Replaced returns the folder that holds the files replaced by a restore.
func Replaced(home string) string { return filepath.Join(home, finished, oldFolder) }
