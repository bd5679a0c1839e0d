package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"recollect/internal/api"
)

// A server that embedded the memories and is gone when a prompt comes leaves
// words alone, and explain says so.
func TestExplainWithoutServer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"embeddings": [[0.6, 0.8]]}`)
	}))
	defer server.Close()
	home := newHome(t)
	configure(t, home, "[embedder]\nkind = \"ollama\"\nmodel = \"m\"\nurl = \""+server.URL+"\"\n")
	r := start(t, home)
	id := r.remember("the database pool has 40 connections")[0]
	r.embeds("ollama, ready", 1)
	server.Close()

	got, err := r.Explain(t.Context(), api.Prompt{Prompt: "how many connections has the database pool?", Cwd: "/home/dev/src/app"})
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range got.Retrievers {
		missing := way.Embedder == "ollama" && way.Found == 0 && strings.Contains(way.State, server.URL)
		if ready := way.State == "ready"; ready != (way.Name == "bm25") || missing != (way.Name == "vector") {
			t.Errorf("%+v, want words ready and meaning missing with the reason", way)
		}
	}
	if len(got.Retrievers) != 2 || len(got.Candidates) != 1 || got.Candidates[0].ID != id || got.Candidates[0].VectorRank != 0 {
		t.Errorf("explanation = %+v, want %s found by words", got, id)
	}
	h := r.health()
	if !strings.HasPrefix(h.Embedder, "ollama: failing since ") || len(h.Problems) != 1 {
		t.Errorf("Health() = %q, problems %q, want the failure", h.Embedder, h.Problems)
	}
}
