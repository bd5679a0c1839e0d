package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"recollect/internal/api"
)

// startModel starts a server that speaks Ollama's protocol and answers every
// question with answer(), or with status 500 where that is empty. It counts
// the questions.
func startModel(t *testing.T, answer func() string) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		text := answer()
		if text == "" {
			http.Error(w, "out of memory", http.StatusInternalServerError)
			return
		}
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(w, `{"message": {"role": "assistant", "content": %s}, "done": true}`, quoted)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// useModel has the server at url asked; more settings of [capture] may follow.
func useModel(t *testing.T, home, url, more string) {
	t.Helper()
	configure(t, home, fmt.Sprintf("[capture]\nextractor = \"ollama\"\nmodel = \"m\"\nurl = %q\n%s", url, more))
}

// Health tells of a model that fails; the rules' memories are there already.
func TestRefinementInHealth(t *testing.T) {
	home := t.TempDir()
	url, _ := startModel(t, func() string { return "" })
	useModel(t, home, url, "")
	path := filepath.Join(home, "s1.jsonl")
	if err := os.WriteFile(path, []byte(turn("1", "how do we warm the signals?", "A heating wire of 40 watts keeps them dry.")), 0o600); err != nil {
		t.Fatal(err)
	}
	e := openIdle(t, home)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx, stop) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	e.captureFlushed(ctx, api.Flush{SessionID: "s1", TranscriptPath: path, Reason: "Stop"})
	if e.Store.Len() == 0 {
		t.Error("the rules found nothing")
	}
	e.upkeep.Refinement.Pass(ctx, time.Now().Add(time.Hour))
	var h api.Health
	e.Health(&h)
	if !slices.ContainsFunc(h.Details, func(p api.Problem) bool { return p.Kind == api.ExtractorProblem }) {
		t.Errorf("Health() = %+v, want a problem of the extractor", h.Details)
	}
	if !slices.ContainsFunc(h.Problems, func(p string) bool {
		return strings.Contains(p, "extractor ollama: ") && strings.Contains(p, "out of memory")
	}) {
		t.Errorf("Health() = %q", h.Problems)
	}
}
