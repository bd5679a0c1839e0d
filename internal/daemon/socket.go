package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"

	"recollect/internal/api"
)

// A socket is the one that this daemon listens on. It lets in processes of the same user only.
type socket struct {
	net.Listener
	path string
	file fs.FileInfo // when it was made
}

// listen opens the socket at the first place where that is possible. Only the holder of the lock
// calls it, so a socket that exists already is dead, or belongs to another user.
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
	// The socket remains until everything is written: whoever waits for the end of
	// the daemon waits until the socket is removed.
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

// makeWay removes what is in the place of the socket. A folder is not removed, because somebody
// may need what is in it.
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
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) { // else the daemon that ends removed it meanwhile
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

// ours reports whether the file is still the one that was made. The file system may give the
// number of a removed file to the next one, so the time counts too.
func (s *socket) ours() bool {
	now, err := os.Lstat(s.path)
	return err == nil && sameFile(s.file, now) && now.ModTime().Equal(s.file.ModTime())
}

// remove removes the file, unless it is another daemon's.
func (s *socket) remove() {
	if s.ours() {
		os.Remove(s.path)
	}
}
