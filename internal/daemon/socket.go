package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"

	"recollect/internal/api"
)

// A socket is the listener of this daemon. It accepts connections from processes of the same user, or root.
type socket struct {
	net.Listener
	path string
	file fs.FileInfo // of path, after listen made it
}

// listen opens the socket at the first possible path. Its caller holds the lock, so a socket that
// exists already is dead, or belongs to another user.
func listen(home string) (*socket, error) {
	var errs []error
	for _, path := range api.SocketPaths(home) {
		s, err := listenAt(home, path)
		if err == nil {
			return s, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func listenAt(home, path string) (*socket, error) {
	if err := api.MakeSocketFolder(home, path); err != nil {
		return nil, err
	}
	if err := makeWay(path); err != nil {
		return nil, fmt.Errorf("remove old socket: %w", err)
	}
	listener, err := listenPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	// Clients that wait for the daemon to end wait until the socket is removed, so it must
	// remain until everything is written.
	if unix, ok := listener.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("close socket to others: %w", err), listener.Close(), os.Remove(path))
	}
	file, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("check socket: %w", err), listener.Close())
	}
	return &socket{listener, path, file}, nil
}

// makeWay removes a file from the place of the socket, and sets aside a folder.
func makeWay(path string) error {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case fi.IsDir():
		return setAside(path)
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) { // an ending daemon may have removed it meanwhile
		return err
	}
	return nil
}

// Accept implements net.Listener.
func (s *socket) Accept() (net.Conn, error) {
	for {
		conn, err := s.Listener.Accept()
		if err != nil || peerAllowed(conn) {
			return conn, err
		}
		conn.Close()
	}
}

// ours reports whether the file is still the one that listen made. It compares the times too, because
// a file system may give the inode number of a removed file to the next one.
func (s *socket) ours() bool {
	now, err := os.Lstat(s.path)
	return err == nil && sameFile(s.file, now) && now.ModTime().Equal(s.file.ModTime())
}

// remove removes the file if it is still ours.
func (s *socket) remove() {
	if s.ours() {
		os.Remove(s.path)
	}
}
