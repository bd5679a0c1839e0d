package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// A File is the user's config.toml as it was read. It need not exist.
type File struct {
	Path   string // path of the file, or of the link's target
	Text   string
	exists bool
	perm   fs.FileMode
}

// ReadFile reads the user's config.toml in home.
func ReadFile(home string) (f File, err error) {
	f.Path, _ = Paths(home)
	f.perm = 0o600
	if target, err := filepath.EvalSymlinks(f.Path); err == nil {
		f.Path = target // so that the link remains
	}
	b, err := regular.Read(f.Path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if fi, err := os.Stat(f.Path); err == nil {
		f.perm = fi.Mode().Perm()
	}
	f.Text, f.exists = string(b), true
	return f, err
}

// Write replaces the file's text.
func (f *File) Write(text string) error {
	if err := durable.WriteFile(f.Path, []byte(text), f.perm); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}

// Restore restores the file as it was read.
func (f *File) Restore() error {
	if !f.exists {
		return os.Remove(f.Path)
	}
	return f.Write(f.Text)
}
