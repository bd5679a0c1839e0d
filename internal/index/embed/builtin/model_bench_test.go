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

// head is the first n words of prose, over and over.
func head(n int) string {
	words := strings.Fields(strings.Repeat(prose, 1+n/50))
	return strings.Join(words[:n], " ")
}

// The model alone, without what embed adds. The last text is the worst: each
// word takes a row for every n-gram.
func BenchmarkEmbed(b *testing.B) {
	m, err := Load()
	if err != nil {
		b.Fatal(err)
	}
	for _, bm := range []struct{ name, text string }{
		{"8 words", head(8)},
		{"60 words", head(60)},
		{"2000 words", head(2000)},
		{"300 characters", strings.Repeat(prose, 2)[:300]},
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

// What every start of the daemon pays. The model's bytes are part of the
// executable; what loading adds to the heap is the table of words.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m, err := Load()
		if err != nil {
			b.Fatal(err)
		}
		runtime.KeepAlive(m)
	}
	b.ReportMetric(float64(len(modelFile))/1e6, "MB-linked")
}

// With the hash, which Load leaves out: the executable is not checked.
func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(modelFile); err != nil {
			b.Fatal(err)
		}
	}
}
