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

// MakePrivate makes sure that dir is a folder only its owner can enter. It may
// be a link of the owner's to one.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	return closeHome(dir, enterable)
}

// closeHome is closeToOthers for a folder that may be a link of the user's own.
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

// MakeSocketFolder makes sure that the folder of a socket of home is one that only its owner can
// enter.
func MakeSocketFolder(home, socket string) error {
	dir := filepath.Dir(socket)
	if dir == home {
		return MakePrivate(dir)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create folder: %w", err)
	}
	fi, err := os.Lstat(dir) // where anybody may have put a link
	if err != nil {
		return fmt.Errorf("check folder: %w", err)
	}
	return closeToOthers(dir, fi, enterable)
}

// Bits of a folder's mode that give access to others.
const (
	enterable = 0o077
	writable  = 0o022
)

// closeToOthers refuses what is not a folder of the user's own, and takes all access from
// others if the folder has one of the mode bits in open.
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
		if err != nil && !errors.Is(err, syscall.EROFS) { // what cannot be changed is safe from others' changes
			return fmt.Errorf("close folder to others: %w", err)
		}
	}
	return nil
}

// A Conn is a connection to the daemon.
type Conn = socket.Conn

// Dial connects to the daemon of home and to no other process: another user who can write to
// the folder could listen there in the daemon's place.
func Dial(home string) (*Conn, error) {
	if err := closeHome(home, writable); err != nil {
		var foreign *ForeignError
		if errors.As(err, &foreign) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", ErrNoDaemon, err) // Start makes the folder, or says why not
	}
	var first error // of the place where the daemon usually listens
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

// checkSocket checks who owns the socket, and the folder that it lies in if that is not home. The
// daemon replaces the socket of another user in our own folder when it starts.
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
