package embed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
)

// pickyServer speaks both protocols and answers with a vector, or with what
// refuse says about a text: a status and a body; the status 0 is none.
func pickyServer(t *testing.T, refuse func(text string) (int, string)) string {
	t.Helper()
	answer := func(w http.ResponseWriter, text, form string) {
		if status, body := refuse(text); status != 0 {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return
		}
		fmt.Fprintf(w, form, vector("picky", text))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/embed", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input string }
		json.NewDecoder(r.Body).Decode(&in)
		answer(w, in.Input, `{"embeddings": [%s]}`)
	})
	mux.HandleFunc("POST /v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		in := struct{ Input []string }{}
		json.NewDecoder(r.Body).Decode(&in)
		answer(w, strings.Join(in.Input, "\n"), `{"data": [{"index": 0, "embedding": %s}]}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// dragons refuses texts with a dragon in them.
func dragons(status int, body string) func(string) (int, string) {
	return func(text string) (int, string) {
		if strings.Contains(text, "dragon") {
			return status, body
		}
		return 0, ""
	}
}

// A text that the server never embeds has no vector, and those behind it have
// one. An error that is not about the text ends the batch.
func TestRefusedText(t *testing.T) {
	tests := []struct {
		name   string
		refuse func(string) (int, string)
		want   string // of the error; "" for none
	}{
		{"bad request", dragons(http.StatusBadRequest, `{"error": "input length exceeds context length"}`), ""},
		{"too large", dragons(http.StatusRequestEntityTooLarge, ""), ""},
		{"unprocessable", dragons(http.StatusUnprocessableEntity, "{}"), ""},
		{"server's fault, with this text alone", dragons(http.StatusInternalServerError, `{"error": "input is too large to process"}`), ""},
		{"zeros", dragons(http.StatusOK, `{"embeddings": [[0, 0, 0, 0]], "data": [{"embedding": [0, 0, 0, 0]}]}`), ""},
		{"all texts", func(string) (int, string) { return http.StatusBadRequest, `{"error": "no embeddings here"}` }, "400 Bad Request"},
		{"no such model", dragons(http.StatusNotFound, ""), "404 Not Found"},
		{"not allowed", dragons(http.StatusForbidden, ""), "403 Forbidden"},
		{"too many requests", dragons(http.StatusTooManyRequests, ""), "429 Too Many Requests"},
		{"not now", dragons(http.StatusServiceUnavailable, ""), "503 Service Unavailable"},
		{"no JSON", dragons(http.StatusOK, "<html>"), "something other than JSON"},
	}
	texts := []string{"a cat", "a dragon", "a dog", "another dragon", "a bird"}
	for _, tt := range tests {
		url := pickyServer(t, tt.refuse)
		for _, kind := range protocols {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				var log bytes.Buffer
				e := openLogged(t, serverSettings(kind, url, "picky"), &log)
				got, err := e.EmbedDocuments(t.Context(), texts)
				if tt.want != "" {
					if state, _ := e.Status(); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(state, "failing") {
						t.Errorf("EmbedDocuments() = %v, %v, status %q, want %q", got, err, state, tt.want)
					}
					return
				}
				want := [][]float32{mustUnit(t, "a cat"), nil, mustUnit(t, "a dog"), nil, mustUnit(t, "a bird")}
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("EmbedDocuments() = %v, -want +got:\n%s", err, diff)
				}
				if state, err := e.Status(); state != "ready" || err != nil {
					t.Errorf("Status() = %q, %v, want ready", state, err)
				}
				if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "refuses a text") || strings.Contains(log.String(), "dragon") {
					t.Errorf("log = %q, want one line about a refused text, without it", log.String())
				}
			})
		}
	}
}

func openLogged(t *testing.T, s config.Embedder, log *bytes.Buffer) *Embedder {
	t.Helper()
	e, err := Open(s, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// A server that trips over a text once embeds it when it is asked again.
func TestRefusedOnce(t *testing.T) {
	for _, kind := range protocols {
		var tripped atomic.Bool
		url := pickyServer(t, func(text string) (int, string) {
			if text == probeText || tripped.Swap(true) {
				return 0, ""
			}
			return http.StatusInternalServerError, ""
		})
		got, err := open(t, serverSettings(kind, url, "picky")).EmbedDocuments(t.Context(), []string{"a cat"})
		if diff := cmp.Diff([][]float32{mustUnit(t, "a cat")}, got); diff != "" || err != nil {
			t.Errorf("%s: EmbedDocuments() = %v, -want +got:\n%s", kind, err, diff)
		}
	}
}
