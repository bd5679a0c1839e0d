package sessions

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/system/durable"
)

// A session's file may have been cut, edited, or written by another version.
func FuzzSessions(f *testing.F) {
	f.Add([]byte(`{"id":"s1","told":{"dec-1":"k"},"passed":["dec-2"],"last_prompt":"x"}`))
	f.Add([]byte(`{"id":["s1"],"told":[1]}`))
	f.Add([]byte(`{"v":2}`))
	f.Add([]byte("{\"id\":\"s2\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		home := t.TempDir()
		path := filepath.Join(home, "sessions", "s1.json")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		ss := NewSessions(home, slog.New(slog.DiscardHandler))
		s := ss.Get("s1")
		s.AddInjected(map[string]string{"dec-9": "k"})
		if err := s.Save(); err != nil {
			t.Fatal(err)
		}
		again := NewSessions(home, slog.New(slog.DiscardHandler)).Get("s1")
		if _, ok := again.Injected["dec-9"]; !ok && !errors.Is(ss.Newer(), durable.ErrNewer) {
			t.Errorf("after %q the session has %v", text, again.Injected)
		}
	})
}
