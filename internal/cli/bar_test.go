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
