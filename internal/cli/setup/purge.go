package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/daemon/lease"
	"recollect/internal/system/durable"
)

// ownNames are the files and folders in a data folder that recollect makes, or that users
// write for it: see docs/storage.md.
var ownNames = []string{
	"config.toml", "synonyms.toml", ".config.toml.good", ".synonyms.toml.good", "memories", "forgotten.jsonl", "usage.jsonl", "verdicts.json", "proof.jsonl", "outcomes.jsonl", "trial.jsonl", "stats.json",
	"retention.json", "reconsidered.json", "import.json", "statusline.json", "bin", "projects.json", "moves.json", "index", "vectors", "sessions", "recollections", "recollect.sock",
	"daemon.lock", "daemon.host", "daemon.log", "daemon.log.1", "starting", "pauses.json", "guards.json", "incognito", "review.json", ".restore", ".restored",
	"team.json", "stream.json", "outbox.jsonl", "connections", "writer", "writer.place", "conflicts.json", "sync", "sync.key",
	"skipped.json", "reading.json", "daemon.crash", "daemon.died",
}

// A dataFolder is a folder that has data of recollect and nothing else.
type dataFolder struct {
	path string // as the user names it
	real string // path without links
}

// findData returns the data folder at path, nil if there is none. It returns an error if path is
// something else or has other files.
func findData(path string) (*dataFolder, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the data folder: %w", err)
	}
	if err := lease.Check(real, time.Now()); err != nil {
		return nil, fmt.Errorf("nothing deleted: %w", err)
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		return nil, fmt.Errorf("read the data folder: %w", err)
	}
	if holdsHome(real) {
		return nil, fmt.Errorf("%s holds your home folder: nothing deleted", path)
	}
	lock, err := os.Lstat(filepath.Join(real, "daemon.lock"))
	if err != nil || !lock.Mode().IsRegular() {
		return nil, fmt.Errorf("%s does not look like a data folder of recollect: nothing deleted", path)
	}
	for _, e := range entries {
		if !isOwn(real, e) {
			return nil, fmt.Errorf("%s has %s, which is not recollect's: nothing deleted", path, e.Name())
		}
	}
	return &dataFolder{path, real}, nil
}

// isOwn reports whether an entry of a data folder is recollect's. A link is not, because it may lead to
// something else.
func isOwn(dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink != 0 {
		return false
	}
	if e.Name() == "bin" {
		inside, err := os.ReadDir(filepath.Join(dir, "bin"))
		return err == nil && !slices.ContainsFunc(inside, func(e fs.DirEntry) bool { return e.Name() != "recollect" && e.Name() != HookName() })
	}
	return slices.Contains(ownNames, e.Name()) || strings.HasPrefix(e.Name(), durable.TempPrefix)
}

// holdsHome reports whether a folder is a root, or is or contains the user's home folder.
func holdsHome(dir string) bool {
	if filepath.Dir(dir) == dir {
		return true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	rel, err := filepath.Rel(dir, home)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// purgeFolder deletes the folder. It checks the content again, because a daemon has ended since.
func (d *dataFolder) purgeFolder() error {
	if _, err := findData(d.path); err != nil {
		return err
	}
	entries, err := os.ReadDir(d.real)
	if err != nil {
		return fmt.Errorf("read the data folder: %w", err)
	}
	// The lock goes last: after an interruption, findData recognizes the folder by it.
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return strings.Compare(orderOf(a.Name()), orderOf(b.Name()))
	})
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(d.real, e.Name())); err != nil {
			return fmt.Errorf("delete data: %w", err)
		}
	}
	for _, dir := range []string{d.real, d.path} { // d.path may be a link to d.real
		if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete the data folder: %w", err)
		}
	}
	elsewhere := api.SocketPaths(d.path)
	os.Remove(filepath.Dir(elsewhere[len(elsewhere)-1])) // fails if another data folder has a socket there
	return nil
}

func orderOf(name string) string {
	if name == "daemon.lock" {
		return "\xff"
	}
	return name
}
