package capture

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/text/consolidate"
)

// What was decided is superseded by what a later session says has changed, whatever prompt says
// so, and by nothing else.
func TestSwitched(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	switchedCases(t, "testdata/switched.txt")
}

func switchedCases(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if parts[0] != "y" && parts[0] != "n" {
			continue
		}
		for _, first := range []bool{true, false} {
			older, later := sessionOf("s1", 10, "hello, let's talk about the design", parts[1]), sessionOf("s2", 25, parts[2])
			if !first {
				later = sessionOf("s2", 25, "what is the state of the work?", parts[2])
			}
			switch standing, merges := supersededIn(older, later); {
			case len(older) != 1:
				t.Errorf("%q makes %d decisions", parts[1], len(older))
			case (parts[0] == "y") == standing:
				t.Errorf("%q, later %q (first prompt: %t): it stands: %t, decided later: %q, %d superseded", parts[1], parts[2], first, standing, titlesOf(later), merges)
			}
		}
	}
}

// sessionOf returns the decisions of a session of some prompts, on a day of a month.
func sessionOf(session string, day int, prompts ...string) []memory.Memory {
	return slices.DeleteFunc(saidIn(session, day, prompts...), func(m memory.Memory) bool { return m.Source != memory.Journal })
}

// saidIn returns the decisions and wishes of such a session.
func saidIn(session string, day int, prompts ...string) []memory.Memory {
	var turns []claudecode.Turn
	for i, prompt := range prompts {
		turns = append(turns, claudecode.Turn{
			Session: session, ID: session + prompt, Prompt: prompt, At: time.Date(2026, 11, day, 9, i, 0, 0, time.UTC), Replies: []string{"All is committed."},
		})
	}
	var out []memory.Memory
	for _, d := range extract.DraftsOf(turns, memory.Project{Name: "app", Path: "/src/app"}) {
		if m := d.Memory; d.Source == memory.Journal || d.Source == memory.Preferences {
			m.ID = strings.Join(d.Subject, "|")
			out = append(out, m)
		}
	}
	return out
}

// supersededIn reports whether the first of the older decisions stands after the later ones, and
// how many are superseded.
func supersededIn(older, later []memory.Memory) (standing bool, n int) {
	if len(older) == 0 {
		return false, 0
	}
	changes, merges := consolidate.Compare(slices.Concat(older, later))
	for _, c := range changes {
		if slices.Contains(c.Now.Supersedes, older[0].ID) {
			return false, len(merges)
		}
	}
	return true, len(merges)
}

func titlesOf(ms []memory.Memory) []string {
	var out []string
	for _, m := range ms {
		out = append(out, m.Title)
	}
	return out
}
