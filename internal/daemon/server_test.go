package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"recollect/internal/api"
	"recollect/internal/engine"
)

// A reply counts as delivered if the client still has its connection when the reply is
// written, and not if it has left.
func TestCommit(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		t.Run(fmt.Sprintf("leaves %v", leaves), func(t *testing.T) {
			asked, left, delivered := make(chan bool), make(chan bool), make(chan error, 1)
			mux := http.NewServeMux()
			handleRoute(&Daemon{log: quiet}, mux, api.RouteRecollect, func(context.Context, api.Prompt) (api.Recollection, engine.Commit, error) {
				asked <- true
				<-left
				return api.Recollection{Context: "The pool has 40 connections."}, func(undelivered error) { delivered <- undelivered }, nil
			})
			conn := dialServer(t, mux)
			fmt.Fprint(conn, "POST /recollect HTTP/1.1\r\nHost: recollect\r\nContent-Length: 2\r\n\r\n{}")
			<-asked
			if leaves {
				conn.Close()
			}
			close(left)
			if err := <-delivered; (err != nil) != leaves {
				t.Errorf("commit(%v)", err)
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

// A route that panics is answered, the log says which, and the daemon serves on.
func TestRoutesThatPanic(t *testing.T) {
	var out strings.Builder
	d := &Daemon{log: slog.New(slog.NewTextHandler(&out, nil))}
	mux := http.NewServeMux()
	handleRoute(d, mux, api.RouteRemember, func(context.Context, api.Remember) (api.Remembered, engine.Commit, error) {
		var none []int
		return api.Remembered{}, nil, errors.New(fmt.Sprint(none[0]))
	})
	handleRoute(d, mux, api.RouteImport, func(context.Context, api.Import) (api.Imported, engine.Commit, error) {
		return api.Imported{}, nil, errors.New("store: disk is broken")
	})
	handleRoute(d, mux, api.RouteSearch, func(context.Context, api.Search) (api.SearchReply, engine.Commit, error) {
		return api.SearchReply{}, nil, &api.BadRequest{Err: errors.New("no words")}
	})
	handleRoute(d, mux, api.RouteRecollect, func(context.Context, api.Prompt) (api.Recollection, engine.Commit, error) {
		panic("before the reply")
	})
	handleRoute(d, mux, api.RouteOrient, func(context.Context, api.Session) (api.Recollection, engine.Commit, error) {
		return api.Recollection{Context: "The pool has 40 connections."}, func(error) { panic("after the reply") }, nil
	})
	tests := []struct{ name, request, status, body, log string }{
		{"handled", "POST /memories", "500", "index out of range", "level=WARN msg=\"request failed\" route=/memories"},
		{"again", "POST /memories", "500", "index out of range", "route=/memories"},
		{"an error of the server", "POST /import", "500", "disk is broken", "level=WARN msg=\"request failed\" route=/import"},
		{"a mistake of the client", "GET /search", "400", "no words", ""},
		{"delivered before", "POST /recollect", "500", "before the reply", "route=/recollect"},
		{"delivered after", "POST /orient", "200", "40 connections", "after the reply"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out.Reset()
			var handled sync.WaitGroup
			conn := dialServer(t, waitedFor(mux, &handled))
			fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: recollect\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", tt.request)
			reply, err := io.ReadAll(conn)
			handled.Wait() // what comes after the reply is logged, too
			if err != nil || !strings.Contains(string(reply), " "+tt.status+" ") || !strings.Contains(string(reply), tt.body) {
				t.Errorf("reply %q, %v", reply, err)
			}
			if got := out.String(); !strings.Contains(got, tt.log) || tt.log == "" && got != "" {
				t.Errorf("log %q, want %q", got, tt.log)
			}
		})
	}
}

// waitedFor returns h, whose requests count as handled when it is done with them.
func waitedFor(h http.Handler, handled *sync.WaitGroup) http.Handler {
	handled.Add(1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer handled.Done()
		h.ServeHTTP(w, r)
	})
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
