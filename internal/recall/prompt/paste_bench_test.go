package prompt

import "testing"

// A long log is read at every prompt that has one.
func BenchmarkReadings(b *testing.B) {
	prompt := "why does the import fail on Mondays?\n" + logLines(1400)
	b.ReportAllocs()
	for b.Loop() {
		Readings(prompt)
	}
}
