package prose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGist(t *testing.T) {
	tests := []struct {
		name, reply, want string
	}{
		{"sentence", "Done.", "Done."},
		{"code", "Do this:\n```sh\nrm -rf x\n```\nThen that.\n~~~\ny\n~~~", "Do this:\nThen that."},
		{"code not closed", "Do this:\n```\nrm", "Do this:"},
		{"marks", "**Fixed** it.\n\n---\n\n## Why\nIt was **late**.", "Fixed it.\nWhy\nIt was late."},
		{"headings without text", "Fixed.\n\n## Summary\n\n## Code\n```\nx\n```", "Fixed."},
		{
			"long prose gives way to lists", "Fixed it.\n\n" + strings.Repeat("Long story. ", 60) + "\n\n" + strings.Repeat("More of it. ", 60) +
				"\n\n1. first\n2) second\n* third\n\nAll tests pass.",
			"Fixed it.\n" + Clip(strings.Repeat("Long story. ", 60), maxLine) + "\n" + Clip(strings.Repeat("More of it. ", 60), maxLine) +
				"\n1. first\n2) second\n* third\nAll tests pass.",
		},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Highlights(tt.reply)
			if diff := cmp.Diff(tt.want, got); diff != "" || len(got) > maxOutcome {
				t.Errorf("gist of %d bytes (-want +got):\n%s", len(got), diff)
			}
		})
	}
}

func TestTitle(t *testing.T) {
	tests := []struct{ name, asked, want string }{
		{"first line", "fix the build\nit is red", "fix the build"},
		{"announcement", "Fix this bug:\n\n  pool: exhausted at noon\nmore", "Fix this bug: pool: exhausted at noon"},
		{"announcements only", "Fix:\nthis:", "Fix: this:"},
		{"empty first line", "\nfix it", "fix it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Title(tt.asked); got != tt.want {
				t.Errorf("title(%q) = %q, want %q", tt.asked, got, tt.want)
			}
		})
	}
}
