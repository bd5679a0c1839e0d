package cli

import (
	"strings"
	"testing"
)

func TestBar(t *testing.T) {
	t.Setenv("COLUMNS", "40")
	var out strings.Builder
	bar := NewBar(&Plain{to: &out}, "importing")
	bar.Show(0, 0)
	bar.Show(3, 4)
	bar.Show(4, 4)
	want := "\r\r" + "\rimporting  75% |███████   | 3/4" + "\r" + strings.Repeat(" ", 31) + "\r"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A message does not run into the bar, which comes back behind it.
func TestBarGivesWay(t *testing.T) {
	t.Setenv("COLUMNS", "40")
	var out strings.Builder
	to := &Plain{to: &out}
	bar := NewBar(to, "importing")
	bar.Show(3, 4)
	Warn(to, "a file is empty")
	const line = "\rimporting  75% |███████   | 3/4"
	want := line + "\r" + strings.Repeat(" ", 31) + "\r" + "recollect: a file is empty\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	bar.Show(3, 4)
	if got := out.String(); got != want+line {
		t.Errorf("got %q, want %q", got, want+line)
	}
}
