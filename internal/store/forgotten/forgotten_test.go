package forgotten

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"recollect/internal/memory"
)

func TestRules(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	shop := memory.Project{Name: "shop", Path: "/src/shop", Remote: "example.com/shop"}
	m := memory.Memory{Source: memory.Thinking, Session: "s1", Turn: "t1", OccurredAt: noon.Add(-time.Hour)}
	m.SetHome(shop)
	tests := []struct {
		name string
		rule Rule
		want bool
	}{
		{"the session", Rule{Session: "s1"}, true},
		{"another session", Rule{Session: "s2"}, false},
		{"the project", Rule{Project: IdentityKeys(shop)}, true},
		{"its clone elsewhere", Rule{Project: IdentityKeys(memory.Project{Name: "shop2", Path: "/tmp/shop2", Remote: "example.com/shop"})}, true},
		{"its name alone", Rule{Project: IdentityKeys(memory.Project{Name: "shop"})}, true},
		{"another project of that name", Rule{Project: IdentityKeys(memory.Project{Name: "shop", Path: "/old/shop"})}, false},
		{"its source", Rule{Source: memory.Thinking}, true},
		{"another source", Rule{Source: memory.Episodes}, false},
		{"its turn", Rule{Turns: []string{"t0", "t1"}}, true},
		{"another turn", Rule{Turns: []string{"t0"}}, false},
		{"all parts", Rule{Session: "s1", Source: memory.Thinking, Project: IdentityKeys(shop)}, true},
		{"all but one part", Rule{Session: "s1", Source: memory.Journal, Project: IdentityKeys(shop)}, false},
		{"it happened later", Rule{Session: "s1", Before: noon.Add(-2 * time.Hour)}, false},
		{"it happened then", Rule{Session: "s1", Before: noon.Add(-time.Hour)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.rule.Before.IsZero() {
				tt.rule.Before = noon
			}
			path := filepath.Join(t.TempDir(), "forgotten.jsonl")
			if err := os.WriteFile(path, []byte(`{"v":1,"session":"s1","bef`), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if f.Cover(&m) {
				t.Fatal("covered before there is a rule")
			}
			if err := f.Add(tt.rule); err != nil {
				t.Fatal(err)
			}
			again, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Cover(&m); got != tt.want || again.Cover(&m) != tt.want {
				t.Errorf("covers %v, and %v when read again, want %v", got, again.Cover(&m), tt.want)
			}
		})
	}
	if (*Rules)(nil).Cover(&m) {
		t.Error("no rules cover a memory")
	}
}

// The file of what was forgotten is read line by line.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"v":1,"project":["a"],"before":"2026-01-01T00:00:00Z"}` + "\n" + `{"v":2}`))
	f.Add([]byte("\n{\"v\":1,\"turns\":[1]}\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "forgotten.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		rules, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		before := rules.Len()
		if err := rules.Add(Rule{Session: "s1"}); err != nil {
			t.Fatal(err)
		}
		again, err := Open(path)
		if err != nil || again.Len() != before+1 {
			t.Errorf("%d rules and one more became %d, %v", before, again.Len(), err)
		}
	})
}
