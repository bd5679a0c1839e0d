package capture

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// second makes the records from one on those of another session, which was written over the first.
func (s *tale) second(from int) *tale {
	for i := from; i < len(s.lines); i++ {
		s.lines[i] = strings.Replace(s.lines[i], `"sessionId":"s1"`, `"sessionId":"s2"`, 1)
	}
	return s
}

// Turns that are left out, taken back, or another session's in the same file meet in all ways: what
// is known does not depend on how often the file was read, and by how many daemons.
func TestLeftOutTakenBackAndTwoSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	begin := func() *tale {
		return (&tale{}).edit("t1", "", "set up the skeleton of the job runner", "main.go", "The skeleton of the job runner stands in main.go, with one worker for each queue.")
	}
	docs := func(s *tale, id, parent string) *tale {
		return s.edit(id, parent, "describe the runner in the manual", "docs.md", "The manual describes the runner and its queues now.")
	}
	two := func() *tale {
		s := begin()
		n := len(s.lines)
		s.last = ""
		return docs(s.ask("t2", "", redisWish, redisReply), "t3", "").second(n)
	}
	goOn := func(s *tale, from int) *tale { return s.ask("t4", "", logWish, logReply).second(from) }
	for _, tt := range []struct {
		name    string
		in      *tale
		leftOut []string
	}{
		{"taken back after a turn that is left out", docs(begin().ask("t2", "", redisWish, redisReply), "t3", "t1a"), []string{"t1"}},
		{"the turn that was taken back is left out", docs(begin().ask("t2", "", redisWish, redisReply), "t3", "t1a"), []string{"t2"}},
		{"the turn that takes back is left out", docs(begin().ask("t2", "", redisWish, redisReply), "t3", "t1a"), []string{"t3"}},
		{"two sessions", goOn(two(), 4), nil},
		{"two sessions, the first turn of the second is left out", goOn(two(), 4), []string{"t2"}},
		{"two sessions, the only turn of the first is left out", goOn(two(), 4), []string{"t1"}},
		{"two sessions, the last turn is left out", goOn(two(), 4), []string{"t4"}},
		{"two sessions, and the second takes back", two().ask("t4", "t2a", logWish, logReply).second(4), nil},
		{"two sessions, and the second takes back what is left out", two().ask("t4", "t2a", logWish, logReply).second(4), []string{"t3"}},
		{"two sessions, and the first goes on", two().ask("t4", "t1a", logWish, logReply), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			read := func(restart bool, step int) []string {
				d, tries := newDesk(t), 0
				d.as("1.0.0", "")
				in := Input{Each: panicsAt(&tries, tt.leftOut...)}
				for i, line := range tt.in.lines {
					d.write(line)
					if i%step != 0 {
						continue
					}
					if restart {
						d.restart()
						d.as("1.0.0", "")
					}
					d.take(in)
				}
				d.take(in)
				if tries > len(tt.leftOut) {
					t.Errorf("%d tries of %d turns", tries, len(tt.leftOut))
				}
				return d.known()
			}
			once := read(false, 1<<10)
			for _, restart := range []bool{false, true} {
				for _, step := range []int{1, 2, 3} {
					if diff := cmp.Diff(once, read(restart, step)); diff != "" {
						t.Errorf("each %d lines, by other daemons %v (-at once +so):\n%s", step, restart, diff)
					}
				}
			}
		})
	}
}

// A prompt of a program that is left out does not count as one, and what those before it said is
// withdrawn once there are three, left out afterwards or not.
func TestTemplateThatIsLeftOut(t *testing.T) {
	const prompt = "Go through the open issues of the tracker one by one, take the oldest that nobody works on, and carry it out as it says there. From now on always write a test first, never skip it."
	for _, tt := range []struct {
		name    string
		leftOut []string
		want    bool
	}{
		{"none", nil, false},
		{"the first", []string{"u1"}, false},
		{"the third", []string{"u3"}, false},
		{"two of them", []string{"u1", "u3"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, tries := newDesk(t), 0
			d.as("1.0.0", "")
			for i := 1; i <= 4; i++ {
				d.path = filepath.Join(filepath.Dir(d.path), fmt.Sprintf("s%d.jsonl", i))
				for _, line := range []string{asked(i, prompt), replied(i, "The issue is done, with a test for it.")} {
					d.write(strings.ReplaceAll(line, `"s1"`, fmt.Sprintf(`"s%d"`, i)))
				}
				d.take(Input{Each: panicsAt(&tries, tt.leftOut...)})
			}
			got := slices.ContainsFunc(d.known(), func(s string) bool { return strings.HasPrefix(s, string(memory.Preferences)+": ") })
			if got != tt.want || tries != len(tt.leftOut) {
				t.Errorf("a wish is known %v, want %v, after %d panics", got, tt.want, tries)
			}
		})
	}
}
