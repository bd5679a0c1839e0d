package api

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"recollect/internal/api/socket"
	"recollect/internal/system/trust"
)

// A ForeignError means that the data folder, the folder of the socket or the process that
// listens belongs to another user. Nothing was sent, and nothing in the folder may be trusted.
type ForeignError struct{ message string }

func (e *ForeignError) Error() string { return e.message }

// MakePrivate makes sure that dir is a folder that only this user can enter, or
// a link of the user's to one.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	return closeHome(dir, enterable)
}

// closeHome is closeToOthers for a folder that may be a link of the user's.
func closeHome(dir string, open fs.FileMode) error {
	if trust.Foreign(dir) {
		return &ForeignError{fmt.Sprintf("open folder %s: belongs to another user", dir)}
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("check folder: %w", err)
	}
	return closeToOthers(dir, fi, open)
}

// MakeSocketFolder makes sure that only this user can enter the folder of a socket of home.
func MakeSocketFolder(home, socket string) error {
	dir := filepath.Dir(socket)
	if dir == home {
		return MakePrivate(dir)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create folder: %w", err)
	}
	fi, err := os.Lstat(dir) // not Stat, because anybody can put a link into the temporary folder
	if err != nil {
		return fmt.Errorf("check folder: %w", err)
	}
	return closeToOthers(dir, fi, enterable)
}

// The bits of a folder's mode that give others access.
const (
	enterable = 0o077
	writable  = 0o022
)

// closeToOthers returns an error unless dir is a folder of the user. If its mode has one of
// the bits in open, it takes all access from others.
func closeToOthers(dir string, fi fs.FileInfo, open fs.FileMode) error {
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		return &ForeignError{fmt.Sprintf("open folder %s: it is a link, which another user may have made", dir)}
	case !fi.IsDir():
		return fmt.Errorf("open folder %s: not a folder", dir)
	case !trust.Ours(fi):
		return &ForeignError{fmt.Sprintf("open folder %s: belongs to another user", dir)}
	case fi.Mode().Perm()&open != 0:
		err := os.Chmod(dir, fi.Mode().Perm()&^enterable)
		if err != nil && !errors.Is(err, syscall.EROFS) { // others cannot change a read-only folder either
			return fmt.Errorf("close folder to others: %w", err)
		}
	}
	return nil
}

// A Conn is a connection to the daemon.
type Conn = socket.Conn

// Dial connects to the daemon of home. It refuses a process of another user, who could listen in
// the daemon's place.
func Dial(home string) (*Conn, error) {
	if err := closeHome(home, writable); err != nil {
		var foreign *ForeignError
		if errors.As(err, &foreign) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", ErrNoDaemon, err) // Start makes the folder, or says why not
	}
	var first error // of the path where the daemon usually listens
	for _, path := range SocketPaths(home) {
		conn, err := dialSocket(home, path)
		if err == nil {
			return conn, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func dialSocket(home, path string) (*Conn, error) {
	if err := checkSocket(home, path); err != nil {
		return nil, err
	}
	conn, err := socket.Connect(path)
	if err != nil {
		return nil, fmt.Errorf("%w: connect to %s: %w", ErrNoDaemon, path, err)
	}
	if !socket.IsPeerAllowed(conn) {
		conn.Close()
		return nil, &ForeignError{fmt.Sprintf("connect to %s: another user listens there", path)}
	}
	return conn, nil
}

// checkSocket checks who owns the socket and, unless it is home, its folder. A socket of another user
// is an ErrNoDaemon, because a daemon that starts replaces it.
func checkSocket(home, path string) error {
	if dir := filepath.Dir(path); dir != home {
		if fi, err := os.Lstat(dir); err == nil && fi.Mode().Type()&(fs.ModeDir|fs.ModeSymlink) != 0 {
			if err := closeToOthers(dir, fi, writable); err != nil {
				return err
			}
		}
	}
	fi, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoDaemon, err)
	}
	if !trust.Ours(fi) {
		return fmt.Errorf("%w: the socket %s belongs to another user", ErrNoDaemon, path)
	}
	return nil
}
