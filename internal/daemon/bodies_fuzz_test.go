package daemon

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"recollect/internal/api"
)

// fuzzedRoutes are those that change nothing outside of the data folder.
var fuzzedRoutes = []string{
	"POST /recollect", "POST /orient", "POST /tool", "POST /agent", "POST /flush", "POST /observe", "POST /explain", "POST /expand",
	"POST /memories", "POST /forget", "POST /consolidate", "POST /resume", "POST /handoff", "GET /search", "GET /list", "GET /ids", "GET /graph", "GET /memories", "GET /stats",
	"GET /timeline", "GET /projects", "GET /sessions", "GET /sessions/s1", "GET /days",
}

// A client may send any body and any query. What it gets is an answer that
// says whether it was at fault, and never that the daemon was.
func FuzzBodies(f *testing.F) {
	for i := range fuzzedRoutes {
		f.Add(uint8(i), []byte(`{"event":"UserPromptSubmit","sessionId":"s1","cwd":"/x","prompt":"how big is the pool?","memories":[{"source":"inbox","text":"x"}]}`), "q=pool&limit=3")
		f.Add(uint8(i), []byte(`{"tool":"Bash","input":{"command":"ls; \u0000"},"ids":["note-1",null],"matching":"/(a/","dryRun":true}`), "limit=-1&source=x&after=%00")
		f.Add(uint8(i), []byte(`[[[{"a":1e999`), "limit=99999999999999999999")
	}
	r := start(f, newHome(f))
	path := api.SocketPath(r.Home)
	f.Fuzz(func(t *testing.T, route uint8, body []byte, query string) {
		var method, target string
		fmt.Sscan(fuzzedRoutes[int(route)%len(fuzzedRoutes)], &method, &target)
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(patience))
		req, err := http.NewRequest(method, "http://recollect"+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.URL.RawQuery = escaped(query)
		fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: recollect\r\nContent-Length: %d\r\n\r\n%s", method, req.URL.RequestURI(), len(body), body)
		resp, err := http.ReadResponse(bufio.NewReader(conn), req)
		if err != nil {
			t.Fatalf("%s %s: %v", method, target, err)
		}
		resp.Body.Close()
		if resp.StatusCode >= 500 {
			t.Errorf("%s %s?%s %q: status %d", method, target, query, body, resp.StatusCode)
		}
	})
}

// escaped returns a query without what would end the request's first line.
func escaped(query string) string {
	out := []byte(query)
	for i, c := range out {
		if c <= ' ' || c >= 0x7f || c == '#' {
			out[i] = '+'
		}
	}
	return string(out)
}
