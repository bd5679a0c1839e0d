//go:build unix

package api

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// foreign is a user that no process of the tests runs as.
const foreign = 60001

func give(t *testing.T, path string) {
	t.Helper()
	if err := os.Lchown(path, foreign, foreign); err != nil {
		t.Skip("only root can give a file away: ", err)
	}
}

// longHome returns a data folder whose socket lies in a shared temporary one,
// and that folder.
func longHome(t *testing.T) (home, shared string) {
	t.Helper()
	t.Setenv("TMPDIR", shortDir(t))
	home = filepath.Join(t.TempDir(), strings.Repeat("h", maxSocketPath))
	mkdir(t, home, 0o700)
	return home, filepath.Dir(SocketPath(home))
}

// Nobody is sent anything who could be another user.
func TestClientTrusts(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T) (home string) // without a socket
		give func(home string) string         // what is somebody else's once a socket is there; nil for nothing
		want string                           // "", "no daemon" or "foreign"
	}{
		{"a folder of one's own", func(t *testing.T) string { return shortDir(t) }, nil, ""},
		{"a folder that others may write to", func(t *testing.T) string { return open(t, shortDir(t)) }, nil, ""},
		{"a link to a folder of one's own", func(t *testing.T) string {
			dir := shortDir(t)
			symlink(t, shortDir(t), dir+"/link")
			return dir + "/link"
		}, nil, ""},
		{"somebody else's folder", func(t *testing.T) string { return shortDir(t) }, func(home string) string { return home }, "foreign"},
		{"somebody else's socket", func(t *testing.T) string { return open(t, shortDir(t)) }, SocketPath, "no daemon"},
		{"a long home", func(t *testing.T) string {
			home, shared := longHome(t)
			mkdir(t, shared, 0o700)
			return home
		}, nil, ""},
		{"a long home, somebody else's folder", func(t *testing.T) string {
			home, shared := longHome(t)
			mkdir(t, shared, 0o755)
			return home
		}, func(home string) string { return filepath.Dir(SocketPath(home)) }, "foreign"},
		{"a long home, a link", func(t *testing.T) string {
			home, shared := longHome(t)
			symlink(t, shortDir(t), shared)
			return home
		}, nil, "foreign"},
		{"a long home that is somebody else's", func(t *testing.T) string {
			home, shared := longHome(t)
			mkdir(t, shared, 0o700)
			return home
		}, func(home string) string { return home }, "foreign"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := tt.make(t)
			var asked atomic.Bool
			answer := replying("HTTP/1.1 200 OK\r\n" + VersionHeader + ": 1\r\nContent-Length: 2\r\n\r\n{}")
			listen(t, home, func(conn net.Conn) { asked.Store(true); answer(conn) })
			if tt.give != nil {
				give(t, tt.give(home))
			}
			_, err := (&Client{Home: home}).Recollect(t.Context(), Prompt{Prompt: "my plan"})
			var foreign *ForeignError
			got := ""
			switch {
			case errors.As(err, &foreign):
				got = "foreign"
			case errors.Is(err, ErrNoDaemon):
				got = "no daemon"
			case err != nil:
				got = err.Error()
			}
			if got != tt.want || asked.Load() != (tt.want == "") {
				t.Errorf("Recollect() error = %v, sent = %t, want %q", err, asked.Load(), tt.want)
			}
			if fi, err := os.Stat(home); err != nil || tt.want == "" && fi.Mode().Perm()&0o022 != 0 {
				t.Errorf("afterwards home is %v, %v, want it closed to others", fi.Mode(), err)
			}
		})
	}
}

func open(t *testing.T, dir string) string {
	t.Helper()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMakeSocketFolder(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, dir string)
		ok   bool
	}{
		{"missing", func(*testing.T, string) {}, true},
		{"private", func(t *testing.T, dir string) { mkdir(t, dir, 0o700) }, true},
		{"open to others", func(t *testing.T, dir string) { mkdir(t, dir, 0o777) }, true},
		{"a link to a folder of one's own", func(t *testing.T, dir string) { symlink(t, shortDir(t), dir) }, false},
		{"a link to nothing", func(t *testing.T, dir string) { symlink(t, dir+".there", dir) }, false},
		{"a file", func(t *testing.T, dir string) { write(t, dir) }, false},
		{"somebody else's", func(t *testing.T, dir string) { mkdir(t, dir, 0o700); give(t, dir) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home, dir := longHome(t)
			tt.make(t, dir)
			err := MakeSocketFolder(home)
			if (err == nil) != tt.ok {
				t.Fatalf("MakeSocketFolder() error = %v, want none = %t", err, tt.ok)
			}
			if fi, err := os.Lstat(dir); tt.ok && (err != nil || fi.Mode().Perm() != 0o700) {
				t.Errorf("afterwards: %v, %v, want mode 0700", fi, err)
			}
		})
	}
}
