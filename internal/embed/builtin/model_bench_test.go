package builtin

import (
	"runtime"
	"strings"
	"testing"
)

// prose is what a prompt of a coding session is made of: common words, some
// identifiers, and a few words that no vocabulary has.
const prose = `The daemon exits with a nil pointer when config.toml has no [ranking] table. I think parseSettings in
internal/config/load.go does not check whether halfLife was given, so recencyDecay divides by zero. Can you write a
table test first, then fix it, and look at whether zstdReader and the WAL checkpoint have the same problem? Yesterday
we decided that a missing table means the defaults, and that xqvblorp files from 2024 are read as before. `

func BenchmarkEmbed(b *testing.B) {
	m, err := Load()
	if err != nil {
		b.Fatal(err)
	}
	long := strings.Repeat(prose, 15)
	for _, bm := range []struct{ name, text string }{
		{"6 words", "why does the daemon exit early"},
		{"110 words", strings.Repeat(prose, 2)[:650]},
		{"1100 words", long[:6000]},
		{"6000 characters, all unknown", strings.Repeat("xqvblorptk zwqjjfk ", 316)[:6000]},
	} {
		b.Run(bm.name, func(b *testing.B) {
			v := make([]float32, m.Dims())
			b.ReportAllocs()
			for b.Loop() {
				m.Embed(v, bm.text)
			}
		})
	}
}

// The model's bytes are part of the executable; what loading adds to the heap is
// the table of words.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m, err := Load()
		if err != nil {
			b.Fatal(err)
		}
		runtime.KeepAlive(m)
	}
}
