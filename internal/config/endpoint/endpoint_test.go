package endpoint

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answering starts a server that gives one answer to everybody.
func answering(t *testing.T, status int, kind, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Location", "http://elsewhere.example/")
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestClient(t *testing.T) {
	tests := []struct {
		name   string
		status int
		kind   string
		body   string
		want   string // of the error; "" for none
	}{
		{"JSON", 200, "application/json", ` {"ok": true}`, ""},
		{"as long as may be", 200, "application/json", "{" + strings.Repeat(" ", 98) + "}", ""},
		{"longer", 200, "application/json", "{" + strings.Repeat(" ", 99) + "}", "more than 100 bytes"},
		{"page", 200, "text/html; charset=utf-8", "<html>", "something other than JSON: a page of HTML"},
		{"words", 200, "text/plain", "not\nnow", "something other than JSON: not now"},
		{"error", 404, "application/json", `{"error": "no such model"}`, `404 Not Found: {"error": "no such model"}`},
		{"redirect", 307, "application/json", "{}", "307 Temporary Redirect"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client := PlainErrorClient{Policy{MaxAnswer: 100}.Client()}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, answering(t, tt.status, tt.kind, tt.body), strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Do(req)
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if got, err := io.ReadAll(resp.Body); err != nil || string(got) != tt.body {
					t.Errorf("body = %q, %v, want %q", got, err, tt.body)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error = %v, want %q in it", err, tt.want)
			}
			var r *Refusal
			if refused := errors.As(err, &r); refused != (tt.status != 200) || refused && r.Status != tt.status {
				t.Errorf("refusal = %+v, want one of status %d", r, tt.status)
			}
		})
	}
}

// 192.0.2.1 is of the block that is nobody's.
func TestClientStaysHere(t *testing.T) {
	client := Policy{Setting: "capture.allow_remote", MaxAnswer: 100}.Client()
	_, err := client.Get("http://192.0.2.1/")
	if want := "192.0.2.1 is another machine and capture.allow_remote is false"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %q in it", err, want)
	}
}

func TestToken(t *testing.T) {
	tests := []struct {
		name, content, want string
		ok                  bool
	}{
		{"one line", " sk-1 \n", "sk-1", true},
		{"empty", "\n", "", false},
		{"two lines", "sk-1\nsk-2\n", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := Token(path); got != tt.want || (err == nil) != tt.ok {
				t.Errorf("Token = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
	if got, err := Token(""); got != noToken || err != nil {
		t.Errorf("without a file: %q, %v", got, err)
	}
	if _, err := Token(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestOneLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"lines", "a\r\n\tb  c", "a b c"},
		{"controls", "a\x1b[31mb\x7f\u0085c", "a [31mb c"},
		{"no text", "a\xffb", "a?b"},
		{"long", "1234567890é", "1234567890…"},
		{"cut within a letter", "123456789éé", "123456789…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := OneLine(tt.in, 10); got != tt.want {
				t.Errorf("OneLine(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
