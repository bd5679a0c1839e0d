package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shortDir returns a new folder whose path leaves room for a socket's.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// listen serves home with a program that hands each connection to answer.
func listen(t *testing.T, home string, answer func(net.Conn)) {
	t.Helper()
	listenAt(t, SocketPath(home), answer)
}

func listenAt(t *testing.T, path string, answer func(net.Conn)) {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return // closed by the cleanup
			}
			answer(conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
}

// replying reads a request whole and answers every one with the same bytes.
func replying(reply string) func(net.Conn) {
	return func(conn net.Conn) {
		if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			io.Copy(io.Discard, r.Body)
			io.WriteString(conn, reply)
		}
	}
}

// ok is a reply of the daemon with a body.
func ok(status, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\n%s: 1.0.0\r\nContent-Length: %d\r\n\r\n%s", status, VersionHeader, len(body), body)
}

func TestClientReplies(t *testing.T) {
	tests := []struct {
		name    string
		reply   string
		want    Health
		status  int    // of the StatusError wanted, or 0
		message string // part of the error wanted
	}{
		{name: "good", reply: ok("200 OK", `{"pid":7,"later":[1]}`), want: Health{PID: 7}},
		{name: "no body", reply: ok("202 Accepted", "")},
		{name: "no length", reply: "HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\n\r\n"},
		{name: "headers in other case", reply: "HTTP/1.0 200\r\nrecollect-version:1\r\ncontent-length:  9\r\n\r\n{\"pid\":7}", want: Health{PID: 7}},
		{name: "more than the length", reply: ok("200 OK", `{"pid":7}`) + "and more", want: Health{PID: 7}},
		{name: "refused", reply: ok("404 Not Found", `{"error":"no such memory"}`), status: 404, message: "no such memory"},
		{name: "refused without a reason", reply: ok("500 Oh", `<html>`), status: 500, message: "daemon answered with status 500"},
		{name: "refused with nothing", reply: ok("503 Busy", ""), status: 503, message: "daemon answered with status 503"},
		{name: "redirected", reply: ok("301 Moved", ""), status: 301, message: "daemon answered with status 301"},
		{name: "nothing", reply: "", message: "EOF"},
		{name: "garbage", reply: "SSH-2.0-OpenSSH_9.6\r\n", message: "not HTTP"},
		{name: "zeros", reply: strings.Repeat("\x00", 1<<16), message: "EOF"},
		{name: "status is no number", reply: "HTTP/1.1 fine\r\n\r\n", message: "not HTTP"},
		{name: "half a head", reply: "HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\n", message: "EOF"},
		{name: "half a body", reply: "HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: 10\r\n\r\n{\"pid\"", message: "unexpected EOF"},
		{name: "body is no JSON", reply: ok("200 OK", "pid 7"), message: "decode reply"},
		{name: "body of another form", reply: ok("200 OK", `{"pid":"seven"}`), message: "decode reply"},
		{name: "length beyond bounds", reply: "HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: 99999999999\r\n\r\n", message: "bad length"},
		{name: "length beyond numbers", reply: "HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: 99999999999999999999\r\n\r\n", message: "bad length"},
		{name: "length below zero", reply: "HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: -1\r\n\r\n", message: "bad length"},
		{name: "length larger than the body", reply: fmt.Sprintf("HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: %d\r\n\r\n{}", maxReply), message: "unexpected EOF"},
		{name: "somebody else", reply: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", message: "not from a recollect daemon"},
		{name: "somebody else refuses", reply: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", message: "not from a recollect daemon"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := shortDir(t)
			listen(t, home, replying(tt.reply))
			got, err := (&Client{Home: home}).Health(t.Context())
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Health() (-want +got):\n%s", diff)
			}
			if tt.message == "" {
				if err != nil {
					t.Errorf("Health() error = %v, want none", err)
				}
				return
			}
			var refused *StatusError
			if err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("Health() error = %v, want %q in it", err, tt.message)
			}
			if tt.status != 0 && (!errors.As(err, &refused) || refused.Status != tt.status) {
				t.Errorf("Health() error = %#v, want status %d", err, tt.status)
			}
			if (tt.status == 0) != errors.Is(err, ErrNoDaemon) {
				t.Errorf("Health() error = %v: is ErrNoDaemon = %t", err, errors.Is(err, ErrNoDaemon))
			}
		})
	}
}

