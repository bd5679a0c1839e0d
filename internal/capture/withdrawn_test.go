package capture

import (
	"os"
	"slices"
	"strings"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/text/consolidate"
)

// A rule or a decision ends when its owner withdraws it in a later session, and only then.
func TestWithdrawn(t *testing.T) {
	data, err := os.ReadFile("testdata/withdrawn.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if parts[0] != "y" && parts[0] != "n" {
			continue
		}
		older := saidIn("s1", 10, "hello, let's talk about the design", parts[1])
		later := saidIn("s2", 25, "what is the state of the work?", parts[2])
		if len(older) != 1 {
			t.Errorf("%q makes %q", parts[1], titlesOf(older))
			continue
		}
		if standing := standsAfter(older[0], slices.Concat(older, later)); (parts[0] == "y") == standing {
			t.Errorf("%q, later %q: it stands: %t; later: %q", parts[1], parts[2], standing, titlesOf(later))
		}
	}
}

// standsAfter reports whether a memory is not superseded once all are compared.
func standsAfter(m memory.Memory, all []memory.Memory) bool {
	changes, _ := consolidate.Compare(all)
	changes = append(changes, consolidate.Withdrawn(all, all)...)
	return !slices.ContainsFunc(changes, func(c consolidate.Change) bool { return slices.Contains(c.Now.Supersedes, m.ID) })
}
