package api

import (
	"net"
	"time"
)

// A Conn is a connection to the daemon.
type Conn struct{ net.Conn }

// connect connects to the socket at path.
func connect(path string) (*Conn, error) {
	conn, err := net.Dial("unix", path)
	if err != nil {
		return nil, err
	}
	return &Conn{conn}, nil
}

// interrupt ends what is read and written now and later.
func (c *Conn) interrupt() { c.SetDeadline(time.Unix(1, 0)) }
