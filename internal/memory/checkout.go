package memory

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Checkout is the work tree that a folder is in, as git's own files tell it. The zero value says nothing.
type Checkout struct {
	Root   string    // "" outside a repository
	Branch string    // "" for the main one, and where none is checked out
	Step   time.Time // the last time that HEAD changed, by a commit or a checkout
}

// FindCheckout returns the work tree that contains dir.
func FindCheckout(dir string) Checkout {
	for d := resolve(dir); dir != ""; d = filepath.Dir(d) {
		if fi, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return readCheckout(d, fi)
		}
		if filepath.Dir(d) == d {
			break
		}
	}
	return Checkout{}
}

func readCheckout(root string, fi os.FileInfo) Checkout {
	c, gitDir := Checkout{Root: root}, filepath.Join(root, ".git")
	if !fi.IsDir() {
		gitDir = target(gitDir, fi)
	}
	if b, err := readGit(filepath.Join(gitDir, "HEAD")); err == nil {
		name, isBranch := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: refs/heads/")
		if isBranch && name != "main" && name != "master" {
			c.Branch = name
		}
	}
	if fi, err := os.Stat(filepath.Join(gitDir, "logs", "HEAD")); err == nil {
		c.Step = fi.ModTime()
	}
	return c
}

// HasChanged reports whether a file, whose path is relative to the root, was written since HEAD changed: it is in work.
func (c Checkout) HasChanged(file string) bool {
	if c.Step.IsZero() || !filepath.IsLocal(file) {
		return false
	}
	fi, err := os.Stat(filepath.Join(c.Root, file))
	return err == nil && fi.ModTime().After(c.Step)
}
