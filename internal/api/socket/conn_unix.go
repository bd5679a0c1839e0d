//go:build unix

package socket

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// A Conn is a connection to the daemon. It waits in system calls, because package net's poller and
// threads would take a tenth of the time of every hook.
type Conn struct {
	mu sync.Mutex // keeps Interrupt from using an fd that Close has closed
	fd int        // −1 once closed
}

// Connect connects to the socket at path, or fails at once.
func Connect(path string) (*Conn, error) {
	fd, err := newSocket()
	if err != nil {
		return nil, err
	}
	c := &Conn{fd: fd}
	if err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}); err == nil {
		err = syscall.SetNonblock(fd, false)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// newSocket makes a socket that child processes do not inherit. Connecting it does not wait for a
// daemon that accepts nothing.
func newSocket() (fd int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if fd, err = syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err != nil {
		return -1, err
	}
	syscall.CloseOnExec(fd)
	if err = syscall.SetNonblock(fd, true); err != nil {
		return -1, errors.Join(err, syscall.Close(fd))
	}
	return fd, nil
}

// Descriptor returns the connection's file descriptor.
func (c *Conn) Descriptor() int { return c.fd }

// Read implements io.Reader.
func (c *Conn) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(c.fd, p)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

// Write implements io.Writer.
func (c *Conn) Write(p []byte) (written int, err error) {
	for written < len(p) {
		n, err := syscall.Write(c.fd, p[written:])
		if err != nil && err != syscall.EINTR {
			return written, err
		}
		written += max(0, n)
	}
	return written, nil
}

// Interrupt ends Read and Write, now and later. Unlike the other methods it may be called from
// another goroutine.
func (c *Conn) Interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd >= 0 {
		syscall.Shutdown(c.fd, syscall.SHUT_RDWR) // fails only if the connection has already ended
	}
}

// Close closes the connection.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	fd := c.fd
	c.fd = -1
	return syscall.Close(fd)
}
