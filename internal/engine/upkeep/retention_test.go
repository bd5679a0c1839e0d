package upkeep

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/capture/outcomes"
	"recollect/internal/capture/toolcall"
	"recollect/internal/config"
	"recollect/internal/engine/follower"
	"recollect/internal/engine/usage"
	"recollect/internal/engine/writer"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/store/storetest"
)

const oneDay = 24 * time.Hour

var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// aged is a memory that happened so many days ago.
func aged(id string, days int) memory.Memory {
	return memory.Memory{ID: id, Origin: memory.OriginAssistant, OccurredAt: today.Add(-time.Duration(days) * oneDay)}
}

func TestExpired(t *testing.T) {
	with := func(m memory.Memory, change func(*memory.Memory)) memory.Memory { change(&m); return m }
	year := config.Duration(365 * oneDay)
	tests := []struct {
		name     string
		ms       []memory.Memory
		kept     config.Kept
		injected map[string]time.Time
		want     []string
	}{
		{"for ever", []memory.Memory{aged("a", 9999)}, config.Kept{}, nil, nil},
		{"by age, oldest first", []memory.Memory{aged("a", 366), aged("b", 364), aged("c", 500)}, config.Kept{Age: year}, nil, []string{"c", "a"}},
		{"exactly as old", []memory.Memory{aged("a", 365)}, config.Kept{Age: year}, nil, nil},
		{"by count, oldest first", []memory.Memory{aged("a", 2), aged("b", 4), aged("c", 3)}, config.Kept{Count: 1}, nil, []string{"b", "c"}},
		{"fewer than the count", []memory.Memory{aged("a", 2)}, config.Kept{Count: 2}, nil, nil},
		{"what aged counts", []memory.Memory{aged("a", 400), aged("b", 2), aged("c", 1)}, config.Kept{Age: year, Count: 2}, nil, []string{"a"}},
		{"seen again", []memory.Memory{with(aged("a", 400), func(m *memory.Memory) { m.LastSeen = today })}, config.Kept{Age: year}, nil, nil},
		{"written by the user", []memory.Memory{with(aged("a", 400), func(m *memory.Memory) { m.Origin = memory.OriginUser })}, config.Kept{Age: year}, nil, nil},
		{"important", []memory.Memory{with(aged("a", 400), func(m *memory.Memory) { m.Importance = memory.High })}, config.Kept{Age: year}, nil, nil},
		{"not so important", []memory.Memory{with(aged("a", 400), func(m *memory.Memory) { m.Importance = memory.Normal })}, config.Kept{Age: year}, nil, []string{"a"}},
		{"told of late", []memory.Memory{aged("a", 400)}, config.Kept{Age: year}, map[string]time.Time{"a": today.Add(-89 * oneDay)}, nil},
		{"told long ago", []memory.Memory{aged("a", 400)}, config.Kept{Age: year}, map[string]time.Time{"a": today.Add(-91 * oneDay)}, []string{"a"}},
		{"undated", []memory.Memory{{ID: "a", Origin: memory.OriginAssistant}}, config.Kept{Age: year}, nil, nil},
		{"the next one instead", []memory.Memory{with(aged("a", 9), func(m *memory.Memory) { m.Importance = memory.High }), aged("b", 8), aged("c", 7)}, config.Kept{Count: 2}, nil, []string{"b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, expired(tt.ms, tt.kept, tt.injected, today)); diff != "" {
				t.Errorf("expired (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever the settings: what stays stays, only what is old or too much goes,
// nothing younger goes before something older, and a second look finds nothing.
func TestExpiredProperties(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		kept := config.Kept{Age: config.Duration(time.Duration(rnd.IntN(40)) * oneDay), Count: rnd.IntN(30)}
		injected := map[string]time.Time{}
		var ms []memory.Memory
		for i := range rnd.IntN(40) {
			m := aged(fmt.Sprint(i), rnd.IntN(60))
			m.Origin = []string{memory.OriginUser, memory.OriginAssistant, memory.OriginTool}[rnd.IntN(3)]
			m.Importance = []string{"", memory.Low, memory.High}[rnd.IntN(3)]
			if rnd.IntN(4) == 0 {
				injected[m.ID] = today.Add(-time.Duration(rnd.IntN(200)) * oneDay)
			}
			ms = append(ms, m)
		}
		gone := expired(slices.Clone(ms), kept, injected, today)
		rest := slices.DeleteFunc(slices.Clone(ms), func(m memory.Memory) bool { return slices.Contains(gone, m.ID) })
		if again := expired(slices.Clone(rest), kept, injected, today); len(again) > 0 {
			t.Fatalf("%+v: a second look finds %v", kept, again)
		}
		if kept.Age == 0 && kept.Count > 0 && len(gone) > 0 && len(rest) < kept.Count {
			t.Fatalf("%+v: %d of %d are left", kept, len(rest), len(ms))
		}
		for _, m := range ms {
			old := kept.Age > 0 && today.Sub(m.When()) > time.Duration(kept.Age)
			free := !mustStay(&m, injected[m.ID], today)
			went := slices.Contains(gone, m.ID)
			if went && !free || old && free && !went || went && !old && kept.Count == 0 {
				t.Fatalf("%+v: %+v went %v", kept, m, went)
			}
			for _, r := range rest {
				if went && r.When().Before(m.When()) && !mustStay(&r, injected[r.ID], today) {
					t.Fatalf("%+v: %s went before the older %s", kept, m.ID, r.ID)
				}
			}
		}
	}
}

// A daemon does not look when it starts but some time later, then once a oneDay,
// and remembers when.
func TestRetentionWaits(t *testing.T) {
	home := t.TempDir()
	empty, w := open(t, t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		settings, err := config.NewLive(home, nil)
		if err != nil {
			t.Fatal(err)
		}
		keepNothing(t, home, settings)
		begin := func() (stop func()) {
			r := NewRetention(home, settings, empty, w, nil, usage.OpenLog(t.TempDir(), quiet), nil, quiet)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { r.Run(ctx); close(done) }()
			return func() { cancel(); <-done }
		}
		// after returns when it was looked last, once some time has passed.
		after := func(d time.Duration) time.Time {
			time.Sleep(d)
			synctest.Wait()
			return NewRetention(home, settings, nil, nil, nil, nil, nil, quiet).last
		}
		stop := begin()
		if !after(retainAfter - time.Second).IsZero() {
			t.Error("it looked before its time")
		}
		first := after(2 * time.Second)
		if first.IsZero() {
			t.Fatal("it did not look")
		}
		stop()
		stop = begin()
		defer stop()
		if !after(retainAfter + time.Second).Equal(first) {
			t.Error("a second daemon looked on the same day")
		}
		if got := after(retainEvery); got.Sub(first).Round(time.Minute) != retainEvery {
			t.Errorf("it looked after %v, want %v", got.Sub(first), retainEvery)
		}
	})
}

// keepNothing makes settings by which no source has to be looked at.
func keepNothing(t *testing.T, home string, settings *config.Live) {
	t.Helper()
	text := "[capture.keep.thinking]\nage = \"0s\"\n"
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if k := settings.Current().Capture.Keep; k != (config.Keep{}) {
		t.Fatalf("settings %+v", k)
	}
}

func TestRetentionDeletes(t *testing.T) {
	home := t.TempDir()
	s, w := open(t, home)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { w.Run(ctx); close(done) }()
	defer func() { stop(); <-done }()

	ago := func(src memory.Source, title, importance string, days int) memory.Memory {
		return memory.Memory{Source: src, Title: title, Origin: memory.OriginAssistant, Importance: importance, OccurredAt: today.Add(-time.Duration(days) * oneDay)}
	}
	ms := []memory.Memory{
		ago(memory.Thinking, "old", "", 200), ago(memory.Thinking, "old and told", "", 200), ago(memory.Thinking, "old but important", memory.High, 200),
		ago(memory.Thinking, "young", "", 100), ago(memory.Episodes, "a very old episode", "", 900),
	}
	cleaned, err := clean.Drafts(memory.Drafts(ms...)...)
	if err == nil {
		err = w.Append(ctx, cleaned)
	}
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.NewLive(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := usage.OpenLog(home, quiet)
	u.Append([]usage.Injection{{V: 1, ID: cleaned[1].Memory().ID, Session: "s1", At: today.Add(-30 * oneDay)}})
	counts := usage.OpenTally(home, quiet)
	r := NewRetention(home, settings, s, w, nil, u, counts, quiet)
	for range 2 {
		if err := r.expire(ctx, today); err != nil {
			t.Fatal(err)
		}
		want := []string{"a very old episode", "old and told", "old but important", "young"}
		if diff := cmp.Diff(want, titles(t, s)); diff != "" {
			t.Errorf("left (-want +got):\n%s", diff)
		}
	}
	if got := NewRetention(home, settings, s, w, nil, u, counts, quiet); !got.last.Equal(today) {
		t.Errorf("another daemon knows of %v, want %v", got.last, today)
	}
	var counted api.Stats
	if counts.Fill(&counted, today); counted.Expired != 1 {
		t.Errorf("counted %+v, want one that expired", counted)
	}
}

// titles lists what is stored, in order.
func titles(t *testing.T, s *store.Store) []string {
	t.Helper()
	var all []string
	for m, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m.Title)
	}
	slices.Sort(all)
	return all
}

var quiet = slog.New(slog.DiscardHandler)

// open opens a store with a writer that nobody runs yet.
func open(t *testing.T, home string) (*store.Store, *writer.Writer) {
	t.Helper()
	s := storetest.Open(t, home)
	x, err := index.Open(filepath.Join(home, "index"), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	vectors := follower.NewVectors(home, nil, s, nil, follower.Ahead{}, nil, quiet)
	return s, writer.New(s, follower.NewIndex(s, x, nil, quiet), vectors, quiet)
}

// How commands ended expires with the memories of failures.
func TestOutcomesExpire(t *testing.T) {
	o := outcomes.Open(t.TempDir(), quiet)
	for _, days := range []int{10, 400} {
		m := memory.Memory{Session: fmt.Sprint(days), Turn: "t", OccurredAt: today.Add(-time.Duration(days) * oneDay)}
		o.Add(outcomes.NewTurn(&m, []toolcall.Run{{Way: "make test"}}))
	}
	all := func(*memory.Memory) bool { return true }
	for _, step := range []struct{ days, left int }{{0, 2}, {500, 2}, {180, 1}} {
		r := Retention{outcomes: o}
		if err := r.expireOutcomes(time.Duration(step.days)*oneDay, today); err != nil {
			t.Fatal(err)
		}
		if got := len(o.Chosen(all)); got != step.left {
			t.Errorf("after %d days %d are left, want %d", step.days, got, step.left)
		}
	}
}
