//go:build unix

package api

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"recollect/internal/system/trust"
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
		{"somebody else's link to a folder of one's own", func(t *testing.T) string {
			dir := shortDir(t)
			symlink(t, shortDir(t), dir+"/link")
			return dir + "/link"
		}, func(home string) string { return home }, "foreign"},
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

// A daemon that could not listen in its folder is found below the temporary one, whoever else has
// made something there.
func TestClientLooksElsewhere(t *testing.T) {
	tests := []struct {
		name   string
		listen bool
		make   func(t *testing.T, dir string)
		want   error
	}{
		{"nobody there", false, func(t *testing.T, dir string) {}, ErrNoDaemon},
		{"a daemon", true, func(t *testing.T, dir string) { mkdir(t, dir, 0o700) }, nil},
		{"somebody else's folder", true, func(t *testing.T, dir string) { mkdir(t, dir, 0o700); give(t, dir) }, ErrNoDaemon},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("TMPDIR", shortDir(t))
			home := shortDir(t)
			path := SocketPaths(home)[1]
			tt.make(t, filepath.Dir(path))
			if tt.listen {
				listenAt(t, path, replying("HTTP/1.1 200 OK\r\n"+VersionHeader+": 1\r\nContent-Length: 2\r\n\r\n{}"))
			}
			if _, err := (&Client{Home: home}).Health(t.Context()); !errors.Is(err, tt.want) {
				t.Errorf("Health() = %v, want %v", err, tt.want)
			}
		})
	}
}

// The log is written to no file but one of the user's own, wherever a link leads.
func TestOpenLogTrusts(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, path string)
	}{
		{"a link", func(t *testing.T, path string) { write(t, path+".there"); symlink(t, path+".there", path) }},
		{"a pipe", func(t *testing.T, path string) {
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"a folder", func(t *testing.T, path string) { mkdir(t, path, 0o700) }},
		{"somebody else's file", func(t *testing.T, path string) { write(t, path); give(t, path) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "daemon.log")
			tt.make(t, path)
			f, err := openLog(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			fi, err := os.Lstat(path)
			if opened, err2 := f.Stat(); err != nil || err2 != nil || !fi.Mode().IsRegular() || !trust.Ours(fi) || !os.SameFile(fi, opened) {
				t.Errorf("the log is %v, %v, %v, want a new file", fi, err, err2)
			}
			if _, err := os.Lstat(path + ".1"); err != nil {
				t.Errorf("what was there: %v, want it moved aside", err)
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
			err := MakeSocketFolder(home, SocketPath(home))
			if (err == nil) != tt.ok {
				t.Fatalf("MakeSocketFolder() error = %v, want none = %t", err, tt.ok)
			}
			if fi, err := os.Lstat(dir); tt.ok && (err != nil || fi.Mode().Perm() != 0o700) {
				t.Errorf("afterwards: %v, %v, want mode 0700", fi, err)
			}
		})
	}
}
