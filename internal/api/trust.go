package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

// A ForeignError means that the data folder, the folder of the socket or the process that
// listens belongs to another user. Nothing was sent, and nothing in the folder may be trusted.
type ForeignError struct{ message string }

func (e *ForeignError) Error() string { return e.message }

// MakePrivate makes sure that dir is a folder only its owner can enter. It may
// be a link to one.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("check folder: %w", err)
	}
	return closeToOthers(dir, fi, enterable)
}

// MakeSocketFolder makes sure that the socket of home lies in a folder that only its owner can
// enter.
func MakeSocketFolder(home string) error {
	dir := filepath.Dir(SocketPath(home))
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
	case !ours(fi):
		return &ForeignError{fmt.Sprintf("open folder %s: belongs to another user", dir)}
	case fi.Mode().Perm()&open != 0:
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("close folder to others: %w", err)
		}
	}
	return nil
}

// dial connects to the daemon of home and to no other process: another user who can write to
// the folder could listen there in the daemon's place.
func dial(ctx context.Context, home string) (net.Conn, error) {
	path := SocketPath(home)
	if err := checkSocket(home, path); err != nil {
		return nil, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDaemon, err)
	}
	if !PeerAllowed(conn) {
		conn.Close()
		return nil, &ForeignError{fmt.Sprintf("connect to %s: another user listens there", path)}
	}
	return conn, nil
}

// checkSocket checks who owns home, the folder of the socket and the socket. The dialer reports
// what is missing. The daemon replaces the socket of another user in our own folder when it
// starts.
func checkSocket(home, path string) error {
	if fi, err := os.Stat(home); err == nil && fi.IsDir() {
		if err := closeToOthers(home, fi, writable); err != nil {
			return err
		}
	}
	if dir := filepath.Dir(path); dir != home {
		if fi, err := os.Lstat(dir); err == nil && fi.Mode().Type()&(fs.ModeDir|fs.ModeSymlink) != 0 {
			if err := closeToOthers(dir, fi, writable); err != nil {
				return err
			}
		}
	}
	if fi, err := os.Lstat(path); err == nil && !ours(fi) {
		return fmt.Errorf("%w: the socket %s belongs to another user", ErrNoDaemon, path)
	}
	return nil
}
