package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"recollect"
	"recollect/internal/api"
	"recollect/internal/cli/app"
)

// badLines are lines that the SDK takes for the end of a session.
var badLines = []string{
	"", "\x00\xff", "no JSON", "{", "[]", "null", "42", "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0"}`,
	`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`,
	`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":9,"result":{}}`, `{"jsonrpc":"2.0","id":9,"method":"no/such"}`,
	`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":[]}`, `{"jsonrpc":"2.0","method":"notifications/none","params":7}`,
	strings.Repeat("[", 1<<20), strings.Repeat("x", maxMessage+1), `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("p", maxMessage) + `"}`,
}

// A client that sends nonsense between its requests, behind a byte order mark, gets answers to these.
func TestMCPSurvivesBadLines(t *testing.T) {
	t.Setenv("RECOLLECT_HOME", t.TempDir())
	for _, bad := range badLines {
		requests := []string{
			`{"jsonrpc":"2.0","id":100,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, bad, `{"jsonrpc":"2.0","id":101,"method":"ping"}`,
		}
		in, client := io.Pipe()
		answers, out := io.Pipe()
		done := make(chan error, 1)
		go func() {
			server := newServer(&app.App{Terminal: app.Terminal{Out: io.Discard, Err: io.Discard}, Version: recollect.Version()})
			reader, writer := newMessages(t.Context(), in, out, io.Discard)
			done <- server.Run(t.Context(), &mcp.IOTransport{Reader: reader, Writer: writer})
			out.Close()
		}()
		go func() {
			io.WriteString(client, "\ufeff"+strings.Join(requests, "\n")+"\n")
		}()
		var got strings.Builder
		buf := make([]byte, 64<<10)
		for !strings.Contains(got.String(), `"id":101`) {
			n, err := answers.Read(buf)
			if got.Write(buf[:n]); err != nil {
				t.Errorf("after %.60q the session ended: %v", bad, <-done)
				break
			}
		}
		client.Close()
		answers.Close()
	}
}

// What was asked before the input ends is done and answered.
func TestMCPAnswersBeforeItEnds(t *testing.T) {
	client := serve(t)
	const (
		hello    = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
		begun    = hello + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
		remember = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"memory_remember","arguments":{"text":"%s"}}}` + "\n"
	)
	many, ids := begun, []string{"0"}
	for i := range 40 {
		many += fmt.Sprintf(remember, strconv.Itoa(100+i), fmt.Sprintf("crane number %d", i))
		ids = append(ids, strconv.Itoa(100+i))
	}
	tests := []struct {
		name, in string
		answers  []string // ids, in any order
		stored   string
	}{
		{"nothing", "", nil, ""},
		{"the handshake alone", hello, []string{"0"}, ""},
		{"a list", begun + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n", []string{"0", "1"}, ""},
		{"a memory", begun + fmt.Sprintf(remember, "2", "the heron stands"), []string{"0", "2"}, "the heron stands"},
		{"no line break at the end", begun + strings.TrimSpace(fmt.Sprintf(remember, "2", "the egret waits")), []string{"0", "2"}, "the egret waits"},
		{"line breaks of Windows", strings.ReplaceAll(begun+fmt.Sprintf(remember, "2", "the ibis walks"), "\n", "\r\n"), []string{"0", "2"}, "the ibis walks"},
		{"ids of text", begun + fmt.Sprintf(remember, `"a"`, "the stork nests"), []string{"0", `"a"`}, "the stork nests"},
		{"forty memories", many, ids, "crane number 39"},
		{"no handshake", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n", []string{"1"}, ""},
		{"an unknown method last", begun + `{"jsonrpc":"2.0","id":"x","method":"no/such"}` + "\n", []string{"0", `"x"`}, ""},
		{"half a line last", begun + fmt.Sprintf(remember, "2", "the grebe dives") + `{"jsonrpc":"2.0","id":3,"met`, []string{"0", "2"}, "the grebe dives"},
		{"no message last", begun + fmt.Sprintf(remember, "2", "the swan sleeps") + "nonsense\n", []string{"0", "2"}, "the swan sleeps"},
		{"a notification last", begun + fmt.Sprintf(remember, "2", "the rail hides") + `{"jsonrpc":"2.0","method":"notifications/none"}` + "\n", []string{"0", "2"}, "the rail hides"},
		{"an answer to nothing last", begun + fmt.Sprintf(remember, "2", "the coot calls") + `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n", []string{"0", "2"}, "the coot calls"},
		{"one that was taken back", begun + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n", []string{"0", "2"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			in, out := newMessages(t.Context(), strings.NewReader(tt.in), &got, io.Discard)
			began := time.Now()
			server := newServer(&app.App{Terminal: app.Terminal{Out: io.Discard, Err: io.Discard}, Version: recollect.Version()})
			if err := server.Run(t.Context(), &mcp.IOTransport{Reader: in, Writer: out}); err != nil && !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			if took := time.Since(began); took >= lastAnswers {
				t.Errorf("took %s, want an end once all is answered", took)
			}
			var answers []string
			for line := range strings.Lines(got.String()) {
				answers = append(answers, gjson.Get(line, "id").Raw)
			}
			slices.Sort(answers)
			slices.Sort(tt.answers)
			if !slices.Equal(answers, tt.answers) {
				t.Errorf("answers to %v, want to %v", answers, tt.answers)
			}
			if found, err := client.Search(t.Context(), api.Search{Query: tt.stored, Limit: 1}); tt.stored != "" && (err != nil || len(found.Results) == 0 || found.Results[0].Memory.Text != tt.stored) {
				t.Errorf("found %+v, %v; want %q", found.Results, err, tt.stored)
			}
		})
	}
}

// A client that is gone does not keep us.
func TestMCPEndsForAClientThatIsGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := newMessages(ctx, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), io.Discard, io.Discard)
	cancel()
	if _, err := io.ReadAll(in); err != nil {
		t.Fatal(err)
	}
}

func FuzzMessages(f *testing.F) {
	for _, line := range badLines[:len(badLines)-3] {
		f.Add([]byte(line + "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		gone, cancel := context.WithCancel(t.Context())
		cancel() // nobody waits for answers
		reader, _ := newMessages(gone, iotest.OneByteReader(bytes.NewReader(in)), io.Discard, io.Discard)
		out, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out) {
			if _, err := jsonrpc.DecodeMessage(bytes.TrimSpace(line)); err != nil {
				t.Errorf("%q was passed on: %v", line, err)
			}
		}
	})
}
