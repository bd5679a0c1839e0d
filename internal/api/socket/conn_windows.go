package socket

import (
	"net"
	"time"
)

// A Conn is a connection to the daemon.
type Conn struct{ net.Conn }

// Connect connects to the socket at path.
func Connect(path string) (*Conn, error) {
	conn, err := net.Dial("unix", path)
	if err != nil {
		return nil, err
	}
	return &Conn{conn}, nil
}

// Interrupt ends Read and Write, now and later.
func (c *Conn) Interrupt() { c.SetDeadline(time.Unix(1, 0)) }
