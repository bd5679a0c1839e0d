package git

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// IsLocal reports whether an address names a repository on a disk of this machine.
func IsLocal(address string) bool {
	return strings.HasPrefix(address, fileScheme) || filepath.IsAbs(address)
}

const fileScheme = "file://"

// ownConfig is the complete settings file of a View.
const ownConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n[receive]\n\tautogc = false\n\tdenyNonFastForwards = true\n" +
	"[core]\n\talternateRefsCommand = true\n\thooksPath = " + os.DevNull + "\n\tfsmonitor = false\n"

// View makes a repository at dir with the objects and refs of the one at address, but without its
// settings, hooks or logs. Otherwise that repository's settings could name programs that upload-pack and
// receive-pack would run as this user. The View consists of links; the caller must remove it after use.
func View(dir, address string) error {
	target, err := locate(address)
	if err != nil {
		return err
	}
	if err := checkParts(target); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return err
	}
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/none\n", "config": ownConfig} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, name := range []string{"objects", "refs", "packed-refs"} {
		if err := os.Symlink(filepath.Join(target, name), filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("use a repository on this machine: %w", err)
		}
	}
	return nil
}

// locate returns the folder that contains the objects of the repository at an address.
func locate(address string) (string, error) {
	path := address
	if rest, ok := strings.CutPrefix(address, fileScheme); ok {
		path = rest
		if plain, err := url.PathUnescape(rest); err == nil {
			path = plain
		}
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s: must have an absolute path", address)
	}
	for _, try := range []string{filepath.Join(path, ".git"), path, path + ".git"} {
		if fi, err := os.Stat(filepath.Join(try, "objects")); err == nil && fi.IsDir() {
			return filepath.EvalSymlinks(try)
		}
	}
	return "", fmt.Errorf("%s: is no git repository that has its own objects", path)
}

// checkParts returns an error if a part of a repository is a link, is too large, or has an unknown form.
func checkParts(target string) error {
	if _, err := os.Lstat(filepath.Join(target, "reftable")); err == nil {
		return errors.New("keeps its refs in a reftable, which is not read")
	}
	if fi, err := os.Lstat(filepath.Join(target, "packed-refs")); err == nil && !fi.Mode().IsRegular() {
		return errors.New("packed-refs is not a file")
	} else if err == nil && fi.Size() > maxPackedRefs {
		return fmt.Errorf("packed-refs has more than %d MiB", maxPackedRefs>>20)
	}
	for part, most := range map[string]int64{"objects": math.MaxInt64, "refs": maxRef} {
		if err := checkFiles(filepath.Join(target, part), most); err != nil {
			return err
		}
	}
	return nil
}

const (
	// maxRef and maxPackedRefs are the largest sizes in bytes of the files with refs, which git reads
	// whole.
	maxRef, maxPackedRefs = 4 << 10, 16 << 20
	// maxFiles is the largest number of files in a part of a repository.
	maxFiles = 1_000_000
)

// checkFiles returns an error unless everything below a folder is a folder or a file of at most this many
// bytes.
func checkFiles(folder string, most int64) error {
	found := 0
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path != folder:
			return nil // another machine is writing
		case err != nil || d.IsDir():
			return err
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", path)
		case found >= maxFiles:
			return fmt.Errorf("%s has more than %d files", folder, maxFiles)
		}
		found++
		if fi, err := d.Info(); most < math.MaxInt64 && err == nil && fi.Size() > most {
			return fmt.Errorf("%s has more than %d bytes", path, most)
		}
		return nil
	})
}
