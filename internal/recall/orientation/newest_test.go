package orientation

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall/request"
	"recollect/internal/store"
)

// The newest handoffs are the same as if each had been read in full.
func TestNewestHandoffs(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	var ms []memory.Memory
	for i := range 300 {
		m := memory.Memory{Source: memory.Handoffs, Title: fmt.Sprintf(`session %d says "x"`, i), Text: `{"occurred_at":"2031-01-01T00:00:00Z"}`, Session: fmt.Sprint("s", i), OccurredAt: now.Add(-time.Duration(random.IntN(60)) * time.Hour)}
		switch home := here; random.IntN(8) {
		case 0:
			m.AppliesTo = memory.Global
		case 1:
		case 2:
			m.LastSeen = m.OccurredAt.Add(time.Hour)
			m.SetHome(home)
		case 3:
			m.Fields = map[string]string{"occurred_at": "2031-01-01T00:00:00Z", "done": "all"}
			m.SetHome(home)
		case 4, 5:
			m.SetHome(home)
		case 6:
			m.SetHome(memory.Project{Name: "a \"b\" <c>", Path: "/home/dev/src/other"})
		default:
			m.SetHome(memory.Project{Name: home.Name, Path: "/somewhere/else"})
		}
		ms = append(ms, m)
	}
	r := newReader(storeOf(t, ms))
	req := request.Request{Project: here, Now: now, Settings: config.Settings{Config: config.Default()}}
	for _, n := range []int{1, 8, 500} {
		want, err := r.readFirst(memory.Handoffs, &req, n, byTime, isAnything)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.readNewest(memory.Handoffs, &req, n)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) == 0 {
			t.Error("none apply")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("newest %d: -first +newest:\n%s", n, diff)
		}
	}
}

var (
	now  = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	here = memory.Project{Name: "orders-api", Path: "/home/dev/src/orders-api"}
)

// storeOf makes a store of its own that holds ms.
func storeOf(t *testing.T, ms []memory.Memory) *store.Store {
	t.Helper()
	lock, err := store.Acquire(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(lock, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, end := range []func() error{s.Close, lock.Release} {
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	})
	cleaned, err := clean.Drafts(memory.Drafts(ms...)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(cleaned...); err != nil {
		t.Fatal(err)
	}
	return s
}
