package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file")
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("file has %q, %v, want %q", got, err, text)
		}
	}
	wantAlone(t, path)
}

func TestReplaceKeepsTheOldFileWhenWritingFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	fill := func(text string, err error) func(*os.File) error {
		return func(f *os.File) error {
			if _, err := f.WriteString(text); err != nil {
				return err
			}
			return err
		}
	}
	if err := Replace(path, path+".temp", fill("old", nil)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if err := Replace(path, path+".temp", fill("ne", full)); !errors.Is(err, full) {
		t.Errorf("error is %v, want %v", err, full)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("file has %q, %v, want %q", got, err, "old")
	}
	wantAlone(t, path)
}

// A folder in the way of the file must not leave a temporary file behind.
func TestWriteFileOverFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, nil, 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	wantAlone(t, path)
}

func wantAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := fs.ReadDir(os.DirFS(filepath.Dir(path)), ".")
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("folder has %v, %v, want %s alone", entries, err, filepath.Base(path))
	}
}
