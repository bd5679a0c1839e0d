package activity

import (
	"testing"

	"recollect/internal/memory"
)

// BenchmarkAsked measures what a prompt of one sentence costs.
func BenchmarkAsked(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Asked("the parser still drops the last line of a file without a newline, please fix it and commit")
	}
}

// BenchmarkOf measures what a wish costs when it is indexed.
func BenchmarkOf(b *testing.B) {
	b.ReportAllocs()
	m := memory.Memory{Source: memory.Preferences, Title: memory.TitleWants + "before you commit, run the tests, and never push"}
	for b.Loop() {
		Of(&m)
	}
}
