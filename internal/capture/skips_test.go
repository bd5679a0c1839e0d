package capture

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/finding"
	"recollect/internal/memory"
)

var discard = slog.New(slog.NewTextHandler(io.Discard, nil))

// as makes the desk that of a version which starts after another one died.
func (d *desk) as(version, died string) {
	d.t.Helper()
	d.capture.Skips.Close()
	d.capture.Skips = OpenSkips(filepath.Dir(d.path), version, died, discard)
	d.t.Cleanup(func() { d.capture.Skips.Close() })
}

// topics are what the turns of these tests ask and answer.
var topics = []string{
	"why does the nightly export skip an hour?", "why does the importer drop the last row?", "why does the login page flicker?",
	"why does the backup fill the disk?", "why does the search miss hyphens?", "why does the map load twice?",
}

// session writes a transcript of turns about the topics.
func (d *desk) session() {
	for i, topic := range topics {
		d.write(asked(i+1, topic), replied(i+1, "Found it: "+strings.TrimSuffix(strings.TrimPrefix(topic, "why does "), "?")+" because of the setting in part"+fmt.Sprint(i+1)+".go."))
	}
}

// panicsAt panics in the turns with these ids, and counts how often.
func panicsAt(tries *int, ids ...string) func(claudecode.Turn) {
	return func(t claudecode.Turn) {
		if slices.Contains(ids, t.ID) {
			*tries++
			var none []string
			_ = none[len(none)-1]
		}
	}
}

// A turn that cannot be read costs that turn: the others are learned, and it is not tried again.
func TestATurnThatPanicsIsLeftOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	tests := []struct {
		name string
		ids  []string
	}{
		{"none", nil},
		{"the first", []string{"u1"}},
		{"one in the middle", []string{"u3"}},
		{"the last", []string{"u6"}},
		{"the last but one", []string{"u5"}},
		{"the first and the last", []string{"u1", "u6"}},
		{"two in a row", []string{"u3", "u4"}},
		{"every other", []string{"u1", "u3", "u5"}},
		{"all but one", []string{"u1", "u2", "u3", "u4", "u5"}},
		{"all", []string{"u1", "u2", "u3", "u4", "u5", "u6"}},
	}
	for _, tt := range tests {
		for _, whole := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, " whole ", whole), func(t *testing.T) {
				d := newDesk(t)
				d.as("1.0.0", "")
				d.session()
				tries := 0
				in := Input{Whole: whole, Each: panicsAt(&tries, tt.ids...)}
				done := d.take(in)
				if done.Unreadable != len(tt.ids) || tries != len(tt.ids) || (done.Unread != "") != (len(tt.ids) > 0) {
					t.Errorf("%+v after %d panics, want %d left out", done, tries, len(tt.ids))
				}
				d.expectTopics(tt.ids)
				d.write(asked(9, "why does the clock run late?"), replied(9, "Found it: the clock runs late because the timer drifts."))
				d.take(in)
				d.take(Input{Whole: true, Each: in.Each})
				d.as("1.0.0", "") // another daemon of the same version
				d.take(Input{Whole: true, Each: in.Each})
				if tries != len(tt.ids) {
					t.Errorf("%d tries, want each turn tried once", tries)
				}
				if skips := d.capture.Skips.All(); len(skips) != len(tt.ids) {
					t.Errorf("%d are known to be left out, want %d", len(skips), len(tt.ids))
				}
				if slices.Contains(d.capture.Behind(), d.path) {
					t.Error("the transcript is to be read again, though the version is the same")
				}
				d.as("1.0.1", "")
				if len(tt.ids) > 0 && !slices.Contains(d.capture.Behind(), d.path) {
					t.Error("a newer version does not try again")
				}
				if done := d.take(Input{}); done.Unreadable != 0 || len(d.capture.Skips.All()) != 0 {
					t.Errorf("%+v, %d left out by the newer version", done, len(d.capture.Skips.All()))
				}
				d.expectTopics(nil)
				if slices.Contains(d.capture.Behind(), d.path) {
					t.Error("the newer version would read it once more")
				}
			})
		}
	}
}

