package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"recollect/internal/logkey"
)

// linkPath returns where the link to the executable lies that settings of others name: the path
// of the plugin changes with each of its versions.
func linkPath(home string) string { return filepath.Join(home, "bin", "recollect") }

// linkExecutable makes the link, and returns its path; on Windows, where links need rights, that
// of the executable.
func linkExecutable(home string) (string, error) {
	exe, err := ownExecutable()
	if err != nil || runtime.GOOS == "windows" {
		return exe, err
	}
	link := linkPath(home)
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return "", err
	}
	temp := fmt.Sprintf("%s.%d", link, os.Getpid())
	if err := os.Symlink(exe, temp); err != nil {
		return "", fmt.Errorf("link %s: %w", link, err)
	}
	if err := os.Rename(temp, link); err != nil {
		os.Remove(temp)
		return "", fmt.Errorf("link %s: %w", link, err)
	}
	return link, nil
}

// relink makes the link lead to this executable, if there is one that leads elsewhere.
func relink(home string, log *slog.Logger) {
	exe, err := ownExecutable()
	if err != nil {
		return
	}
	if to, err := os.Readlink(linkPath(home)); err != nil || to == exe {
		return
	}
	if _, err := linkExecutable(home); err != nil {
		log.Warn("link the executable", logkey.Error, err)
	}
}

// ownExecutable returns the path of this executable.
func ownExecutable() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own executable: %w", err)
	}
	return filepath.EvalSymlinks(exe)
}
