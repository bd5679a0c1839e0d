package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "Größe\t日本 👩‍💻\nnext", "Größe\t日本 👩‍💻\nnext"},
		{"escapes", "\x1b[2J\x1b]0;title\x07x", "[2J]0;titlex"},
		{"C1", "a\u009b31mb\u0085c", "a31mbc"},
		{"bytes of C1", "a\x9b31mb", "a\uFFFD31mb"},
		{"drawn over", "safe\rEVIL\b\b", "safeEVIL"},
		{"direction", "a\u202eb\u2066c\u200fd", "abcd"},
		{"line separator", "a\u2028b", "a\nb"},
		{"tag characters", "a\U000E0041b", "ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 1000} { // characters may be divided between writes
				var out bytes.Buffer
				p := NewPlain(&out)
				for rest := tt.in; rest != ""; rest = rest[min(size, len(rest)):] {
					if n, err := p.Write([]byte(rest[:min(size, len(rest))])); err != nil || n != min(size, len(rest)) {
						t.Fatalf("Write = %d, %v", n, err)
					}
				}
				if got := out.String(); got != tt.want {
					t.Errorf("%d bytes at a time: %q, want %q", size, got, tt.want)
				}
			}
		})
	}
}

// JSON keeps every character, but shows none that steers a terminal.
func TestPrintJSON(t *testing.T) {
	const text = "a\x1b[2J\u009b\u202e\u2028\U000E0041\n\t<é> 👩‍💻"
	for _, print := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return PrintJSON(b, map[string]string{"x": text}) },
		func(b *bytes.Buffer) error { return PrintLine(b, map[string]string{"x": text}) },
	} {
		var out, plain bytes.Buffer
		if err := print(&out); err != nil {
			t.Fatal(err)
		}
		if NewPlain(&plain).Write(out.Bytes()); plain.String() != out.String() || !strings.Contains(out.String(), "<é>") {
			t.Errorf("printed %q", out.String())
		}
		var back map[string]string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back["x"] != text {
			t.Errorf("read back %q, %v, want %q", back["x"], err, text)
		}
	}
}
