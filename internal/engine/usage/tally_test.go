package usage

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
)

func TestTally(t *testing.T) {
	home := t.TempDir()
	tl := OpenTally(home, quiet)
	yesterday := noon.AddDate(0, 0, -1)
	tl.Recalled(yesterday, PromptEvent, time.Millisecond, 2, nil)
	tl.Recalled(noon, PromptEvent, 4*time.Millisecond, 0, nil)
	tl.Recalled(noon, PromptEvent, time.Second, 0, errors.New("too late"))
	tl.Recalled(noon, StartEvent, 2*time.Millisecond, 1, nil)
	tl.Captured(noon, nil)
	tl.Captured(noon, errors.New("no transcript"))
	tl.Expired(noon, 3)
	tl.Cached(noon, true)
	tl.Cached(noon, false)
	tl.Cached(noon, false)
	tests := []struct {
		name string
		from time.Time
		want api.Stats
	}{
		{"all", time.Time{}, api.Stats{
			Events: map[string]*api.EventStats{
				PromptEvent: {Recalls: 3, Empty: 1, Failed: 1},
				StartEvent:  {Recalls: 1},
			},
			Captured: 1, CaptureFailed: 1, Expired: 3, CacheHits: 1, CacheMisses: 2,
		}},
		{"a day", noon, api.Stats{
			Events: map[string]*api.EventStats{
				PromptEvent: {Recalls: 2, Empty: 1, Failed: 1},
				StartEvent:  {Recalls: 1},
			},
			Captured: 1, CaptureFailed: 1, Expired: 3, CacheHits: 1, CacheMisses: 2,
		}},
		{"none yet", noon.AddDate(0, 0, 1), api.Stats{Events: map[string]*api.EventStats{}}},
	}
	for _, tt := range tests {
		for _, when := range []string{"counted", "read again"} {
			got := api.Stats{Events: map[string]*api.EventStats{}}
			tl.Fill(&got, tt.from)
			for _, e := range got.Events {
				if e.P50 <= 0 || e.P95 < e.P50 {
					t.Errorf("%s, %s: p50 %v, p95 %v", tt.name, when, e.P50, e.P95)
				}
				e.P50, e.P95 = 0, 0
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s, %s:\n%s", tt.name, when, diff)
			}
			tl.Save(noon, true)
			tl = OpenTally(home, quiet)
		}
	}
}

// The counts are written at most once a minute, and at the end; old days go.
func TestTallyIsSaved(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "stats.json")
	tl := OpenTally(home, quiet)
	count := func() int {
		out := api.Stats{Events: map[string]*api.EventStats{}}
		OpenTally(home, quiet).Fill(&out, time.Time{})
		return out.Captured
	}
	tl.Save(noon, true)
	if _, err := os.Stat(path); err == nil {
		t.Error("nothing was counted, and there is a file")
	}
	steps := []struct {
		at   time.Duration
		last bool
		want int
	}{
		{0, false, 1},
		{saveEvery / 2, false, 1},
		{saveEvery, false, 3},
		{saveEvery + time.Second, true, 4},
		{(maxDays + 2) * 24 * time.Hour, true, 1},
	}
	for _, s := range steps {
		tl.Captured(noon.Add(s.at), nil)
		tl.Save(noon.Add(s.at), s.last)
		if got := count(); got != s.want {
			t.Errorf("after %v: %d captures on disk, want %d", s.at, got, s.want)
		}
	}
	for _, text := range []string{"", "no JSON", `{"2026-03-01":null}`, `{"2026-03-01":{"recalls":{"UserPromptSubmit":null}}}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tl := OpenTally(home, quiet)
		tl.Recalled(noon, PromptEvent, time.Millisecond, 1, nil)
		out := api.Stats{Events: map[string]*api.EventStats{}}
		tl.Fill(&out, time.Time{})
		if got := out.Event(PromptEvent).Recalls; got != 1 {
			t.Errorf("with the file %q: %d recalls, want 1", text, got)
		}
	}
}

func TestQuantile(t *testing.T) {
	var h histogram
	for ms := 1; ms <= 100; ms++ {
		h.add(time.Duration(ms) * time.Millisecond)
	}
	for share, want := range map[float64]float64{0.5: 50, 0.95: 95, 1: 100} {
		if got := h.quantile(share); got < want || got > want*1.2 {
			t.Errorf("quantile(%v) = %v ms, want %v to a fifth more", share, got, want)
		}
	}
	h = nil
	h.add(0)
	h.add(-time.Second)
	if got := h.quantile(0.5); got != 0.01 {
		t.Errorf("no time at all: %v ms, want 0.01", got)
	}
	h.add(time.Hour)
	if got := h.quantile(1); got < 9000 {
		t.Errorf("an hour: %v ms, want what is longest", got)
	}
	if got := (histogram)(nil).quantile(0.5); got != 0 {
		t.Errorf("no times: %v, want 0", got)
	}
}

// A file that was damaged costs what was counted, and nothing else.
func TestTallyDamaged(t *testing.T) {
	today := dateOf(noon)
	for _, content := range []string{"null", "", "[1]", `{"` + today + `":null}`, `{"` + today + `":{"recalls":{"x":null}}}`, `{"` + today} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "stats.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		tl := OpenTally(home, quiet)
		tl.Expired(noon, 1)
		got := api.Stats{Events: map[string]*api.EventStats{}}
		if tl.Fill(&got, time.Time{}); got.Expired != 1 {
			t.Errorf("%q: %d expired, want 1", content, got.Expired)
		}
	}
}
