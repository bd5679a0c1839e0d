package handoff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// Whatever the order in which handoffs are written, the newest replaces the
// others and none of these replaces any.
func TestInLine(t *testing.T) {
	for seed := range uint64(20) {
		order := rand.New(rand.NewPCG(seed, 1)).Perm(6)
		var line []memory.Memory
		for _, n := range order {
			m := memory.Memory{Source: memory.Handoffs, ID: fmt.Sprint("hand-", n), OccurredAt: minute(n)}
			if n == 2 {
				m.Supersedes = []string{"note-1"}
			}
			line = append(line, m)
			for _, changed := range InLine(slices.Clone(line)) {
				i := slices.IndexFunc(line, func(m memory.Memory) bool { return m.ID == changed.ID })
				line[i] = changed
			}
		}
		got := map[string]string{}
		for _, m := range line {
			if len(m.Supersedes) > 0 {
				got[m.ID] = strings.Join(m.Supersedes, " ")
			}
		}
		want := map[string]string{"hand-2": "note-1", "hand-5": "hand-0 hand-1 hand-2 hand-3 hand-4"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("written in the order %v (-want +got):\n%s", order, diff)
		}
		if again := InLine(line); len(again) > 0 {
			t.Fatalf("in line already, and %d changed", len(again))
		}
	}
}
