package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	wideText = "日本語のテキスト"                     // two columns a character
	markText = "e\u0301e\u0301e\u0301e\u0301" // é as two characters each, one column
	family   = "👩‍👩‍👧‍👦"                      // one picture of seven characters
)

func TestClip(t *testing.T) {
	tests := []struct {
		text    string
		columns int
		want    string
	}{
		{"plain", 5, "plain"},
		{"plain", 4, "pla…"},
		{"two words", 5, "two…"},
		{"two words", 8, "two wor…"},
		{"some words", 8, "some wo…"},
		{"some words more", 11, "some words…"},
		{wideText, 16, wideText},
		{wideText, 8, "日本語…"},
		{wideText, 7, "日本語…"},
		{wideText, 6, "日本…"},
		{markText, 4, markText},
		{markText, 3, "e\u0301e\u0301…"},
		{family + family, 4, family + family},
		{family + family, 3, family + "…"},
		{"x", 1, "x"},
		{"xy", 1, "…"},
	}
	for _, tt := range tests {
		got := Clip(tt.text, tt.columns)
		if got != tt.want || Columns(got) > tt.columns {
			t.Errorf("Clip(%q, %d) = %q of %d columns, want %q", tt.text, tt.columns, got, Columns(got), tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	const text = "a sentence of some words"
	tests := []struct {
		text          string
		indent, width int
		want          string
	}{
		{text, 4, 0, text},
		{text, 0, 80, text},
		{text, 4, 20, "a sentence of\n    some words"},
		{text, 12, 20, "a\n          sentence\n          of some\n          words"},
		{wideText + " " + wideText, 2, 20, wideText + "\n  " + wideText},
		{"/a/path/longer/than/a/line", 0, 20, "/a/path/longer/than/a/line"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Wrap(tt.text, tt.indent, tt.width)); diff != "" {
			t.Errorf("Wrap(%q, %d, %d) (-want +got):\n%s", tt.text, tt.indent, tt.width, diff)
		}
	}
}

func TestTableFits(t *testing.T) {
	table := Table{Columns: []Column{
		{Title: "id"}, {Title: "n", Right: true, Spare: 2}, {Title: "project", Spare: 1, Most: 8}, {Title: "title", Flex: true},
	}}
	for _, title := range []string{"short", strings.Repeat(wideText, 20), strings.Repeat(markText, 50), "with\n\x1b[31ma line end\t" + strings.Repeat(family, 60), ""} {
		table.Add(Span{Name, "dec-0123456789ab"}, Text("%d", len(title)), Text("orders-api"), Text("%s", title))
	}
	for _, width := range []string{"20", "40", "80", "200"} {
		t.Setenv("COLUMNS", width)
		var out bytes.Buffer
		if err := table.Print(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != 6 || !strings.HasPrefix(lines[0], "id ") {
			t.Fatalf("%s columns:\n%s", width, out.String())
		}
		for _, line := range lines {
			if n := Columns(line); n > Width(&out) || strings.HasSuffix(line, " ") {
				t.Errorf("%d columns, not %s: %q", n, width, line)
			}
		}
	}
}

// Where nobody looks a table is whole, and has no titles.
func TestTablePiped(t *testing.T) {
	t.Setenv("COLUMNS", "")
	long := strings.Repeat("long ", 100) + "end"
	table := Table{Columns: []Column{{Title: "id"}, {Title: "n", Right: true, Spare: 1}, {Title: "title", Flex: true}, {Title: "project", Most: 3}}}
	table.Add(Text("a"), Text("1"), Text("%s", long), Text("shop-ui"))
	table.Add(Text("bb"), Text("22"), Text("short"), Text(""))
	var out bytes.Buffer
	if err := table.Print(&out); err != nil {
		t.Fatal(err)
	}
	want := "a    1  " + long + "  shop-ui\nbb  22  short\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("Print (-want +got):\n%s", diff)
	}
}

// Color is ours alone: an escape in what is printed is no color.
func TestPrintColors(t *testing.T) {
	spans := []Span{{Bad, "a\x1b[32mb"}, Text(" \x1b[2J"), {Good, ""}, {Good, "c\u202e"}}
	tests := []struct {
		mode ColorMode
		want string
	}{
		{ColorAlways, "\x1b[31ma[32mb\x1b[0m [2J\x1b[32mc\x1b[0m"},
		{ColorNever, "a[32mb [2Jc"},
		{ColorAuto, "a[32mb [2Jc"}, // a buffer is no terminal
	}
	for _, tt := range tests {
		var out bytes.Buffer
		p := NewPlain(&out)
		p.SetColor(tt.mode)
		if err := Print(p, spans...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.mode, diff)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 memories", 1: "1 memory", 2: "2 memories"} {
		if got := Count(n, "memory", "memories"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

// Lines that fit stay as they are; longer ones go on below their own text.
func TestFoldLines(t *testing.T) {
	const text = "a  line that fits\n  - and one with a hyphen that does not\n\nlast"
	tests := []struct{ columns, want string }{
		{"", text + "\n"},
		{"24", "a  line that fits\n  - and one with a\n    hyphen that does not\n\nlast\n"},
	}
	for _, tt := range tests {
		t.Setenv("COLUMNS", tt.columns)
		var out bytes.Buffer
		if err := FoldLines(&out, text); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, out.String()); diff != "" {
			t.Errorf("in %q columns (-want +got):\n%s", tt.columns, diff)
		}
	}
}
