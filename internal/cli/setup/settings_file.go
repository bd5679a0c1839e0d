package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// maxSettings is the largest settings of another program that are read, in bytes.
const maxSettings = 4 << 20

// A settingsFile has the text and the path of another program's settings.
type settingsFile struct {
	Path string // with links resolved
	Text string
	perm os.FileMode
	is   bool // whether the file exists
}

// ReadSettings reads the settings at path, which need not exist.
func ReadSettings(path string) (settingsFile, error) {
	f := settingsFile{Path: path, perm: 0o600}
	if _, err := os.Lstat(f.Path); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	var err error
	if f.Path, err = filepath.EvalSymlinks(f.Path); err != nil {
		return f, fmt.Errorf("read settings: %w", err)
	}
	b, err := regular.Read(f.Path, maxSettings)
	if err != nil {
		return f, fmt.Errorf("read settings: %w", err)
	}
	fi, err := os.Stat(f.Path)
	if err != nil {
		return f, fmt.Errorf("read settings: %w", err)
	}
	f.Text, f.perm, f.is = string(b), fi.Mode().Perm(), true
	return f, nil
}

// replaceText replaces the settings by text. It returns an error if somebody has changed them since they
// were read, or if they are read-only.
func (f settingsFile) replaceText(text string) error {
	now, err := ReadSettings(f.Path)
	if err != nil {
		return err
	}
	if now.is != f.is || now.Text != f.Text {
		return fmt.Errorf("write settings: %s has changed meanwhile; run the same command again", f.Path)
	}
	if f.is && f.perm&0o200 == 0 {
		return fmt.Errorf("write settings: %s is read-only", f.Path)
	}
	if err := durable.WriteFile(f.Path, []byte(text), f.perm); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}
