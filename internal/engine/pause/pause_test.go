package pause

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	shop = memory.Project{Name: "shop", Path: "/src/shop"}
	mill = memory.Project{Name: "mill", Path: "/src/mill"}
)

func at(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }

// A pause of a scope lasted from minute 10 to 20. What overlaps with it is part of it.
func TestDuring(t *testing.T) {
	tests := []struct {
		name         string
		scope        Scope
		began, ended int
		want         bool
	}{
		{"before", Scope{}, 1, 9, false},
		{"begins before", Scope{}, 9, 11, true},
		{"within", Scope{}, 12, 13, true},
		{"ends after", Scope{}, 19, 30, true},
		{"around", Scope{}, 1, 30, true},
		{"begins with its end", Scope{}, 20, 30, false},
		{"of the session", Scope{Session: "s1"}, 12, 13, true},
		{"of another session", Scope{Session: "s2"}, 12, 13, false},
		{"of the project", Scope{Project: shop}, 12, 13, true},
		{"of another project", Scope{Project: mill}, 12, 13, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			p := Open(home)
			if err := p.Begin(tt.scope, at(10)); err != nil {
				t.Fatal(err)
			}
			if got := p.Now("s1", shop); got != (tt.scope != Scope{Session: "s2"} && tt.scope != Scope{Project: mill}) {
				t.Errorf("while it lasts: %t", got)
			}
			if ended, err := p.End(tt.scope, at(20)); err != nil || !ended {
				t.Fatalf("End() = %t, %v", ended, err)
			}
			if p.Now("s1", shop) {
				t.Error("paused after its end")
			}
			for name, p := range map[string]*Pauses{"at once": p, "read again": Open(home)} {
				if got := p.During(at(tt.began), at(tt.ended), "s1", shop); got != tt.want {
					t.Errorf("%s: During() = %t, want %t", name, got, tt.want)
				}
			}
		})
	}
}

func TestBeginTwice(t *testing.T) {
	p := Open(t.TempDir())
	for _, s := range []Scope{{}, {Session: "s1"}, {Project: shop}, {}, {Project: shop}} {
		if err := p.Begin(s, noon); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(p.Lasting()); got != 3 {
		t.Errorf("%d pauses, want 3", got)
	}
	if ended, err := p.End(Scope{Project: mill}, noon); ended || err != nil {
		t.Errorf("end of what was not paused: %t, %v", ended, err)
	}
	want := []Pause{{From: noon}, {Scope: Scope{Session: "s1"}, From: noon}, {Scope: Scope{Project: shop}, From: noon}}
	if diff := cmp.Diff(want, p.Lasting()); diff != "" {
		t.Error(diff)
	}
}

// Nobody knows what is paused: everything.
func TestUnreadable(t *testing.T) {
	for _, content := range []string{"", "{", `{"v":2,"pauses":[]}`} {
		home := t.TempDir()
		path := filepath.Join(home, "pauses.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		p := Open(home)
		if p.Err() == nil || !p.Now("s1", shop) || p.Begin(Scope{}, noon) == nil {
			t.Errorf("%q: %v, paused %t", content, p.Err(), p.Now("s1", shop))
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != content {
			t.Errorf("%q became %q, %v", content, b, err)
		}
	}
}

func TestIncognito(t *testing.T) {
	home := t.TempDir()
	i := OpenIncognito(home)
	for _, session := range []string{"s1", "../../s2", "s1"} {
		if err := i.Add(session); err != nil {
			t.Fatal(err)
		}
	}
	if err := api.WriteIncognito(home, "s3"); err != nil { // as a hook does
		t.Fatal(err)
	}
	again := OpenIncognito(home)
	for session, want := range map[string]bool{"s1": true, "../../s2": true, "s3": true, "s4": false, "": false} {
		if i.Has(session) != want || again.Has(session) != want {
			t.Errorf("%q: %t, and read again %t, want %t", session, i.Has(session), again.Has(session), want)
		}
	}
	if got := again.Count(); got != 3 {
		t.Errorf("%d sessions, want 3", got)
	}
	if err := OpenIncognito(filepath.Join(home, "gone")).Add("s1"); err == nil {
		t.Error("made the data folder again")
	}
}
