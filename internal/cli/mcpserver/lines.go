package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"recollect/internal/system/regular"
)

// maxMessage is the most bytes that a message of an MCP client may have.
const maxMessage = 4 << 20

// lastAnswers is how long open requests may still take after the input has ended.
const lastAnswers = 30 * time.Second

// A messageReader passes on the lines of an MCP client that are messages. Without
// it, the SDK would end the session at the first other line. At the end of the
// input the SDK gives up open requests, so the reader passes the end on only when
// all requests are answered.
type messageReader struct {
	lines *regular.Lines
	warn  io.Writer
	rest  []byte // rest of the current line
	open  *openRequests
	ended <-chan struct{} // ends the wait for answers when closed
}

// Read reads the next bytes of the next message.
func (m *messageReader) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.lines.Next()
		if err != nil {
			m.open.waitForAnswers(m.ended, lastAnswers)
			return 0, err
		}
		text := bytes.TrimSpace(bytes.TrimPrefix(line.Text, []byte("\ufeff"))) // a Windows shell may write a byte order mark first
		if len(text) == 0 && !line.TooLong {
			continue
		}
		message, err := parseMessage(line.TooLong, text)
		if err != nil {
			fmt.Fprintf(m.warn, "recollect: line %d is no message of MCP, and is passed over: %v\n", line.Number, err)
			continue
		}
		m.open.addRequest(message)
		m.rest = append(text, '\n')
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func parseMessage(tooLong bool, line []byte) (jsonrpc.Message, error) {
	if tooLong {
		return nil, fmt.Errorf("it has more than %d MiB", maxMessage>>20)
	}
	if !json.Valid(line) {
		return nil, fmt.Errorf("it is no JSON")
	}
	if line[0] != '{' {
		return nil, fmt.Errorf("it is no JSON object")
	}
	return jsonrpc.DecodeMessage(line)
}

// Close does nothing: standard input ends with the process.
func (m *messageReader) Close() error { return nil }

// A messageWriter is standard output, which Close leaves open.
type messageWriter struct {
	io.Writer
	open *openRequests
}

// Write writes a message.
func (w messageWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if message, bad := jsonrpc.DecodeMessage(p); bad == nil {
		w.open.dropAnswered(message)
	}
	return n, err
}

func (messageWriter) Close() error { return nil }

// newMessages returns the reader and the writer of a session with an MCP client.
func newMessages(ctx context.Context, r io.Reader, w, warn io.Writer) (*messageReader, messageWriter) {
	open := &openRequests{ids: map[any]int{}, news: make(chan struct{}, 1)}
	return &messageReader{lines: regular.NewLines(r, maxMessage), warn: warn, open: open, ended: ctx.Done()}, messageWriter{w, open}
}

// openRequests counts the requests without an answer, by id.
type openRequests struct {
	mu   sync.Mutex
	ids  map[any]int
	news chan struct{} // holds a token after an answer
}

func (o *openRequests) addRequest(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.ids[r.ID.Raw()]++
	}
}

func (o *openRequests) dropAnswered(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	id := r.ID.Raw()
	if o.ids[id]--; o.ids[id] <= 0 {
		delete(o.ids, id)
	}
	select {
	case o.news <- struct{}{}:
	default:
	}
}

// waitForAnswers waits until no request is open or ended is closed, at most for most.
func (o *openRequests) waitForAnswers(ended <-chan struct{}, most time.Duration) {
	late := time.After(most)
	for o.countOpen() > 0 {
		select {
		case <-o.news:
		case <-ended:
			return
		case <-late:
			return
		}
	}
}

func (o *openRequests) countOpen() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.ids)
}
