package daemon

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/engine"
)

// A reply counts as delivered if the client still has its connection when the reply is
// written, and not if it has left.
func TestDeliver(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		t.Run(fmt.Sprintf("leaves %v", leaves), func(t *testing.T) {
			asked, left, delivered := make(chan bool), make(chan bool), make(chan error, 1)
			mux := http.NewServeMux()
			deliver(&Daemon{log: quiet}, mux, api.RouteRecollect, func(_ context.Context, _ api.Prompt, deliver engine.Deliver) error {
				asked <- true
				<-left
				err := deliver(api.Recollection{Context: "The pool has 40 connections."})
				delivered <- err
				return err
			})
			conn := dialServer(t, mux)
			fmt.Fprint(conn, "POST /recollect HTTP/1.1\r\nHost: recollect\r\nContent-Length: 2\r\n\r\n{}")
			<-asked
			if leaves {
				conn.Close()
			}
			close(left)
			if err := <-delivered; (err != nil) != leaves {
				t.Errorf("deliver() = %v", err)
			}
			if leaves {
				return
			}
			if status, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(status, "200") {
				t.Errorf("reply %q, %v", status, err)
			}
		})
	}
}

// dialServer serves h on a socket and returns a connection to it.
func dialServer(t *testing.T, h http.Handler) net.Conn {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(newHome(t), "s"))
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h}
	go server.Serve(l) // until it is closed
	t.Cleanup(func() { server.Close() })
	conn, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