// expectTopics checks that the turns are remembered besides those left out, and that the handoff
// is the one of a session without these.
func (d *desk) expectTopics(without []string) {
	d.t.Helper()
	texts := d.texts()
	for i, topic := range topics {
		_, ok := texts[topic]
		if left := slices.Contains(without, fmt.Sprint("u", i+1)); ok == left {
			d.t.Errorf("%q: remembered %v, left out %v", topic, ok, left)
		}
	}
	for m, err := range d.store.Source(memory.Handoffs) {
		if err != nil {
			d.t.Fatal(err)
		}
		for _, id := range without {
			if strings.Contains(m.Body(), "part"+strings.TrimPrefix(id, "u")+".go") {
				d.t.Errorf("the handoff has turn %s: %s", id, m.Body())
			}
		}
	}
}

// A skip says which session, line and reason.
func TestASkipNamesTheLine(t *testing.T) {
	for n := range topics {
		d := newDesk(t)
		d.as("1.0.0", "")
		d.write(header)
		d.session()
		tries := 0
		done := d.take(Input{Each: panicsAt(&tries, fmt.Sprint("u", n+1))})
		want := Skip{Path: d.path, Session: "s1", Turn: fmt.Sprint("u", n+1), Line: 2 + 2*n, Version: "1.0.0"}
		got := d.capture.Skips.All()
		if len(got) != 1 {
			t.Fatalf("%d skips", len(got))
		}
		reason := got[0].Reason
		got[0].Start, got[0].Reason, got[0].At = 0, "", want.At
		if got[0] != want || !strings.Contains(reason, "panic: runtime error: index out of range [-1], in capture.") || !strings.HasSuffix(reason, "(skips_test.go:48)") {
			t.Errorf("%+v, %q, want %+v", got[0], reason, want)
		}
		if text := fmt.Sprintf("line %d of session s1: panic", 2+2*n); !strings.Contains(done.Unread, text) {
			t.Errorf("unread %q, want %q in it", done.Unread, text)
		}
	}
}

// What a panic left half done is no part of what the turns around it teach: the memories are those
// of a transcript without it.
func TestAPanicLeavesNothingHalfDone(t *testing.T) {
	places := map[string]func(*Input, *int){
		"who uses it": func(in *Input, n *int) { in.Each = panicsAt(n, "u3") },
		"what is allowed": func(in *Input, n *int) {
			panics := panicsAt(n, "u3")
			in.Allow = func(t claudecode.Turn, _ memory.Project) Allowance {
				panics(t)
				return Allowance{}
			}
		},
	}
	for name, set := range places {
		t.Run(name, func(t *testing.T) {
			d, tries := newDesk(t), 0
			d.as("1.0.0", "")
			d.session()
			in := Input{}
			set(&in, &tries)
			if d.take(in); tries != 1 {
				t.Errorf("%d tries", tries)
			}
			d.take(in)
			d.expectTopics([]string{"u3"})
		})
	}
}

// Where reviewing panics in the middle of a turn's memories, those before it are stored, and the
// rest of the session is learned.
func TestAPanicBetweenTwoMemories(t *testing.T) {
	d := newDesk(t)
	d.as("1.0.0", "")
	d.session()
	n := 0
	review := func(memory.Source) bool {
		if n++; n == 2 {
			panic("the second")
		}
		return false
	}
	done := d.take(Input{Review: review})
	if done.Unreadable != 1 || len(d.texts()) != len(topics)-1 {
		t.Errorf("%+v, %d memories, want one turn left out", done, len(d.texts()))
	}
}

// A file whose records end the reader teaches what came before, and is not read again.
func TestARecordThatEndsTheReader(t *testing.T) {
	for _, nth := range []int{1, 2, 3, 4, 5, 6} {
		d := newDesk(t)
		d.as("1.0.0", "")
		d.session()
		ctx := &breaking{Context: t.Context(), in: nth}
		project := func(string) memory.Project { return memory.Project{Name: "app"} }
		done, err := d.capture.File(ctx, Input{Path: d.path, Whole: true}, project)
		if err != nil || done.Unreadable != 1 || len(d.texts()) != nth-1 {
			t.Errorf("%d: %+v, %v, %d memories", nth, done, err, len(d.texts()))
		}
		for _, whole := range []bool{false, true} {
			ctx.asked = 0
			done, err = d.capture.File(ctx, Input{Path: d.path, Whole: whole}, project)
			if err != nil || done.Unreadable != 1 || ctx.asked > 2 {
				t.Errorf("%d again: %+v, %v, asked %d times", nth, done, err, ctx.asked)
			}
		}
		if skips := d.capture.Skips.All(); len(skips) != 1 || skips[0].Turn != "" {
			t.Errorf("%d: skips %+v", nth, skips)
		}
		d.as("1.1.0", "")
		if done := d.take(Input{}); done.Unreadable != 0 || len(d.texts()) != len(topics) {
			t.Errorf("%d, the newer version: %+v, %d memories", nth, done, len(d.texts()))
		}
	}
}

