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

// Many decisions as people state them: subjects of two words out of 3,000, of
// which some are frequent, one in three with words that change something, one
// in four with a number, one in three with the question that it answers.
func BenchmarkAmendments(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 7))
	zipf := rand.NewZipf(r, 1.1, 20, 3000)
	word := func() string {
		n := zipf.Uint64()
		return fmt.Sprintf("%c%c%c%cen", 'b'+n%20, "aeiou"[n/20%5], 'b'+n/100%20, "aeiou"[n/2000%5])
	}
	var ms []memory.Memory
	for n := range 10000 {
		title := fmt.Sprintf("the %s %s goes to %s for the %s", word(), word(), word(), word())
		switch n % 12 {
		case 0, 4:
			title += " instead of " + word()
		case 1, 5, 9:
			title = fmt.Sprintf("%s %s is %d %s", word(), word(), r.IntN(50), word())
		case 2:
			title = fmt.Sprintf("we now sort %s by %s, no longer by %s", word(), word(), word())
		case 3:
			title = fmt.Sprintf("never %s a %s without %s", word(), word(), word())
		}
		if n%3 == 0 {
			title += fmt.Sprintf(" (asked: should the %s %s or the %s %s?)", word(), word(), word(), word())
		}
		m := memory.Memory{
			Source: memory.Journal, ProjectPath: "/src/app", Session: fmt.Sprint("s", n/8), Turn: fmt.Sprint(n), Title: title, Evidence: title,
			OccurredAt: confirmDay.Add(time.Duration(n) * time.Minute),
		}
		if err := m.Normalize(); err != nil {
			b.Fatal(err)
		}
		ms = append(ms, m)
	}
	b.ReportAllocs()
	for b.Loop() {
		Compare(ms)
	}
}
