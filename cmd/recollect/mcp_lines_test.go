package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"recollect"
)

// badLines are lines that the SDK takes for the end of a session.
var badLines = []string{
	"", "\x00\xff", "no JSON", "{", "[]", "null", "42", "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0"}`,
	`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`,
	`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":9,"result":{}}`, `{"jsonrpc":"2.0","id":9,"method":"no/such"}`,
	`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":[]}`, `{"jsonrpc":"2.0","method":"notifications/none","params":7}`,
	strings.Repeat("[", 1<<20), strings.Repeat("x", maxMessage+1), `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("p", maxMessage) + `"}`,
}

// A client that sends nonsense between its requests gets answers to these.
func TestMCPSurvivesBadLines(t *testing.T) {
	stressHome(t)
	for _, bad := range badLines {
		requests := []string{
			`{"jsonrpc":"2.0","id":100,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, bad, `{"jsonrpc":"2.0","id":101,"method":"ping"}`,
		}
		in, client := io.Pipe()
		answers, out := io.Pipe()
		done := make(chan error, 1)
		go func() {
			server := newMCPServer(&app{terminal{nil, io.Discard, io.Discard}, recollect.Version()})
			done <- server.Run(t.Context(), &mcp.IOTransport{Reader: newMessageReader(in, io.Discard), Writer: out})
			out.Close()
		}()
		go func() {
			io.WriteString(client, strings.Join(requests, "\n")+"\n")
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

func FuzzMessages(f *testing.F) {
	for _, line := range badLines[:len(badLines)-3] {
		f.Add([]byte(line + "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := io.ReadAll(newMessageReader(iotest.OneByteReader(bytes.NewReader(in)), io.Discard))
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
