package clean

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	frame := `<memory-data source="recollect" items="1" note="…">` + "\n[pattern] x\n</memory-data>"
	tests := []struct {
		name, in, want string
	}{
		{"plain", "fix\tit\nnow, <b>é😀</b>", "fix\tit\nnow, <b>é😀</b>"},
		{"private", "a <private>token is x</private> b", "a  b"},
		{"private in capitals with attributes", "a <Private level=1>x</PRIVATE >b", "a b"},
		{"private within private", "a<private>1<private>2</private>3</private>b", "ab"},
		{"private put together", "a<pri<private>x</private>vate>y</private>b", "a"},
		{"private not closed", "a <private>x\ny", "a "},
		{"closing tag alone", "a</private>b", "ab"},
		{"NUL within the tag", "a<pri\x00vate>x</private>b", "ab"},
		{"colour within the tag", "a<priv\x1b[1mate>x</private>b", "ab"},
		{"no tag", "a <privateer> b <private", "a <privateer> b <private"},
		{"memory-data", "before\n" + frame + "\nafter", "before\n\nafter"},
		{"memory-data quoted", "> " + frame + "\nsaid", "> \nsaid"},
		{"memory-data twice", frame + "x" + frame, "x"},
		{"memory-data not closed", `a <memory-data source="recollect">` + "\n[pattern] x", "a "},
		{"memory-data spoken of", "the <memory-data> block is dated", "the <memory-data> block is dated"},
		{"memory-data spoken of, then one not closed", `<memory-data> and <memory-data source="x"> y`, "<memory-data> and "},
		{"private closed behind memory-data", "<private>" + frame + "</private>x", "x"},
		{"colours", "\x1b[38;2;1;2;3mred\x1b[0m", "red"},
		{"title and link", "\x1b]0;title\aa\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\", "ab"},
		{"title not ended", "\x1b]0;title\nnext", "0;title\nnext"},
		{"cut off", "a\x1b[1", "a"},
		{"escape at the end", "a\x1b", "a"},
		{"two bytes", "a\x1b7b", "ab"},
		{"control characters", "a\x00b\x07c\u009bd\x7f", "abcd"},
		{"carriage returns", "10%\r20%\r\ndone", "10%\n20%\ndone"},
		{"invalid UTF-8", "a\xff\xfeb", "a\uFFFDb"},
		{"turned text", "a\u202Eb\u2066c\uFEFFd\U000E0041", "abcd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// Many tags that are never closed must not take quadratic time; the test's
// time limit would notice.
func TestManyTags(t *testing.T) {
	for _, tag := range []string{"<memory-data>", "<memory-data ", "<private ", "<private></private", "\x1b]"} {
		if got := Text(strings.Repeat(tag, 200_000)); len(got) > 200_000*len(tag) {
			t.Errorf("Clean of %q grew to %d bytes", tag, len(got))
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a<private>b</private>\x1b[1mc<memory-data x>d</memory-data>\r\n")
	f.Fuzz(func(t *testing.T, in string) {
		got := Text(in)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\r") {
			t.Errorf("Clean(%q) = %q", in, got)
		}
		if n := len(got); n > 3*len(in) {
			t.Errorf("Clean(%q) has %d bytes", in, n)
		}
	})
}
