//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxRequest is the largest size of a request in bytes; real ones have some 50 kB.
const maxRequest = 16 << 20

// A turn is one scripted answer of the model: text, a tool call, or both.
type turn struct {
	text  string
	tool  string
	input map[string]any
}

// A request is what the client sent to the model.
type request struct {
	Messages []message `json:"messages"`
	Tools    []any     `json:"tools"`
	Stream   bool      `json:"stream"`
	Model    string    `json:"model"`
}

// A message is one message of a request. Its content is a string or a list of blocks.
type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

// text returns the text of all blocks of m.
func (m message) text() string { return contentText(m.Content) }

func contentText(content any) string {
	switch c := content.(type) {
	case string:
		return c
	case []any:
		var b strings.Builder
		for _, block := range c {
			b.WriteString(contentText(block) + "\n")
		}
		return b.String()
	case map[string]any:
		if s, ok := c["text"].(string); ok {
			return s
		}
		return contentText(c["content"])
	}
	return ""
}

// An api stands in for the Messages API on loopback.
type api struct {
	server *httptest.Server

	mu       sync.Mutex
	turns    []turn
	ofAgents []turn // the next answers to sub-agents
	requests []request
	agents   []request // requests of sub-agents
	asked    []request // by recollect itself, through the client's command
	choose   []string  // words of what recollect's questions are answered with
	answers  int
}

func newAPI() *api {
	a := &api{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", a.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"input_tokens":1000}`)
	})
	mux.HandleFunc("HEAD /", func(http.ResponseWriter, *http.Request) {})
	a.server = httptest.NewServer(mux)
	return a
}

// say sets the next answers of the model, after which it answers everything with "OK.", and forgets all
// requests so far.
func (a *api) say(turns ...turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turns, a.requests, a.agents = turns, nil, nil
}

// forAgents sets the next answers to sub-agents, after which one ends at once.
func (a *api) forAgents(turns ...turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ofAgents = turns
}

// find returns the first request whose last user message contains prompt.
func (a *api) find(prompt string) (request, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.requests {
		if i := r.lastUser(); i >= 0 && strings.Contains(r.Messages[i].text(), prompt) {
			return r, true
		}
	}
	return request{}, false
}

// lastUser returns the index of the last message of role user, or -1.
func (r request) lastUser() int {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return i
		}
	}
	return -1
}

// text returns the text of all messages.
func (r request) text() string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.text() + "\n")
	}
	return b.String()
}

// promptContext returns the text that hooks of UserPromptSubmit added to the prompt of r, or "". Current
// models get it in a message of role system after the prompt, older ones in a <system-reminder> before
// it, in the same message.
func (r request) promptContext() string {
	const mark = "UserPromptSubmit hook additional context: "
	last := r.lastUser()
	if last < 0 {
		return ""
	}
	if last+1 < len(r.Messages) {
		_, text, _ := strings.Cut(r.Messages[last+1].text(), mark)
		return text
	}
	before, text, found := strings.Cut(r.Messages[last].text(), mark)
	if !found || !strings.HasSuffix(before, "<system-reminder>\n") {
		return ""
	}
	text, _, _ = strings.Cut(text, "</system-reminder>")
	return text
}

// messages answers a request and stores it. Requests without tools, such as those for titles, are not
// part of the conversation. Those of sub-agents are stored separately and answered with one word.
func (a *api) messages(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	var req request
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, n := turn{text: `{"title": "A title"}`}, 0
	switch agent := r.Header.Get("X-Claude-Code-Agent-Id"); {
	case strings.Contains(req.text(), "[RECOLLECT_INTERNAL]"):
		answer = a.chooseFor(req)
	case len(req.Tools) == 0:
	case agent == "":
		answer, n = a.next(req)
	default:
		answer, n = a.nextOfAgent(req)
	}
	reply := newReply(req.Model, n, answer)
	if !req.Stream {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(reply)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream(w, reply)
}

// chooseFor stores a question of recollect, and returns the numbers of the lines that have the words of choose.
func (a *api) chooseFor(req request) turn {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, req)
	var numbers []string
	for line := range strings.Lines(req.text()) {
		number, text, _ := strings.Cut(line, ". ")
		_, err := strconv.Atoi(number)
		if err == nil && slices.ContainsFunc(a.choose, func(words string) bool { return strings.Contains(text, words) }) {
			numbers = append(numbers, number)
		}
	}
	return turn{text: `{"yes": [` + strings.Join(numbers, ", ") + `]}`}
}

// next stores req and returns the turn that answers it.
func (a *api) next(req request) (turn, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, req)
	a.answers++
	if len(a.turns) == 0 {
		return turn{text: "OK."}, a.answers
	}
	t := a.turns[0]
	a.turns = a.turns[1:]
	return t, a.answers
}

// nextOfAgent stores a request of a sub-agent, and returns the turn that answers it.
func (a *api) nextOfAgent(req request) (turn, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.agents = append(a.agents, req)
	a.answers++
	if len(a.ofAgents) == 0 {
		return turn{text: "I have looked at it."}, a.answers
	}
	t := a.ofAgents[0]
	a.ofAgents = a.ofAgents[1:]
	return t, a.answers
}

// seen returns the last request of the conversation, and those of sub-agents.
func (a *api) seen() (last request, agents []request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.requests); n > 0 {
		last = a.requests[n-1]
	}
	return last, a.agents
}

// A reply is a message of the model in the form of the API.
type reply struct {
	ID         string           `json:"id"`
	Type       string           `json:"type"`
	Role       string           `json:"role"`
	Model      string           `json:"model"`
	Content    []map[string]any `json:"content"`
	StopReason *string          `json:"stop_reason"`
	Usage      map[string]int   `json:"usage"`
}

func newReply(model string, n int, t turn) reply {
	stop := "end_turn"
	r := reply{ID: fmt.Sprintf("msg_%d", n), Type: "message", Role: "assistant", Model: model,
		StopReason: &stop, Usage: map[string]int{"input_tokens": 1000, "output_tokens": 10}}
	if t.text != "" {
		r.Content = append(r.Content, map[string]any{"type": "text", "text": t.text})
	}
	if t.tool != "" {
		stop = "tool_use"
		r.Content = append(r.Content, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", n), "name": t.tool, "input": t.input})
	}
	return r
}

// stream sends r as server-sent events, each block in one piece.
func stream(w io.Writer, r reply) {
	send := func(event string, fields map[string]any) {
		fields["type"] = event
		data, _ := json.Marshal(fields) // cannot fail: maps of strings and numbers
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
	}
	head := r
	head.Content, head.StopReason = []map[string]any{}, nil
	send("message_start", map[string]any{"message": head})
	for i, block := range r.Content {
		start, delta := pieces(block)
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": r.StopReason, "stop_sequence": nil}, "usage": r.Usage})
	send("message_stop", map[string]any{})
}

// pieces divides a block into its empty beginning and the rest.
func pieces(block map[string]any) (start, delta map[string]any) {
	if block["type"] == "text" {
		return map[string]any{"type": "text", "text": ""},
			map[string]any{"type": "text_delta", "text": block["text"]}
	}
	input, _ := json.Marshal(block["input"]) // cannot fail: written in this package's tests
	return map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}},
		map[string]any{"type": "input_json_delta", "partial_json": string(input)}
}
