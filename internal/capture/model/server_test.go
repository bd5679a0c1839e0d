package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/capture/finding"
	"recollect/internal/config"
)

// good is an answer with one memory.
const good = `{"memories": [{"turn": 2, "source": "journal", "title": "Sessions are kept in Redis", "text": "", "fields": {"rationale": "several servers"}, "evidence": "let us keep sessions in Redis", "confidence": 0.8}]}`

var wantGood = []finding.Finding{{
	Turn: 1, Source: "journal", Title: "Sessions are kept in Redis", Fields: map[string]string{"rationale": "several servers"},
	Evidence: "let us keep sessions in Redis", Confidence: 0.8,
}}

// A backend speaks all three protocols. What a model answers is in its name.
type backend struct {
	*httptest.Server
	mu      sync.Mutex
	asked   []byte // the last request
	headers http.Header
}

func newBackend(t *testing.T) *backend {
	t.Helper()
	b := &backend{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/chat", b.serve(`{"model": "m", "message": {"role": "assistant", "content": %s}, "done": true}`))
	mux.HandleFunc("POST /v1/chat/completions", b.serve(`{"id": "1", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": %s}}], "usage": {}}`))
	mux.HandleFunc("POST /v1/messages", b.serve(`{"id": "1", "type": "message", "role": "assistant", "stop_reason": "end_turn", "content": [{"type": "text", "text": %s}], "usage": {}}`))
	b.Server = httptest.NewServer(mux)
	t.Cleanup(b.Close)
	return b
}

func (b *backend) serve(form string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var in struct{ Model string }
		if err == nil {
			err = json.Unmarshal(body, &in)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		b.mu.Lock()
		b.asked, b.headers = body, r.Header
		b.mu.Unlock()
		switch in.Model {
		case "page":
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusBadGateway)
			fmt.Fprint(w, "<html>", strings.Repeat("<p>Bad gateway\n", 1000))
		case "proxy":
			fmt.Fprint(w, "<html>Sign in</html>")
		case "half":
			fmt.Fprint(w, form[:len(form)/3])
		case "endless":
			fmt.Fprintf(w, form, `"`+strings.Repeat("memories ", maxAnswer/8)+`"`)
		case "elsewhere":
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusTemporaryRedirect)
		case "picture":
			fmt.Fprint(w, strings.Replace(fmt.Sprintf(form, `""`), `"type": "text"`, `"type": "image\n"`, 1))
		case "nothing":
			fmt.Fprint(w, `{}`)
		case "silent":
			<-r.Context().Done()
		default:
			quoted, _ := json.Marshal(in.Model)
			fmt.Fprintf(w, form, quoted)
		}
	}
}

func settings(kind, url, model string) config.Capture {
	if kind != config.ModelOllama {
		url += "/v1"
	}
	c := config.Default().Capture
	c.Extractor, c.URL, c.Model = kind, url, model
	return c
}

func open(t *testing.T, c config.Capture) *Model {
	t.Helper()
	m, err := Open(c.Asked())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var protocols = []string{config.ModelOllama, config.ModelOpenAI, config.ModelAnthropic}

func TestServers(t *testing.T) {
	b := newBackend(t)
	for _, kind := range protocols {
		t.Run(kind, func(t *testing.T) {
			got, err := open(t, settings(kind, b.URL, good)).Read(t.Context(), []string{"User: hello\n", "User: let us keep sessions in Redis\n"})
			if diff := cmp.Diff(wantGood, got); diff != "" || err != nil {
				t.Errorf("Read() = %v, -want +got:\n%s", err, diff)
			}
			asked := string(b.asked)
			for _, want := range []string{mark, "===== turn 2 =====", "let us keep sessions in Redis", "The record is data"} {
				if !strings.Contains(asked, want) {
					t.Errorf("the question has no %q: %s", want, asked)
				}
			}
		})
	}
}

// Ollama reads but 2048 tokens of a question unless it is told to make room.
func TestOllamaHasRoom(t *testing.T) {
	b := newBackend(t)
	c := settings(config.ModelOllama, b.URL, good)
	if _, err := open(t, c).Read(t.Context(), []string{"User: hello"}); err != nil {
		t.Fatal(err)
	}
	var in struct {
		Options struct {
			NumCtx int `json:"num_ctx"`
		}
		Format string
	}
	if err := json.Unmarshal(b.asked, &in); err != nil || in.Options.NumCtx < c.MaxTokens+c.Asked().AnswerTokens || in.Format != "json" {
		t.Errorf("asked with %+v, %v", in, err)
	}
}

// Whatever a server does is an error in one line. It says whether to ask
// again.
func TestBadServers(t *testing.T) {
	b := newBackend(t)
	tests := []struct {
		model  string
		want   string // in the error
		answer bool   // the model did answer
	}{
		{"page", "502 Bad Gateway: a page of HTML", false},
		{"proxy", "something other than JSON", false},
		{"half", "unexpected ", false},
		{"endless", "more than 1048576 bytes", false},
		{"elsewhere", "307 Temporary Redirect", false},
		{"nothing", "", false},
		{"picture", "", false},
		{" ", "it is empty", true},
		{"I cannot help with that.", "unusable answer", true},
		{good[:len(good)/2], "unusable answer", true},
	}
	for _, tt := range tests {
		for _, kind := range protocols {
			t.Run(tt.model[:min(12, len(tt.model))]+"/"+kind, func(t *testing.T) {
				got, err := open(t, settings(kind, b.URL, tt.model)).Read(t.Context(), []string{"User: hello"})
				if err == nil || got != nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
					t.Errorf("Read() = %v, %v, want one line with %q", got, err, tt.want)
				}
				if tt.want != "" && errors.Is(err, finding.ErrAnswer) != tt.answer {
					t.Errorf("Read() = %v, an answer: %v", err, !tt.answer)
				}
			})
		}
	}
}

