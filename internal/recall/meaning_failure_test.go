package recall

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
)

// openServed is open with vectors that a server made which answers as an
// Ollama does, until the returned function is called: from then on it does
// what fail says.
func openServed(t *testing.T, fail http.HandlerFunc, ms ...memory.Memory) (r *Recall, failNow func()) {
	t.Helper()
	well := make(chan bool, 1) // holds one as long as the server answers
	well <- true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body) // else the server would not notice that the client has left
		if len(well) == 0 {
			fail(w, req)
			return
		}
		fmt.Fprint(w, `{"embeddings": [[0.6, 0.8]]}`)
	}))
	t.Cleanup(server.Close)
	settings := config.Embedder{Kind: config.EmbedderOllama, Model: "m", URL: server.URL, Timeout: config.Duration(50 * time.Millisecond)}
	v := meanings(t, settings, ms...)
	r = open(t, ms...)
	r.UseVectors(v)
	return r, func() { <-well }
}

// An embedder that fails leaves the words to answer as if there were no
// vectors, and the explanation says that meaning is missing and why.
func TestMeaningFails(t *testing.T) {
	tests := []struct {
		name string
		fail http.HandlerFunc
		want string // part of the reason
	}{
		{"overloaded", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, "503 Service Unavailable"},
		{"refuses the prompt", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "too long", http.StatusBadRequest) }, "400 Bad Request: too long"},
		{"silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no answer within 50ms"},
		{"another model", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"embeddings": [[1, 2, 3]]}`) }, "3 dimensions, where it had 2 before"},
	}
	ms := []memory.Memory{pool("note-1"), inbox("note-2", "A pool of cars", "Nobody drives."), inbox("note-3", "Tea is at five", "")}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, failNow := openServed(t, tt.fail, ms...)
			before := recall(t, r, ask(t, "the weather in Rome")).Explanation
			if got := before.Retrievers[1]; got.State != "ready" || got.Found != len(ms) {
				t.Errorf("before the failure: %+v, want all found by meaning", got)
			}
			failNow()
			got := recall(t, r, ask(t, prompted))
			vector := got.Explanation.Retrievers[1]
			if vector.Name != "vector" || vector.Embedder != "ollama" || vector.Found != 0 || !strings.Contains(vector.State, tt.want) || strings.Contains(vector.State, "\n") {
				t.Errorf("vector = %+v, want a state with %q", vector, tt.want)
			}
			want := recall(t, open(t, ms...), ask(t, prompted))
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(api.Explanation{}, "Retrievers")); diff != "" {
				t.Errorf("with words alone, -want +got:\n%s", diff)
			}
			if len(got.Injected) == 0 {
				t.Error("nothing is injected")
			}
		})
	}
}