func TestClientSends(t *testing.T) {
	home := shortDir(t)
	type request struct{ Line, Version, Body string }
	got := make(chan request, 1)
	listen(t, home, func(conn net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			got <- request{Line: err.Error()}
			return
		}
		b, _ := io.ReadAll(r.Body)
		got <- request{r.Method + " " + r.RequestURI, r.Header.Get(VersionHeader), string(b)}
		io.WriteString(conn, ok("200 OK", "{}"))
	})
	c := &Client{Home: home, Version: "1.0.0"}
	tests := []struct {
		name string
		call func(context.Context) error
		want request
	}{
		{"flush", func(ctx context.Context) error { return c.Flush(ctx, Flush{SessionID: "s", Reason: "Stop"}) },
			request{"POST /flush", "1.0.0", `{"sessionId":"s","transcriptPath":"","cwd":"","reason":"Stop"}`}},
		{"search", func(ctx context.Context) error {
			_, err := c.Search(ctx, Search{Query: "a&b c", Project: "p", Limit: 3})
			return err
		},
			request{"GET /search?cwd=&limit=3&project=p&q=a%26b+c&source=", "1.0.0", ""}},
		{"export from the start", func(ctx context.Context) error { _, err := c.Export(ctx, ""); return err },
			request{"GET /memories?after=", "1.0.0", ""}},
		{"stats of all time", func(ctx context.Context) error { _, err := c.Stats(ctx, time.Time{}); return err },
			request{"GET /stats", "1.0.0", ""}},
		{"id with a slash and a line end", func(ctx context.Context) error { _, err := c.Memory(ctx, "../a b\r\nX: y"); return err },
			request{"GET /memories/..%2Fa%20b%0D%0AX:%20y", "1.0.0", ""}},
		{"shutdown", c.Shutdown, request{"POST /shutdown", "1.0.0", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.call(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, <-got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

// A daemon that hangs must not hang its clients: ctx ends every call.
func TestClientGivesUp(t *testing.T) {
	tests := []struct {
		name   string
		begins string // what the daemon says before it falls silent
	}{
		{"silent", ""},
		{"silent in the head", "HTTP/1.1 200 OK\r\nContent-"},
		{"silent in the body", "HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: 10\r\n\r\n{"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := shortDir(t)
			ctx, cancel := context.WithCancel(t.Context())
			listen(t, home, func(conn net.Conn) {
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, tt.begins)
				cancel()
				conn.Read(make([]byte, 1)) // until the client leaves
			})
			if _, err := (&Client{Home: home}).Health(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNoDaemon) {
				t.Errorf("Health() error = %v, want %v alone", err, context.Canceled)
			}
		})
	}
}

func TestClientWithoutDaemon(t *testing.T) {
	stale := shortDir(t)
	l, err := net.Listen("unix", SocketPath(stale))
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	file := shortDir(t)
	if err := os.WriteFile(SocketPath(file), []byte("no socket"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, home string }{
		{"no socket", shortDir(t)},
		{"no folder", filepath.Join(shortDir(t), "none")},
		{"stale socket", stale},
		{"a file where the socket should be", file},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &Client{Home: tt.home}
			if _, err := c.Health(t.Context()); !errors.Is(err, ErrNoDaemon) {
				t.Errorf("Health() error = %v, want ErrNoDaemon", err)
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := c.Health(ended); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNoDaemon) {
				t.Errorf("Health() error = %v, want %v alone", err, context.Canceled)
			}
		})
	}
}

func TestClientRefusesLargeRequests(t *testing.T) {
	c := &Client{Home: shortDir(t)}
	_, err := c.Recollect(t.Context(), Prompt{Prompt: strings.Repeat("x", MaxBody)})
	if err == nil || errors.Is(err, ErrNoDaemon) {
		t.Errorf("Recollect() of more than MaxBody: error = %v, want one that starts no daemon", err)
	}
}
