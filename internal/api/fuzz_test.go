package api

import (
	"net"
	"testing"
	"time"
)

// Whoever listens on the socket may answer anything.
func FuzzReply(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nRecollect-Version: 0.1.0\r\nContent-Length: 2\r\n\r\n{}"))
	f.Add([]byte("HTTP/1.1 404 X\r\nRecollect-Version: 0.1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nRecollect-Version: 9.9.9\r\nContent-Length: -1\r\n\r\n{"))
	f.Add([]byte("\x00\r\n:\r\n\r\n"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		ours, theirs := net.Pipe()
		defer ours.Close()
		ours.SetDeadline(time.Now().Add(10 * time.Second))
		go func() {
			defer theirs.Close()
			buf := make([]byte, 64<<10)
			theirs.Read(buf)
			theirs.Write(answer)
		}()
		if body, _, err := roundTrip(ours, "0.1.0", "POST", "/recollect", []byte("{}")); err == nil && len(body) > len(answer) {
			t.Errorf("a body of %d bytes in an answer of %d", len(body), len(answer))
		}
	})
}
