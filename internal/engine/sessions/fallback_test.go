package sessions

import (
	"os"
	"testing"

	"recollect/internal/api"
)

// A fallback that is dropped was not injected, for the sessions that are held and for those on
// disk alone.
func TestDropFallbacks(t *testing.T) {
	home := t.TempDir()
	leave := func(ss *Sessions, id string) {
		t.Helper()
		s := ss.Get(id)
		if err := s.LeaveFallback(api.Fallback{Recollection: api.Recollection{Context: "x"}}, map[string]string{"note-1": "key"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Save(); err != nil {
			t.Fatal(err)
		}
	}
	leave(NewSessions(home, quiet), "disk")
	ss := NewSessions(home, quiet)
	leave(ss, "held")
	leave(ss, "a/b")
	stray := api.FallbackPath(home, "nobody")
	if err := os.WriteFile(stray, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ss.DropFallbacks(); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"disk", "held", "a/b", "nobody"} {
		if _, err := os.Stat(api.FallbackPath(home, id)); !os.IsNotExist(err) {
			t.Errorf("%s: the fallback is left: %v", id, err)
		}
		for _, ss := range []*Sessions{ss, NewSessions(home, quiet)} {
			s := ss.Get(id)
			if s.CollectFallback(); len(s.Injected) != 0 {
				t.Errorf("%s: %v count as injected", id, s.Injected)
			}
		}
	}
	if err := NewSessions(t.TempDir(), quiet).DropFallbacks(); err != nil {
		t.Errorf("without any: %v", err)
	}
}