// The same holds where what was read before is read again, which no daemon remembers.
func TestARecordThatEndsTheReaderAgain(t *testing.T) {
	d := newDesk(t)
	d.as("1.0.0", "")
	d.session()
	d.take(Input{})
	d.write(asked(9, "why does the clock run late?"), replied(9, "Found it: the clock runs late because the timer drifts."))
	d.restart()
	d.as("1.0.0", "")
	ctx := &breaking{Context: t.Context(), in: 1}
	for range 3 {
		done, err := d.capture.File(ctx, Input{Path: d.path}, func(string) memory.Project { return memory.Project{Name: "app"} })
		if err != nil || done.Unreadable != 1 || ctx.asked != 1 {
			t.Errorf("%+v, %v, asked %d times", done, err, ctx.asked)
		}
	}
	d.as("1.1.0", "")
	if done := d.take(Input{}); done.Unreadable != 0 || len(d.texts()) != len(topics)+1 {
		t.Errorf("the newer version: %+v, %d memories", done, len(d.texts()))
	}
}

// A breaking context panics when it is asked for the nth time: outside of any turn.
type breaking struct {
	context.Context
	in, asked int
}

func (b *breaking) Err() error {
	if b.asked++; b.asked == b.in {
		panic("a record of an unknown kind")
	}
	return b.Context.Err()
}

// What ends the daemon for good is found by the next one, and left out.
func TestATurnThatEndedTheDaemon(t *testing.T) {
	tests := []struct {
		name, died string
		want       int
	}{
		{"it crashed", "fatal error: stack overflow", 1},
		{"it was killed", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			d.as("1.0.0", "")
			d.session()
			d.take(Input{Each: func(turn claudecode.Turn) {
				if turn.ID == "u4" { // the next daemon finds the files as they are now
					b, err := os.ReadFile(filepath.Join(filepath.Dir(d.path), "reading.json"))
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(d.path+".reading", b, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}})
			if err := os.Rename(d.path+".reading", filepath.Join(filepath.Dir(d.path), "reading.json")); err != nil {
				t.Fatal(err)
			}
			d.as("1.0.0", tt.died)
			got := d.capture.Skips.All()
			if len(got) != tt.want || len(got) > 0 && (got[0].Turn != "u4" || got[0].Line != 7 || got[0].Reason != tt.died) {
				t.Errorf("%+v", got)
			}
			if done := d.take(Input{Whole: true}); done.Unreadable != tt.want {
				t.Errorf("%+v, want %d left out", done, tt.want)
			}
			d.as("1.0.0", "fatal error: something else") // nothing was being read
			if got := d.capture.Skips.All(); len(got) != tt.want {
				t.Errorf("%+v, want nothing more", got)
			}
		})
	}
}

// A model is not asked about a turn that cannot be read.
func TestRefineLeavesOutATurn(t *testing.T) {
	d, tries := newDesk(t), 0
	d.as("1.0.0", "")
	d.session()
	f := panicsAt(&tries, "u2")
	in := Input{Path: d.path, Allow: func(t claudecode.Turn, _ memory.Project) Allowance { f(t); return Allowance{} }}
	read := 0
	for range 2 {
		_, err := d.capture.Refine(t.Context(), in, func(string) memory.Project { return memory.Project{Name: "app"} }, 1000, func(_ context.Context, texts []string) ([]finding.Finding, error) {
			read += len(texts)
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read != len(topics)-1 || tries != 1 {
		t.Errorf("%d turns read after %d tries", read, tries)
	}
}

// Without a place to store what is left out, a turn costs itself all the same.
func TestLeftOutWithoutAPlace(t *testing.T) {
	d, tries := newDesk(t), 0
	d.session()
	if done := d.take(Input{Each: panicsAt(&tries, "u2")}); done.Unreadable != 1 || len(d.texts()) != len(topics)-1 {
		t.Errorf("%+v, %d memories", done, len(d.texts()))
	}
}
