package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"recollect/internal/memory"
)

// ErrNoDaemon means that nobody listens on the socket, or somebody who is no
// daemon of ours. A caller may start one and try again.
var ErrNoDaemon = errors.New("no daemon answers")

// maxReply bounds what a reply may hold, in bytes: a foreign program on the
// socket must not fill our memory.
const maxReply = 64 << 20

// A StatusError is a request that the daemon refused.
type StatusError struct {
	Status  int
	Message string
}

func (e *StatusError) Error() string { return e.Message }

// Client asks the daemon of one data folder. Every call makes one connection.
type Client struct {
	Home    string
	Version string // of this program, told to the daemon
}

// Recollect asks what bears on a prompt.
func (c *Client) Recollect(ctx context.Context, p Prompt) (Recollection, error) {
	return call[Recollection](ctx, c, "POST", RouteRecollect, p)
}

// Orient asks what a session should know at its start.
func (c *Client) Orient(ctx context.Context, s Session) (Recollection, error) {
	return call[Recollection](ctx, c, "POST", RouteOrient, s)
}

// Tool asks what bears on a tool call.
func (c *Client) Tool(ctx context.Context, t ToolCall) (Recollection, error) {
	return call[Recollection](ctx, c, "POST", RouteTool, t)
}

// Agent asks what bears on the task of a sub-agent.
func (c *Client) Agent(ctx context.Context, a Agent) (Recollection, error) {
	return call[Recollection](ctx, c, "POST", RouteAgent, a)
}

// Flush hands a transcript to capture.
func (c *Client) Flush(ctx context.Context, f Flush) error {
	_, err := call[struct{}](ctx, c, "POST", RouteFlush, f)
	return err
}

// Observe tells how a tool call ended.
func (c *Client) Observe(ctx context.Context, o Observation) error {
	_, err := call[struct{}](ctx, c, "POST", RouteObserve, o)
	return err
}

// Health asks the daemon how it is.
func (c *Client) Health(ctx context.Context) (Health, error) {
	return call[Health](ctx, c, "GET", RouteHealth, nil)
}

// Search looks for memories; project and source may be empty, limit zero.
func (c *Client) Search(ctx context.Context, query, cwd, project, source string, limit int) (SearchReply, error) {
	q := url.Values{"q": {query}, "cwd": {cwd}, "project": {project}, "source": {source}, "limit": {strconv.Itoa(limit)}}
	return call[SearchReply](ctx, c, "GET", RouteSearch+"?"+q.Encode(), nil)
}

// ExplainSearch does what Search does; the reply has the explanation too.
func (c *Client) ExplainSearch(ctx context.Context, query, cwd, project, source string, limit int) (SearchReply, error) {
	q := url.Values{
		"q": {query}, "cwd": {cwd}, "project": {project}, "source": {source}, "limit": {strconv.Itoa(limit)}, "explain": {"true"},
	}
	return call[SearchReply](ctx, c, "GET", RouteSearch+"?"+q.Encode(), nil)
}

// Explain shows how the recollection for a prompt comes about.
func (c *Client) Explain(ctx context.Context, p Prompt) (Explanation, error) {
	return call[Explanation](ctx, c, "POST", RouteExplain, p)
}

// Memory returns one memory.
func (c *Client) Memory(ctx context.Context, id string) (Shown, error) {
	return call[Shown](ctx, c, "GET", RouteMemories+"/"+url.PathEscape(id), nil)
}

// Expand returns several memories at once.
func (c *Client) Expand(ctx context.Context, e Expand) (Expanded, error) {
	return call[Expanded](ctx, c, "POST", RouteExpand, e)
}

// Remember stores memories and returns once they are durable.
func (c *Client) Remember(ctx context.Context, r Remember) (Remembered, error) {
	return call[Remembered](ctx, c, "POST", RouteMemories, r)
}

// Forget deletes a memory and returns what it was.
func (c *Client) Forget(ctx context.Context, id string) (memory.Memory, error) {
	return call[memory.Memory](ctx, c, "DELETE", RouteMemories+"/"+url.PathEscape(id), nil)
}

// Import takes the memories from one file.
func (c *Client) Import(ctx context.Context, i Import) (Imported, error) {
	return call[Imported](ctx, c, "POST", RouteImport, i)
}