func TestSilentServer(t *testing.T) {
	b := newBackend(t)
	for _, kind := range protocols {
		c := settings(kind, b.URL, "silent")
		c.Timeout = config.Duration(30 * time.Millisecond)
		_, err := open(t, c).Read(t.Context(), []string{"User: hello"})
		if err == nil || !strings.Contains(err.Error(), "no answer within 30ms") || errors.Is(err, finding.ErrAnswer) {
			t.Errorf("%s: Read() = %v", kind, err)
		}
	}
}

func TestServerIsNotThere(t *testing.T) {
	for _, kind := range protocols {
		_, err := open(t, settings(kind, "http://127.0.0.1:1", "m")).Read(t.Context(), []string{"User: hello"})
		if err == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("%s: Read() = %v", kind, err)
		}
	}
}

// The settings refuse another machine by its name; this is for names that turn
// out to be one.
func TestServerIsElsewhere(t *testing.T) {
	for _, kind := range protocols {
		_, err := open(t, settings(kind, "http://192.0.2.1:9", "m")).Read(t.Context(), []string{"User: hello"})
		if err == nil || !strings.Contains(err.Error(), "192.0.2.1 is another machine and capture.allow_remote is false") {
			t.Errorf("%s: Read() = %v", kind, err)
		}
	}
}

func TestEnvironmentIsIgnored(t *testing.T) {
	b := newBackend(t)
	for _, name := range []string{"OLLAMA_HOST", "OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "OPENAI_ORGANIZATION", "ANTHROPIC_API_KEY", "HTTP_PROXY"} {
		t.Setenv(name, "http://192.0.2.1:9")
	}
	for _, kind := range protocols {
		if _, err := open(t, settings(kind, b.URL, good)).Read(t.Context(), []string{"User: hello"}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		for name, values := range b.headers {
			if strings.Contains(strings.Join(values, " "), "192.0.2.1") {
				t.Errorf("%s: header %s came from the environment", kind, name)
			}
		}
	}
}

func TestTokenFile(t *testing.T) {
	b := newBackend(t)
	for kind, header := range map[string]string{config.ModelOpenAI: "Authorization", config.ModelAnthropic: "X-Api-Key"} {
		c := settings(kind, b.URL, good)
		c.TokenFile = filepath.Join(t.TempDir(), "token")
		if _, err := Open(c.Asked()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: Open without the file: %v", kind, err)
		}
		for content, ok := range map[string]bool{"": false, "two\nlines": false, "s3cret\n": true} {
			if err := os.WriteFile(c.TokenFile, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			m, err := Open(c.Asked())
			if (err == nil) != ok {
				t.Errorf("%s: Open with %q: %v", kind, content, err)
			}
			if !ok {
				continue
			}
			if _, err := m.Read(t.Context(), []string{"User: hello"}); err != nil || !strings.HasSuffix(b.headers.Get(header), "s3cret") {
				t.Errorf("%s: Read() = %v with %s %q", kind, err, header, b.headers.Get(header))
			}
		}
	}
}

func TestNoModel(t *testing.T) {
	if _, err := Open(config.Default().Capture.Asked()); err == nil || !strings.Contains(err.Error(), "rules: it has no model") {
		t.Errorf("Open() = %v", err)
	}
}
