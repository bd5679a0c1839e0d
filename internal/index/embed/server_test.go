package embed

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
)

var quiet = slog.New(slog.DiscardHandler)

// serverSettings are those for a server's model, with a deadline that no test
// should need.
func serverSettings(kind, url, model string) config.Embedder {
	if kind == config.EmbedderOpenAI {
		url += "/v1"
	}
	return config.Embedder{Kind: kind, URL: url, Model: model, Timeout: config.Duration(10 * time.Second)}
}

func open(t *testing.T, s config.Embedder) *Embedder {
	t.Helper()
	e, err := Open(s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

var protocols = []string{config.EmbedderOllama, config.EmbedderOpenAI}

func TestServers(t *testing.T) {
	url := startServer(t)
	for _, kind := range protocols {
		t.Run(kind, func(t *testing.T) {
			e := open(t, serverSettings(kind, url, "good"))
			if state, err := e.Status(); state != "not asked yet" || err != nil || e.Version() != "" || e.Dims() != 0 {
				t.Errorf("before the first text: %q, %v, version %q, %d dims", state, err, e.Version(), e.Dims())
			}
			texts := []string{"the cat\nsat", " ", "a dog"}
			want := []string{texts[0], texts[1], texts[2]}
			got, err := e.EmbedDocuments(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([][]float32{mustUnit(t, texts[0]), nil, mustUnit(t, texts[2])}, got); diff != "" {
				t.Errorf("vectors differ:\n%s", diff)
			}
			if diff := cmp.Diff(want, texts); diff != "" {
				t.Errorf("EmbedDocuments changed its input:\n%s", diff)
			}
			query, err := e.EmbedQuery(t.Context(), "a dog")
			if err != nil || !cmp.Equal(query, got[2]) {
				t.Errorf("EmbedQuery = %v, %v, want %v", query, err, got[2])
			}
			if state, err := e.Status(); state != "ready" || err != nil {
				t.Errorf("Status = %q, %v", state, err)
			}
			again := open(t, serverSettings(kind, url, "good"))
			if _, err := again.EmbedQuery(t.Context(), "other words"); err != nil {
				t.Fatal(err)
			}
			if e.Version() == "" || e.Version() != again.Version() || e.Dims() != 4 {
				t.Errorf("versions %q and %q, %d dims", e.Version(), again.Version(), e.Dims())
			}
		})
	}
}

func mustUnit(t *testing.T, text string) []float32 {
	t.Helper()
	v, err := unit(wordVector(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestBadServers(t *testing.T) {
	url := startServer(t)
	tests := []struct {
		model string
		want  map[string]string // by protocol; "" for both
	}{
		{"nan", map[string]string{"": "invalid character 'N'"}},
		{"infinite", map[string]string{"": "1e39"}},
		{"zeros", map[string]string{"": "vector of zeros"}},
		{"empty", map[string]string{"": "vector of 0 dimensions"}},
		{"null", map[string]string{"": "vector of 0 dimensions"}},
		{"half", map[string]string{"ollama": "no response", "openai": "empty response"}},
		{"double", map[string]string{"ollama": "not all input got embedded", "openai": "unexpected length"}},
		{"page", map[string]string{"": "it answered 502 Bad Gateway: a page of HTML"}},
		{"proxy", map[string]string{"": "something other than JSON: a page of HTML"}},
		{"endless", map[string]string{"": "more than 1048576 bytes"}},
		{"missing", map[string]string{"": `404 Not Found: {"error": "model not found, try pulling it first"}`}},
		{"elsewhere", map[string]string{"": "307 Temporary Redirect"}},
		{"secret", map[string]string{"": "401 Unauthorized"}},
	}
	for _, tt := range tests {
		for _, kind := range protocols {
			t.Run(tt.model+"/"+kind, func(t *testing.T) {
				e := open(t, serverSettings(kind, url, tt.model))
				_, err := e.EmbedDocuments(t.Context(), []string{"a cat"})
				want := tt.want[""] + tt.want[kind]
				if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 || strings.Contains(err.Error(), "\n") {
					t.Errorf("EmbedDocuments error = %v, want one line with %q", err, want)
				}
				if _, err := e.EmbedQuery(t.Context(), "a cat"); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("EmbedQuery error = %v, want %q in it", err, want)
				}
				state, err := e.Status()
				if !strings.HasPrefix(state, "failing since ") || err == nil || e.Version() != "" {
					t.Errorf("Status = %q, %v, version %q", state, err, e.Version())
				}
			})
		}
	}
}

func TestServerChangesModel(t *testing.T) {
	url := startServer(t)
	for _, kind := range protocols {
		e := open(t, serverSettings(kind, url, "moody"))
		_, err := e.EmbedDocuments(t.Context(), []string{"a cat", "a dog"})
		if want := "vector of 3 dimensions, where it had 4 before"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error = %v, want %q in it", kind, err, want)
		}
	}
}

// A server may answer in any order, which langchaingo's client ignores.
func TestServerAnswersBackwards(t *testing.T) {
	e := open(t, serverSettings(config.EmbedderOpenAI, startServer(t), "backwards"))
	got, err := e.EmbedDocuments(t.Context(), []string{"a cat", "the dog"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{mustUnit(t, "a cat"), mustUnit(t, "the dog")}, got); diff != "" {
		t.Errorf("vectors differ:\n%s", diff)
	}
}

func TestServerIsSilent(t *testing.T) {
	url := startServer(t)
	for _, kind := range protocols {
		s := serverSettings(kind, url, "silent")
		s.Timeout = config.Duration(20 * time.Millisecond)
		e := open(t, s)
		began := time.Now()
		if _, err := e.EmbedQuery(t.Context(), "a cat"); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 20ms") {
			t.Errorf("%s: EmbedQuery error = %v", kind, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := e.EmbedDocuments(ctx, []string{"a cat"}); err == nil {
			t.Errorf("%s: EmbedDocuments got vectors from a silent server", kind)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: waited %v", kind, took)
		}
	}
}

func TestServerIsNotThere(t *testing.T) {
	for _, kind := range protocols {
		e := open(t, serverSettings(kind, "http://127.0.0.1:1", "good"))
		if _, err := e.EmbedQuery(t.Context(), "a cat"); err == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("%s: error = %v, want the refused connection in it", kind, err)
		}
	}
}

// The settings refuse another machine by its name; this is for names that turn
// out to be one.
func TestServerIsElsewhere(t *testing.T) {
	for _, kind := range protocols {
		e := open(t, serverSettings(kind, "http://192.0.2.1:9", "good"))
		if _, err := e.EmbedQuery(t.Context(), "a cat"); err == nil || !strings.Contains(err.Error(), "192.0.2.1 is another machine and embedder.allow_remote is false") {
			t.Errorf("%s: error = %v", kind, err)
		}
	}
}

func TestEnvironmentIsIgnored(t *testing.T) {
	url := startServer(t)
	t.Setenv("OLLAMA_HOST", "192.0.2.1:9")
	t.Setenv("OPENAI_BASE_URL", "http://192.0.2.1:9")
	t.Setenv("OPENAI_API_KEY", "s3cret")
	t.Setenv("HTTP_PROXY", "http://192.0.2.1:9")
	for _, kind := range protocols {
		if _, err := open(t, serverSettings(kind, url, "good")).EmbedQuery(t.Context(), "a cat"); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := open(t, serverSettings(config.EmbedderOpenAI, url, "secret")).EmbedQuery(t.Context(), "a cat"); err == nil {
		t.Error("the token came from the environment")
	}
}

func TestTokenFile(t *testing.T) {
	s := serverSettings(config.EmbedderOpenAI, startServer(t), "secret")
	s.TokenFile = filepath.Join(t.TempDir(), "token")
	if _, err := Open(s, quiet); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open without the file: %v", err)
	}
	for _, content := range []string{"", "two\nlines"} {
		writeToken(t, s.TokenFile, content)
		if _, err := Open(s, quiet); err == nil || !strings.Contains(err.Error(), "must hold one line") {
			t.Errorf("Open with %q: %v", content, err)
		}
	}
	writeToken(t, s.TokenFile, "s3cret\n")
	if _, err := open(t, s).EmbedQuery(t.Context(), "a cat"); err != nil {
		t.Error(err)
	}
}

func writeToken(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestUnit(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		name string
		v    []float32
		want []float32 // nil for an error
	}{
		{"longer", []float32{3, 4}, []float32{0.6, 0.8}},
		{"large", []float32{3e38, 0, 0}, []float32{1, 0, 0}},
		{"small", []float32{0, 1e-12}, []float32{0, 1}},
		{"not a number", []float32{1, nan}, nil},
		{"infinite", []float32{1, inf}, nil},
		{"zeros", []float32{0, 0}, nil},
		{"no direction", []float32{1e-44, 0}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := unit(tt.v)
			if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != (tt.want == nil) {
				t.Errorf("unit(%v) = %v, %v, want %v", tt.v, got, err, tt.want)
			}
		})
	}
}