// Consolidate joins memories that say the same, or tells which it would.
func (c *Client) Consolidate(ctx context.Context, in Consolidate) (Consolidated, error) {
	return call[Consolidated](ctx, c, "POST", RouteConsolidate, in)
}

// Export returns the page of all memories that comes after an id.
func (c *Client) Export(ctx context.Context, after string) (Export, error) {
	return call[Export](ctx, c, "GET", RouteMemories+"?after="+url.QueryEscape(after), nil)
}

// Stats tells what there is and what came of it since a time, or since ever.
func (c *Client) Stats(ctx context.Context, since time.Time) (Stats, error) {
	path := RouteStats
	if !since.IsZero() {
		path += "?since=" + url.QueryEscape(since.UTC().Format(time.RFC3339))
	}
	return call[Stats](ctx, c, "GET", path, nil)
}

// Config returns the settings in force.
func (c *Client) Config(ctx context.Context) (ConfigReply, error) {
	return call[ConfigReply](ctx, c, "GET", RouteConfig, nil)
}

// Shutdown asks the daemon to finish what it does and end.
func (c *Client) Shutdown(ctx context.Context) error {
	_, err := call[struct{}](ctx, c, "POST", RouteShutdown, nil)
	return err
}

// call sends one request and decodes its reply.
func call[Out any](ctx context.Context, c *Client, method, path string, in any) (Out, error) {
	var out Out
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return out, fmt.Errorf("encode request: %w", err)
		}
	}
	if len(body) > MaxBody {
		return out, fmt.Errorf("send request: %d bytes are more than the daemon takes (%d)", len(body), MaxBody)
	}
	reply, err := c.do(ctx, method, path, body)
	if err != nil || len(reply) == 0 {
		return out, err
	}
	if err := json.Unmarshal(reply, &out); err != nil {
		return out, fmt.Errorf("%w: decode reply: %w", ErrNoDaemon, err)
	}
	return out, nil
}

// do sends one request on a connection of its own and returns the body of
// the reply. ctx's deadline and cancellation end it at once.
func (c *Client) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	conn, err := dial(ctx, c.Home)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	reply, version, err := roundTrip(conn, c.Version, method, path, body)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if Older(version, c.Version) {
		c.Start() // the newer daemon asks the older one to leave; nothing to do if it cannot
	}
	return reply, err
}

func roundTrip(conn net.Conn, version, method, path string, body []byte) (reply []byte, theirs string, err error) {
	var req bytes.Buffer
	fmt.Fprintf(&req, "%s %s HTTP/1.1\r\nHost: recollect\r\n%s: %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		method, path, VersionHeader, version, len(body))
	req.Write(body)
	if _, err := conn.Write(req.Bytes()); err != nil {
		return nil, "", fmt.Errorf("%w: send request: %w", ErrNoDaemon, err)
	}
	r := bufio.NewReader(io.LimitReader(conn, maxReply))
	h, err := readHead(r)
	if err != nil {
		return nil, "", fmt.Errorf("%w: read reply: %w", ErrNoDaemon, err)
	}
	reply = make([]byte, h.length)
	if _, err := io.ReadFull(r, reply); err != nil {
		return nil, "", fmt.Errorf("%w: read reply: %w", ErrNoDaemon, err)
	}
	if h.status >= 300 {
		return nil, h.version, refusal(h.status, reply)
	}
	return reply, h.version, nil
}

// A head is what the status line and the headers of a reply say.
type head struct {
	status  int
	length  int
	version string
}

// readHead reads the status line and the headers. The daemon always gives the
// length of a body; without one there is none. A reply that does not carry
// the daemon's version is not the daemon's.
func readHead(r *bufio.Reader) (head, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return head{}, err
	}
	var h head
	proto, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	code, _, _ := strings.Cut(rest, " ")
	if h.status, err = strconv.Atoi(code); err != nil || !strings.HasPrefix(proto, "HTTP/1.") {
		return head{}, errors.New("not HTTP")
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
		if err := h.set(name, strings.TrimSpace(value)); err != nil {
			return head{}, err
		}
	}
	if h.version == "" {
		return head{}, errors.New("not from a recollect daemon")
	}
	return h, nil
}

func (h *head) set(name, value string) error {
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

func refusal(status int, body []byte) error {
	var f Failure
	if json.Unmarshal(body, &f) != nil || f.Error == "" {
		f.Error = "daemon answered with status " + strconv.Itoa(status)
	}
	return &StatusError{status, f.Error}
}
