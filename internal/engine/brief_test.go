package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/brief"
)

// said are ten turns in which a user answers, corrects, rules and changes their
// mind, and something stays open.
var said = [][2]string{
	{"the lock keeper's office wants a queue for boats", "I can build that. Should a boat lose its place after 5 or after 9 minutes?"},
	{"9", "After 9 minutes then. I would let ferries wait like all others, since that is simple."},
	{"No - ferries go first, their timetable is printed.", "Ferries go first."},
	{"we decided that a lock takes at most 4 boats, never two ferries", "The queue does that now."},
	{"why did the gate alarm ring last night?", "Root cause: the water gauge reported inches while the alarm reads centimetres."},
	{"actually make it 3 boats", "It is 3 boats now."},
	{"What did the old office do with canoes?", "They went through with a ferry. Shall canoes be free of charge, or pay half?"},
	{"half", "Canoes pay half."},
	{"add the log tomorrow", "Good. Still open: the winter timetable has no ferries yet."},
	{"from now on a boat loses its place after 12 minutes", "It is 12 minutes now.\n\nStill open: the winter timetable has no ferries yet."},
}

func saidLines() []string {
	var lines []string
	for i, turn := range said {
		const line = `{"type":%q,"uuid":"%s%d","sessionId":"s1","cwd":"/home/dev/src/app","timestamp":"2026-03-01T10:%02d:%02dZ","message":{"role":%q,"content":%s}}`
		reply := fmt.Sprintf(`[{"type":"text","text":%q}]`, turn[1])
		lines = append(lines, fmt.Sprintf(line, "user", "u", i, i, 0, "user", fmt.Sprintf("%q", turn[0])), fmt.Sprintf(line, "assistant", "a", i, i, 5, "assistant", reply))
	}
	return lines
}

// pieces captures a transcript piece by piece.
type pieces struct {
	*running
	path string
}

// take writes the next lines of the transcript and captures them.
func (r *pieces) take(lines ...string) {
	r.t.Helper()
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	for _, line := range lines {
		if _, err := f.WriteString(line + "\n"); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := r.Flush(r.t.Context(), api.Flush{SessionID: "s1", TranscriptPath: r.path, Reason: "Stop"}); err != nil {
		r.t.Fatal(err)
	}
	r.settled()
}

// restart begins anew without what a killed daemon had not saved of its progress.
func (r *pieces) restart() {
	r.t.Helper()
	r.end()
	offsets, err := filepath.Glob(filepath.Join(r.Home, "sessions", "offset-*.json"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, path := range offsets {
		if err := os.Remove(path); err != nil {
			r.t.Fatal(err)
		}
	}
	r.running = start(r.t, r.Home)
}

// A pastSession is what is known of a session in the end.
type pastSession struct {
	Memories map[string]memory.Memory
	Brief    []string
}

// known returns what is known of the session. What was recorded when may differ.
func (r *pieces) known() pastSession {
	r.t.Helper()
	if _, err := r.Consolidate(r.t.Context(), api.Consolidate{}); err != nil {
		r.t.Fatal(err)
	}
	if err := r.UpToDate(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	found := pastSession{Memories: map[string]memory.Memory{}}
	for m, err := range r.Store.All() {
		if err != nil {
			r.t.Fatal(err)
		}
		if m.Session == "s1" {
			m.RecordedAt = time.Time{}
			found.Memories[m.ID] = m
		}
	}
	b := r.Engine.Recall.Brief("s1")
	for _, line := range b.Lines() {
		found.Brief = append(found.Brief, line.Kind+": "+line.Text)
	}
	return found
}

// However a session was captured, its memories and its brief are the same in the end.
func TestBriefDoesNotDependOnReadings(t *testing.T) {
	lines := saidLines()
	read := func(t *testing.T, how func(r *pieces)) pastSession {
		home := newHome(t)
		r := &pieces{start(t, home), filepath.Join(home, "s1.jsonl")}
		how(r)
		return r.known()
	}
	want := read(t, func(r *pieces) { r.take(lines...) })
	wantBrief(t, want.Brief)
	tests := map[string]func(r *pieces){
		"line by line": func(r *pieces) {
			for _, line := range lines {
				r.take(line)
			}
		},
		"twice": func(r *pieces) { r.take(lines...); r.restart(); r.take() },
		"killed after each turn": func(r *pieces) {
			for piece := range slices.Chunk(lines, 2) {
				r.take(piece...)
				r.restart()
			}
			r.take()
		},
	}
	for _, at := range []int{1, 4, 7, 12, 19} {
		tests[fmt.Sprintf("in two pieces, %d", at)] = func(r *pieces) { r.take(lines[:at]...); r.take(lines[at:]...) }
	}
	for name, how := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, read(t, how)); diff != "" {
				t.Errorf("known of the session (-want +got):\n%s", diff)
			}
		})
	}
}

// wantBrief wants what was settled, as it was changed in the end, and what is open.
func wantBrief(t *testing.T, lines []string) {
	t.Helper()
	got := strings.Join(lines, "\n")
	for _, want := range []string{brief.Decided + ": ferries go first", brief.Decided + ": 3 boats (until 2026-03-01: a lock takes at most 4 boats, never two ferries)", "12 minutes", "inches", brief.Open + ": the winter timetable has no ferries yet"} {
		if !strings.Contains(got, want) {
			t.Errorf("the brief lacks %q:\n%s", want, got)
		}
	}
	for _, outdated := range []string{brief.Decided + ": a lock takes at most 4", brief.Decided + ": 9"} {
		if strings.Contains(got, outdated) {
			t.Errorf("the brief has %q, which was changed:\n%s", outdated, got)
		}
	}
}
