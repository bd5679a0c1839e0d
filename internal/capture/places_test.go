package capture

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// To which project belongs what a transcript says, if some or all of it has no folder.
func TestProjectOfTurns(t *testing.T) {
	const wish, more = "from now on always use Redis for queues in this repo", "from now on always write the log as JSON in this repo"
	const folder, none = `"cwd":"/app"`, `"cwd":""`
	turn := func(n int, prompt, cwd string) []string {
		var out []string
		for _, line := range []string{asked(n, prompt), replied(n, "That is noted, and it holds from here on for everything.")} {
			if cwd == "" {
				line = strings.Replace(line, folder+",", "", 1)
			}
			out = append(out, strings.Replace(line, folder, cwd, 1))
		}
		return out
	}
	other := func(lines []string) []string {
		return each(lines, func(line string) string { return strings.Replace(line, `"s1"`, `"s2"`, 1) })
	}
	for _, tt := range []struct {
		name  string
		lines [][]string
		want  []string // projects of the wishes
	}{
		{"a folder", [][]string{turn(1, wish, folder)}, []string{"/app"}},
		{"no folder", [][]string{turn(1, wish, "")}, []string{"unknown folder"}},
		{"an empty folder", [][]string{turn(1, wish, none)}, []string{"unknown folder"}},
		{"two without a folder", [][]string{turn(1, wish, ""), turn(2, more, "")}, []string{"unknown folder", "unknown folder"}},
		{"behind one with a folder", [][]string{turn(1, wish, folder), turn(2, more, "")}, []string{"/app", "/app"}},
		{"before one with a folder", [][]string{turn(1, wish, ""), turn(2, more, folder)}, []string{"/app", "unknown folder"}},
		{"between two folders", [][]string{turn(1, wish, folder), turn(2, more, `"cwd":"/web"`)}, []string{"/app", "/web"}},
		{"only the prompt has none", [][]string{{turn(1, wish, "")[0], turn(1, wish, folder)[1]}}, []string{"/app"}},
		{"only the reply has none", [][]string{{turn(1, wish, folder)[0], turn(1, wish, "")[1]}}, []string{"/app"}},
		{"of another session, without a folder", [][]string{turn(1, wish, folder), other(turn(2, more, ""))}, []string{"/app", "unknown folder"}},
		{"of another session, in another folder", [][]string{turn(1, wish, folder), other(turn(2, more, `"cwd":"/web"`))}, []string{"/app", "/web"}},
		{"for everything", [][]string{turn(1, "from now on always answer in German, in all projects", "")}, []string{""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			for _, lines := range tt.lines {
				d.write(lines...)
			}
			if _, err := d.capture.File(t.Context(), Input{Path: d.path}, func(cwd string) memory.Project { return memory.Project{Name: cwd, Path: cwd} }); err != nil {
				t.Fatal(err)
			}
			var got []string
			for m := range d.store.Everything() {
				if m.Source == memory.Preferences {
					got = append(got, m.Project)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("projects (-want +got):\n%s", diff)
			}
		})
	}
}

// Sessions that a client wrote over one another have a handoff each, in whatever order they happened and are read.
func TestSessionsInOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	session := func(id string, from int, file string) []string {
		lines := []string{
			asked(from, "name the worker in "+file), editedIn(from, file), replied(from, "The worker in "+file+" has the name of its queue now."),
			asked(from+1, "and count its jobs in "+file), editedIn(from+1, file), replied(from+1, "The jobs of "+file+" are counted now, one number for each queue."),
		}
		return each(lines, func(line string) string { return strings.ReplaceAll(line, `"s1"`, `"`+id+`"`) })
	}
	a, b, c := session("a", 1, "a.go"), session("b", 11, "b.go"), session("c", 21, "c.go")
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"one", a, []string{"a"}},
		{"the newer behind", slices.Concat(a, b), []string{"a", "b"}},
		{"the older behind", slices.Concat(b, a), []string{"a", "b"}},
		{"three", slices.Concat(b, c, a), []string{"a", "b", "c"}},
		{"three in order", slices.Concat(a, b, c), []string{"a", "b", "c"}},
		{"three backwards", slices.Concat(c, b, a), []string{"a", "b", "c"}},
	} {
		for _, every := range []int{1, 3, 100} {
			t.Run(tt.name, func(t *testing.T) {
				d := newDesk(t)
				for lines := range slices.Chunk(tt.lines, every) {
					d.write(lines...)
					d.take(Input{})
				}
				var got []string
				for _, m := range d.handoffs() {
					got = append(got, m.Session)
				}
				slices.Sort(got)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("handoffs, read each %d lines (-want +got):\n%s", every, diff)
				}
			})
		}
	}
}
