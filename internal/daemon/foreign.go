package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/system/logkey"
	"recollect/internal/system/trust"
)

// asideSuffix is the end of the names of what was set aside: nothing in the data folder with such
// a name is used.
const asideSuffix = ".foreign"

// logsFolder is the folder of the logs in the data folder.
const logsFolder = "memories"

// An inspection closes the data folder to others, and sets aside what they made there, whenever the
// folder has changed since the last time.
type inspection struct {
	mu   sync.Mutex
	seen [2]stamp // the data folder and that of the logs
}

// A stamp is different after something was made in a folder, or its mode was changed.
type stamp struct {
	time time.Time
	mode fs.FileMode
}

func stampOf(dir string) stamp {
	fi, err := os.Stat(dir)
	if err != nil {
		return stamp{}
	}
	return stamp{fi.ModTime(), fi.Mode()}
}

func (n *inspection) inspect(home string, log *slog.Logger) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := [2]stamp{stampOf(home), stampOf(filepath.Join(home, logsFolder))}
	if now == n.seen || now[0] == (stamp{}) { // or the folder was removed, and is not made again
		return nil
	}
	if err := api.MakePrivate(home); err != nil {
		return err
	}
	if err := setAsideForeign(home, log); err != nil {
		return err
	}
	n.seen = now // what was made meanwhile is seen the next time
	return nil
}

// setAsideForeign sets aside what belongs to another user, or leads to it, in a data folder that
// is closed to others by now: settings, links, logs or whole folders that somebody made there
// while it was open. It looks into those folders only that are open to others, and into the logs'.
func setAsideForeign(dir string, log *slog.Logger) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("check folder: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.Contains(e.Name(), asideSuffix) {
			continue
		}
		if trust.Foreign(path) {
			if err := setAside(path); err != nil {
				return fmt.Errorf("%s belongs to another user: %w", path, err)
			}
			log.Warn("set aside: it belongs to another user", logkey.File, path)
			continue
		}
		fi, err := os.Stat(path)
		if err != nil || !fi.IsDir() {
			continue // it was removed meanwhile, or is a link to nothing
		}
		opened := trust.OpenToWriters(fi)
		if opened {
			if err := os.Chmod(path, 0o700); err != nil {
				return fmt.Errorf("close folder to others: %w", err)
			}
		}
		if opened || e.Name() == logsFolder {
			if err := setAsideForeign(path, log); err != nil {
				return err
			}
		}
	}
	return nil
}

// setAside gives a file or folder a name that is not used for anything.
func setAside(path string) error {
	name := path + asideSuffix
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return err
		}
		name = fmt.Sprintf("%s%s%d", path, asideSuffix, n)
	}
	return os.Rename(path, name)
}

// Foreign lists what in the data folder home belongs to another user or was set aside, by its path
// in home.
func Foreign(home string) []string {
	var found []string
	filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == home {
			return nil
		}
		if !strings.Contains(e.Name(), asideSuffix) && !trust.Foreign(path) {
			return nil
		}
		if name, err := filepath.Rel(home, path); err == nil {
			found = append(found, name)
		}
		if e.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return found
}
