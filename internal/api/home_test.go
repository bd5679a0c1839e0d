package api

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestHome(t *testing.T) {
	t.Setenv("HOME", filepath.FromSlash("/home/dev"))
	t.Setenv("USERPROFILE", filepath.FromSlash("/home/dev"))
	t.Setenv("RECOLLECT_HOME", "")
	if got, err := Home(); err != nil || got != filepath.FromSlash("/home/dev/.recollect") {
		t.Errorf("Home() = %q, %v, want it below HOME", got, err)
	}
	t.Setenv("RECOLLECT_HOME", "here/..")
	if got, err := Home(); err != nil || !filepath.IsAbs(got) || strings.Contains(got, "here") {
		t.Errorf("Home() = %q, %v, want an absolute clean path", got, err)
	}
}

func TestSocketPath(t *testing.T) {
	tests := []struct {
		name   string
		home   string
		inHome bool
	}{
		{"short", "/home/dev/.recollect", true},
		{"as long as can be", "/" + strings.Repeat("h", maxSocketPath-1-len("/recollect.sock")), true},
		{"one longer", "/" + strings.Repeat("h", maxSocketPath-len("/recollect.sock")), false},
		{"long", "/home/" + strings.Repeat("häuser/", 40), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := filepath.FromSlash(tt.home)
			got := SocketPath(home)
			if inHome := strings.HasPrefix(got, filepath.Clean(home)); inHome != tt.inHome || len(got) > maxSocketPath {
				t.Errorf("SocketPath() = %q, %d bytes, in home = %t, want %t", got, len(got), inHome, tt.inHome)
			}
		})
	}
	a, b := strings.Repeat("a", 200), strings.Repeat("b", 200)
	if SocketPath(a) == SocketPath(b) {
		t.Error("SocketPath() of two long homes is the same")
	}
}

func TestMakePrivate(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, path string)
		want fs.FileMode // of what is found behind path; 0 for an error
	}{
		{"missing", func(*testing.T, string) {}, 0o700},
		{"private", func(t *testing.T, path string) { mkdir(t, path, 0o700) }, 0o700},
		{"open to others", func(t *testing.T, path string) { mkdir(t, path, 0o755) }, 0o700},
		{"closed even to its owner's writes", func(t *testing.T, path string) { mkdir(t, path, 0o500) }, 0o500},
		{"closed to its owner's writes, open to others", func(t *testing.T, path string) { mkdir(t, path, 0o555) }, 0o500},
		{"a file", func(t *testing.T, path string) { write(t, path) }, 0},
		{"a link to a folder", func(t *testing.T, path string) {
			mkdir(t, path+".there", 0o700)
			symlink(t, path+".there", path)
		}, 0o700},
		{"a link to a file", func(t *testing.T, path string) {
			write(t, path+".there")
			symlink(t, path+".there", path)
		}, 0},
		{"a link to nothing", func(t *testing.T, path string) { symlink(t, path+".there", path) }, 0},
	}
	if runtime.GOOS == "windows" {
		t.Skip("windows has no such modes")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "home")
			tt.make(t, path)
			err := MakePrivate(path)
			if (err != nil) != (tt.want == 0) {
				t.Fatalf("MakePrivate() error = %v", err)
			}
			if err != nil {
				return
			}
			if fi, err := os.Stat(path); err != nil || !fi.IsDir() || fi.Mode().Perm() != tt.want {
				t.Errorf("afterwards: %v, %v, want a folder of mode %v", fi.Mode(), err, tt.want)
			}
		})
	}
}

func mkdir(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
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

func TestFileName(t *testing.T) {
	tests := []struct {
		name  string
		id    string
		plain bool
	}{
		{"a session of Claude Code", "1b3097a0-ff16-4812-a47d-f6dd5e00e876", true},
		{"letters of all kinds", "aZ_09-", true},
		{"as long as can be", strings.Repeat("x", 64), true},
		{"too long", strings.Repeat("x", 65), false},
		{"empty", "", false},
		{"path", "../../etc/passwd", false},
		{"parent", "..", false},
		{"windows path", `C:\x`, false},
		{"stream of a file", "a:b", false},
		{"ends with NUL", "a\x00", false},
		{"letters from elsewhere", "säule", false},
		{"broken UTF-8", "\xff", false},
	}
	seen := map[string]string{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := FileName(tt.id)
			if (got == tt.id) != tt.plain {
				t.Errorf("FileName(%q) = %q, unchanged is wrong", tt.id, got)
			}
			if got == "" || len(got) > 64 || strings.ContainsAny(got, `/\.:`) || filepath.Base(got) != got {
				t.Errorf("FileName(%q) = %q, no name for a file", tt.id, got)
			}
			if other, ok := seen[got]; ok {
				t.Errorf("FileName(%q) = FileName(%q)", tt.id, other)
			}
			seen[got] = tt.id
			dir := filepath.Join("h", "recollections")
			if path := FallbackPath("h", tt.id); filepath.Dir(path) != dir {
				t.Errorf("FallbackPath(%q) = %q, want it in %q", tt.id, path, dir)
			}
		})
	}
}
