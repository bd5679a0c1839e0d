package consolidate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
)

// A large project: 5,000 decisions of some twenty words out of a vocabulary of
// 500, one in fifty said before.
func BenchmarkConsolidate(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 6))
	var ms []memory.Memory
	for n := range 5000 {
		var words []string
		for range 10 + r.IntN(20) {
			words = append(words, fmt.Sprintf("w%c%cx", 'a'+r.IntN(20), 'a'+r.IntN(25)))
		}
		m := memory.Memory{
			ID: fmt.Sprintf("dec-%012d", n), Source: memory.Journal, ProjectPath: "/src/app", Turn: fmt.Sprint(n), Text: strings.Join(words, " "),
			OccurredAt: confirmDay.Add(time.Duration(n) * time.Minute),
		}
		if n%50 == 49 {
			m.Text = ms[r.IntN(n)].Text + "!"
		}
		if err := m.Normalize(); err != nil {
			b.Fatal(err)
		}
		ms = append(ms, m)
	}
	b.ReportAllocs()
	for b.Loop() {
		if changes, _ := Compare(ms); len(changes) == 0 {
			b.Fatal("nothing found")
		}
	}
}
