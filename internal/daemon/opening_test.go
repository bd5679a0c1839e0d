package daemon

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"recollect/internal/engine"
	"recollect/internal/store"
)

// While the engine opens, some requests are answered at once and others wait
// for it. What was accepted meanwhile is done then.
func TestRequestsWhileOpening(t *testing.T) {
	home := newHome(t)
	d, err := newDaemon(home, "1.0.0", quiet, func() {})
	if err != nil {
		t.Fatal(err)
	}
	handler := d.handler(t.Context())
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)).WithContext(t.Context()))
		return w
	}
	if w := ask("GET", "/health", ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"index":"opening"`) ||
		!strings.Contains(w.Body.String(), `"opening":true`) {
		t.Errorf("health = %d %s, want it to be opening", w.Code, w.Body)
	}
	if w := ask("GET", "/config", ""); w.Code != http.StatusOK {
		t.Errorf("config = %d %s", w.Code, w.Body)
	}
	own := `{"tool":"mcp__plugin_recollect_memory__memory_search"}`
	if w := ask("POST", "/tool", own); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"allow":true`) {
		t.Errorf("a call of our own tool = %d %s, want it allowed", w.Code, w.Body)
	}
	const flush = `{"sessionId":"s1","transcriptPath":"/none.jsonl"}`
	for i := range maxWaiting {
		if w := ask("POST", "/flush", flush); w.Code != http.StatusAccepted {
			t.Fatalf("flush %d = %d %s, want 202", i, w.Code, w.Body)
		}
	}
	if w := ask("POST", "/flush", flush); w.Code != http.StatusServiceUnavailable {
		t.Errorf("flush with too many waiting = %d, want 503", w.Code)
	}
	answered := make(chan int, 1)
	go func() { answered <- ask("POST", "/recollect", `{"prompt":"how big is the pool?"}`).Code }()

	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), home, lock, d.settings, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(e.Close(), lock.Release()); err != nil {
			t.Error(err)
		}
	}()
	d.engine.resolve(e, nil)
	if code := <-answered; code != http.StatusOK {
		t.Errorf("the prompt is answered with %d, want 200", code)
	}
	if w := ask("POST", "/flush", flush); w.Code != http.StatusServiceUnavailable {
		t.Errorf("one more flush = %d, want 503: the engine has as many to do as it takes", w.Code)
	}
}
