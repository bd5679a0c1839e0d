package setup

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
)

// HookName returns the name of the hook's executable.
func HookName() string {
	if runtime.GOOS == "windows" {
		return "recollect-hook.exe"
	}
	return "recollect-hook"
}

// linkPath returns the path of a link to the executable. Settings of other programs name the link,
// because the path of the plugin changes with each version.
func linkPath(home string) string { return filepath.Join(home, "bin", "recollect") }

// HookLink returns the path of a link to the hook, which settings of other agents name.
func HookLink(home string) string { return filepath.Join(home, "bin", HookName()) }

// linkExecutable makes the link to the executable, and returns its path. On Windows, where links need
// special rights, it returns the path of the executable.
func linkExecutable(home string) (string, error) {
	exe, err := OwnExecutable()
	if err != nil {
		return "", err
	}
	return linkTo(linkPath(home), exe)
}

// linkHook makes the link to the hook, like linkExecutable.
func linkHook(home string) (string, error) {
	hook, err := OwnHook()
	if err != nil {
		return "", err
	}
	return linkTo(HookLink(home), hook)
}

// OwnHook returns the path of the hook beside this executable.
func OwnHook() (string, error) {
	exe, err := OwnExecutable()
	if err != nil {
		return "", err
	}
	hook := filepath.Join(filepath.Dir(exe), HookName())
	if _, err := os.Stat(hook); err != nil {
		return "", fmt.Errorf("find the hook: %w", err)
	}
	if IsScript(hook) {
		return "", fmt.Errorf("find the hook: %s is a placeholder that is not built", hook)
	}
	return filepath.EvalSymlinks(hook)
}

// linkTo makes link lead to exe, and returns link.
func linkTo(link, exe string) (string, error) {
	if runtime.GOOS == "windows" {
		return exe, nil
	}
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

// Relink makes the existing links lead to this installation.
func Relink(home string, log *slog.Logger) {
	for link, own := range map[string]func() (string, error){linkPath(home): OwnExecutable, HookLink(home): OwnHook} {
		to, err := os.Readlink(link)
		if err != nil {
			continue
		}
		exe, err := own()
		if err == nil && exe != to {
			_, err = linkTo(link, exe)
		}
		if err != nil {
			log.Warn("link the executable", logkey.Error, err)
		}
	}
}

// OwnExecutable returns the path of this executable.
func OwnExecutable() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own executable: %w", err)
	}
	return filepath.EvalSymlinks(exe)
}

// IsScript reports whether the file is a script, such as the placeholder in git.
func IsScript(path string) bool {
	f, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var begin [2]byte
	n, _ := f.Read(begin[:])
	return string(begin[:n]) == "#!"
}
