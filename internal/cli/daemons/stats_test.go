package daemons

import (
	"testing"
	"time"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		in   string
		want time.Time
		ok   bool
	}{
		{"", time.Time{}, true},
		{"7d", now.AddDate(0, 0, -7), true},
		{"90m", now.Add(-90 * time.Minute), true},
		{"2026-03-01", time.Date(2026, 3, 1, 0, 0, 0, 0, time.Local), true},
		{"2026-03-01T10:00:00Z", time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), true},
		{"0d", time.Time{}, false},
		{"-7d", time.Time{}, false},
		{"7", time.Time{}, false},
		{"last week", time.Time{}, false},
		{"2026-13-01", time.Time{}, false},
	}
	for _, tt := range tests {
		got, err := parseSince(tt.in, now)
		if !got.Equal(tt.want) || (err == nil) != tt.ok {
			t.Errorf("parseSince(%q) = %v, %v; want %v, ok %v", tt.in, got, err, tt.want, tt.ok)
		}
	}
}

func TestBar(t *testing.T) {
	tests := []struct {
		n, most int
		want    string
	}{
		{0, 0, ""},
		{0, 10, ""},
		{30, 30, "██████████████████████████████"},
		{15, 30, "███████████████"},
		{1, 60, "▌"},
		{1, 100000, "▏"},
		{119, 120, "█████████████████████████████▊"},
	}
	for _, tt := range tests {
		if got := drawBar(tt.n, tt.most, longBar); got != tt.want {
			t.Errorf("bar(%d, %d) = %q, want %q", tt.n, tt.most, got, tt.want)
		}
	}
}
