package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrNoDaemon means that no daemon of this user listens on the socket. A caller may start
// one and try again.
var ErrNoDaemon = errors.New("no daemon answers")

// ErrUnanswered means that a daemon accepted the connection and ended before it answered: it was
// about to end anyway, or died of the request. Such an error is an ErrNoDaemon too.
var ErrUnanswered = errors.New("the daemon ended before it answered")

// errCut means that a daemon ended before its reply was complete. The request must not be repeated.
// Such an error is an ErrNoDaemon too.
var errCut = errors.New("the daemon ended in its answer")

// maxReply is the most that is read of a reply, in bytes, so that a foreign program on
// the socket cannot fill our memory.
const maxReply = 64 << 20

// A StatusError is a request that the daemon refused.
type StatusError struct {
	Status  int
	Message string
	Cause   Cause // "" if the reply names none
}

// Error implements error.
func (e *StatusError) Error() string { return e.Message }

// A Question is a request that may be repeated if the daemon ends before it answers.
type Question[A any] func(context.Context, *Client) (A, error)

// With returns the question that makes a call with an input.
func With[In, A any](call func(*Client, context.Context, In) (A, error), in In) Question[A] {
	return func(ctx context.Context, c *Client) (A, error) { return call(c, ctx, in) }
}

// Client asks the daemon of one data folder. Every call makes one connection.
type Client struct {
	Home    string
	Version string // of this program, sent to the daemon
}

// call sends one request and returns its reply. What does not depend on the
// types is in ask, so that a hook links it once.
func call[In, Out any](ctx context.Context, c *Client, route Route[In, Out], in In) (out Out, err error) {
	err = c.ask(ctx, route.Method, route.Path, in, &out)
	return out, err
}

// ask sends one request and decodes its reply into out.
func (c *Client) ask(ctx context.Context, method, path string, in, out any) error {
	target, body, err := encodeRequest(path, in)
	if err != nil {
		return err
	}
	if len(body) > MaxBody {
		return fmt.Errorf("send request: %d bytes are more than the daemon takes (%d)", len(body), MaxBody)
	}
	reply, err := c.do(ctx, method, target, body)
	if err != nil || len(reply) == 0 {
		return err
	}
	if err := json.Unmarshal(reply, out); err != nil {
		return fmt.Errorf("%w: %w: decode reply: %w", ErrNoDaemon, errCut, err)
	}
	return nil
}

// do sends one request on a connection of its own and returns the body of
// the reply. ctx's deadline and cancellation end it at once.
func (c *Client) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	conn, err := Dial(c.Home)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, conn.Interrupt)
	defer stop()

	reply, version, err := roundTrip(conn, c.Version, method, path, body)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if Older(version, c.Version) {
		c.Start() // the newer daemon takes over; if it fails, the older one serves on
	}
	return reply, err
}

func roundTrip(conn io.ReadWriter, version, method, path string, body []byte) (reply []byte, theirs string, err error) {
	var req bytes.Buffer
	fmt.Fprintf(&req, "%s %s HTTP/1.1\r\nHost: recollect\r\n%s: %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		method, path, VersionHeader, version, len(body))
	req.Write(body)
	if _, err := conn.Write(req.Bytes()); err != nil {
		return nil, "", fmt.Errorf("%w: %w: send request: %w", ErrNoDaemon, ErrUnanswered, err)
	}
	r := bufio.NewReader(io.LimitReader(conn, maxReply))
	if _, err := r.Peek(1); err != nil {
		return nil, "", fmt.Errorf("%w: %w: read reply: %w", ErrNoDaemon, ErrUnanswered, err)
	}
	h, err := readHead(r)
	if errors.Is(err, errForeign) {
		return nil, "", fmt.Errorf("%w: read reply: %w", ErrNoDaemon, err)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w: read reply: %w", ErrNoDaemon, errCut, err)
	}
	reply = make([]byte, h.length)
	if _, err := io.ReadFull(r, reply); err != nil {
		return nil, "", fmt.Errorf("%w: %w: read reply: %w", ErrNoDaemon, errCut, err)
	}
	if h.status >= 300 {
		return nil, h.version, newRefusal(h.status, reply)
	}
	return reply, h.version, nil
}

type head struct {
	status  int
	length  int
	version string
}

// errForeign means that another program has answered.
var errForeign = errors.New("not from a recollect daemon")

// readHead reads the status line and the headers of a reply. Without a length there is no
// body. Without a version, the reply is not the daemon's.
func readHead(r *bufio.Reader) (head, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return head{}, err
	}
	var h head
	proto, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	code, _, _ := strings.Cut(rest, " ")
	if h.status, err = strconv.Atoi(code); err != nil || !strings.HasPrefix(proto, "HTTP/1.") {
		return head{}, fmt.Errorf("%w: not HTTP", errForeign)
	}
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return head{}, err
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "" {
			break
		}
		if err := h.setHeader(name, strings.TrimSpace(value)); err != nil {
			return head{}, err
		}
	}
	if h.version == "" {
		return head{}, errForeign
	}
	return h, nil
}

func (h *head) setHeader(name, value string) error {
	switch {
	case strings.EqualFold(name, "Content-Length"):
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > maxReply {
			return errors.New("bad length")
		}
		h.length = n
	case strings.EqualFold(name, VersionHeader):
		h.version = value
	}
	return nil
}

func newRefusal(status int, body []byte) error {
	var f Failure
	if json.Unmarshal(body, &f) != nil || f.Error == "" {
		f.Error = "daemon answered with status " + strconv.Itoa(status)
	}
	return &StatusError{status, f.Error, f.Cause}
}
