package ui

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/daemon"
	"recollect/internal/memory"
)

// patience bounds every wait for something that should take milliseconds.
const patience = 8 * time.Second

// A site is a page that is served, over a daemon of its own, and a browser with its cookies.
type site struct {
	*Server
	t       *testing.T
	browser *http.Client
}

// newSite serves a page over an empty data folder.
func newSite(t *testing.T) *site {
	t.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RECOLLECT_HOME", home)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- daemon.Run(ctx, home, "1.0.0", slog.New(slog.DiscardHandler)) }()
	client := &api.Client{Home: home, Version: "1.0.0"}
	for end := time.Now().Add(patience); ; {
		if h, err := client.Health(ctx); err == nil && h.Index == api.IndexReady {
			break
		} else if time.Now().After(end) {
			t.Fatalf("the daemon does not answer: %v", err)
		}
	}
	server, err := Open(client, "/home/dev/src/app", 0)
	if err != nil {
		t.Fatal(err)
	}
	go func() { ended <- server.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, <-ended, os.RemoveAll(home)); err != nil {
			t.Error(err)
		}
	})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &site{server, t, &http.Client{Jar: jar, Timeout: patience}}
}

// enter opens the address that the command prints.
func (s *site) enter() *site {
	s.t.Helper()
	reply, body := s.do(http.MethodGet, s.URL(), nil)
	if reply.StatusCode != http.StatusOK {
		s.t.Fatalf("the address gives %s: %s", reply.Status, body)
	}
	return s
}

// do sends a request as a browser does, with other headers if they are given.
func (s *site) do(method, target string, form url.Values, headers ...string) (*http.Response, string) {
	s.t.Helper()
	if strings.HasPrefix(target, "/") {
		target = s.guard.ownOrigin() + s.guard.base + strings.TrimPrefix(target, s.guard.base)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, target, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Origin", s.guard.ownOrigin())
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	reply, err := s.browser.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return reply, string(body)
}

// get returns the page at a path.
func (s *site) get(path string) string {
	s.t.Helper()
	reply, body := s.do(http.MethodGet, path, nil)
	if reply.StatusCode != http.StatusOK {
		s.t.Fatalf("%s gives %s: %s", path, reply.Status, body)
	}
	return body
}

// post sends a form and returns the path and the page that it leads to.
func (s *site) post(path string, values ...string) (target, body string) {
	s.t.Helper()
	form := url.Values{"form": {s.guard.form}}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	reply, body := s.do(http.MethodPost, path, form)
	if reply.StatusCode != http.StatusOK {
		s.t.Fatalf("%s gives %s: %s", path, reply.Status, body)
	}
	return strings.TrimPrefix(reply.Request.URL.Path, s.guard.base), body
}

// store stores memories as they are and returns their ids.
func (s *site) store(ms ...memory.Memory) []string {
	s.t.Helper()
	done, err := s.client.Remember(s.t.Context(), api.Remember{Memories: memory.Drafts(ms...), Restore: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return done.IDs
}

// stored returns a memory.
func (s *site) stored(id string) api.Shown {
	s.t.Helper()
	m, err := s.client.Memory(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// keyOf returns the hidden key of the form to edit a memory.
func keyOf(t *testing.T, page string) string {
	t.Helper()
	found := regexp.MustCompile(`name="key" value="([^"]+)"`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no form to edit in %s", page)
	}
	return found[1]
}

// wants checks what a page says.
func wants(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(page, want) {
			_, main, _ := strings.Cut(page, "<main")
			t.Errorf("the page does not say %q:\n%.3000s", want, main)
		}
	}
}
