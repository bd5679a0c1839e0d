//go:build unix

package trust

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// other is a user that no process of the tests runs as.
const other = 60001

func give(t *testing.T, path string) {
	t.Helper()
	if err := os.Lchown(path, other, other); err != nil {
		t.Skip("only root can give a file away: ", err)
	}
}

func mkdir(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Mkdir(path, mode); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func TestForeign(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, path string)
		want bool
	}{
		{"missing", func(*testing.T, string) {}, false},
		{"a file of one's own", write, false},
		{"somebody else's file", func(t *testing.T, path string) { write(t, path); give(t, path) }, true},
		{"somebody else's folder", func(t *testing.T, path string) { mkdir(t, path, 0o777); give(t, path) }, true},
		{"a link to a file of one's own", func(t *testing.T, path string) { write(t, path+".there"); symlink(t, path+".there", path) }, false},
		{"a link to nothing", func(t *testing.T, path string) { symlink(t, path+".there", path) }, false},
		{"somebody else's link to a file of one's own", func(t *testing.T, path string) {
			write(t, path+".there")
			symlink(t, path+".there", path)
			give(t, path)
		}, true},
		{"a link to somebody else's file", func(t *testing.T, path string) {
			write(t, path+".there")
			give(t, path+".there")
			symlink(t, path+".there", path)
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			tt.make(t, path)
			if got := Foreign(path); got != tt.want {
				t.Errorf("Foreign() = %t, want %t", got, tt.want)
			}
			if err := Check(path); (err != nil) != tt.want {
				t.Errorf("Check() = %v, want an error = %t", err, tt.want)
			}
		})
	}
}
