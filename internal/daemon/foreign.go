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

// asideSuffix is part of the new name of a file or folder that was set aside. Nothing with such a
// name is used.
const asideSuffix = ".foreign"

// logsFolder is the folder of the logs in the data folder.
const logsFolder = "memories"

// An inspection closes the data folder to other users, and sets aside files that they made there, each
// time the folder has changed.
type inspection struct {
	mu   sync.Mutex
	seen [2]stamp // of the data folder and of the logs' folder
}

// A stamp of a folder changes when a file is made in it, or its mode is changed.
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
	if now == n.seen || now[0] == (stamp{}) { // do not make a folder again that was removed
		return nil
	}
	if err := api.MakePrivate(home); err != nil {
		return err
	}
	if err := setAsideForeign(home, log); err != nil {
		return err
	}
	n.seen = now // from before, so that the next inspection sees files that were made during this one
	return nil
}

// setAsideForeign sets aside files, links and folders that another user made while dir, by now closed,
// was open to others. It descends into folders that are open to others, and into that of the logs.
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
			continue // a file, removed meanwhile, or a broken link
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

// setAside gives a file or folder a name with asideSuffix that is free.
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

// Foreign lists the files and folders in home that belong to another user or were set aside. Paths
// are relative to home.
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
