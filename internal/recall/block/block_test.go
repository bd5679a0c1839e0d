package block

import (
	"strings"
	"testing"

	"recollect/internal/memory"
)

// What Fit returns holds the limit, and says how much of it there is.
func TestFit(t *testing.T) {
	frame := frameUnits(2)
	tests := []struct {
		name  string
		sizes []int
		limit int
		held  int
		cut   bool
	}{
		{"none", nil, 500, 0, false},
		{"all", []int{10, 10}, frame + 22, 2, false},
		{"the second has no room", []int{10, 10}, frame + 21, 1, false},
		{"the first is too long", []int{100, 10}, frame + 50, 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var entries []string
			for _, n := range tt.sizes {
				entries = append(entries, strings.Repeat("x", n))
			}
			text, held, cut := Fit(entries, tt.limit)
			if held != tt.held || cut != tt.cut {
				t.Errorf("held %d, cut %v; want %d, %v", held, cut, tt.held, tt.cut)
			}
			if Units(text) > tt.limit {
				t.Errorf("%d units, want at most %d", Units(text), tt.limit)
			}
		})
	}
}

func TestBeginning(t *testing.T) {
	m := memory.Memory{ID: "dec-1", Source: memory.Journal, Title: "Use JSONL", Text: "Use JSONL\nAppend-only,\n  simple."}
	tests := []struct {
		name  string
		limit int
		want  string
	}{
		{"all of it", 100, "[decision] Use JSONL (relevance 0.50, dec-1)\n  Append-only, simple."},
		{"cut", 7, "[decision] Use JSONL (relevance 0.50, dec-1)\n  Append…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Beginning(&m, memory.Project{}, tt.limit, "relevance 0.50"); got != tt.want {
				t.Errorf("Beginning() = %q, want %q", got, tt.want)
			}
		})
	}
	m.Text = "Use JSONL"
	if got, want := Beginning(&m, memory.Project{}, 100), "[decision] Use JSONL (dec-1)"; got != want {
		t.Errorf("Beginning() = %q, want %q", got, want)
	}
}
