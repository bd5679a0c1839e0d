package upkeep

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// What only an order suggests becomes a candidate, but nothing that the user reviews does, and a dry run changes nothing.
func TestReconsideration(t *testing.T) {
	for name, tt := range map[string]struct {
		settings string
		dry      bool
		found    int
		left     int // memories that stand
	}{
		"judged":   {"", false, 1, 1},
		"dry":      {"", true, 1, 2},
		"reviewed": {"[capture]\nreview = \"all\"\n", false, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(tt.settings), 0o600); err != nil {
				t.Fatal(err)
			}
			settings, err := config.NewLive(home, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, w := open(t, home)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { w.Run(ctx); close(done) }()
			defer func() { cancel(); <-done }()
			wish := func(words string, confidence float64) memory.Draft {
				return memory.Draft{Memory: memory.Memory{Source: memory.Preferences, Origin: memory.OriginUser, Turn: "t", Title: words, Evidence: words, Confidence: confidence}}
			}
			ms, err := clean.Drafts(wish("make the header blue", 0.6), wish("never push to main", 0.85))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Append(ctx, ms); err != nil {
				t.Fatal(err)
			}
			found, err := NewReconsideration(home, settings, s, w, quiet).All(ctx, tt.dry)
			if err != nil || len(found) != tt.found || s.Len() != tt.left {
				t.Errorf("%d become candidates, %d are left, %v; want %d and %d", len(found), s.Len(), err, tt.found, tt.left)
			}
		})
	}
}
