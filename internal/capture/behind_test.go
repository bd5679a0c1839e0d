package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBehind(t *testing.T) {
	first, second := []string{asked(1, poolPrompt), replied(1, poolReply)}, []string{asked(2, corsPrompt), replied(2, corsReply)}
	agent := filepath.Join("s1", "subagents", "agent-a7.jsonl")
	tests := []struct {
		name   string
		change func(*desk)
		want   []string // below the desk's folder
	}{
		{"nothing happened", func(*desk) {}, nil},
		{"grown", func(d *desk) { d.write(asked(3, "and now?")) }, []string{"s1.jsonl"}},
		{"cut", func(d *desk) { d.cut(strings.Index(d.read(), second[0])) }, []string{"s1.jsonl"}},
		{"cut and grown again", func(d *desk) {
			d.cut(strings.Index(d.read(), second[0]))
			d.write(second...)
			d.write(second...)
		}, []string{"s1.jsonl"}},
		{"another of the same size", func(d *desk) {
			d.replace(strings.ReplaceAll(d.read(), `"s1"`, `"s9"`))
		}, []string{"s1.jsonl"}},
		{"last line half written", func(d *desk) { d.replace(d.read() + `{"type":"user","uuid":"u`) }, []string{"s1.jsonl"}},
		{"gone", func(d *desk) { os.Remove(d.path) }, nil},
		{"a folder now", func(d *desk) { os.Remove(d.path); os.Mkdir(d.path, 0o700) }, nil},
		{"a sub-agent", func(d *desk) {
			d.beside(agent, asked(1, "count the pools"))
			d.beside(filepath.Join("s1", "subagents", "agent-a7.meta.json"), "{}")
			d.beside("s2.jsonl", asked(1, "nobody named this one"))
		}, []string{agent}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			d.write(append(append([]string{header}, first...), second...)...)
			d.take(Input{})
			tt.change(d)
			var want []string
			for _, path := range tt.want {
				want = append(want, filepath.Join(filepath.Dir(d.path), path))
			}
			if diff := cmp.Diff(want, d.capture.Behind()); diff != "" {
				t.Errorf("Behind() (-want +got):\n%s", diff)
			}
		})
	}
}

// What was captured is no longer behind, whatever had happened to it, and
// nothing of it is lost or there twice.
func TestBehindIsCaughtUp(t *testing.T) {
	turns := [][]string{
		{asked(1, poolPrompt), replied(1, poolReply)}, {asked(2, corsPrompt), replied(2, corsReply)},
		{asked(3, "how long do we keep the pool open?"), replied(3, poolReply)}, {asked(4, "which origins may ask?"), replied(4, corsReply)},
	}
	tests := []struct {
		name   string
		change func(*desk)
		want   int // memories
	}{
		{"goes on", func(d *desk) { d.write(turns[2]...); d.write(turns[3]...) }, 4},
		{"rewound to the first turn", func(d *desk) {
			d.write(strings.Replace(turns[2][0], `"uuid"`, `"parentUuid":"a1","uuid"`, 1), turns[2][1])
		}, 2},
		{"cut to the first turn", func(d *desk) { d.cut(strings.Index(d.read(), turns[1][0])) }, 2},
		{"cut, then longer than before", func(d *desk) {
			d.cut(strings.Index(d.read(), turns[1][0]))
			d.write(turns[2]...)
			d.write(turns[3]...)
		}, 4},
		{"cut, then another turn of the same length, and one more", func(d *desk) {
			d.write(turns[2]...)
			d.take(Input{})
			d.cut(strings.Index(d.read(), turns[1][0]))
			d.write(asked(5, strings.ReplaceAll(corsPrompt, "basket", "wicket")), replied(5, corsReply))
			d.write(turns[3]...)
		}, 5},
		{"written again in another order", func(d *desk) {
			d.replace("")
			d.write(append(append([]string{header}, turns[2]...), turns[0]...)...)
		}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			d.write(`{"type":"attachment","text":"` + strings.Repeat("the beginning stays as it was ", headSize) + `"}`)
			d.write(append(turns[0], turns[1]...)...)
			d.take(Input{})
			tt.change(d)
			for _, path := range d.capture.Behind() {
				if path != d.path {
					t.Fatalf("%s is behind", path)
				}
				d.take(Input{})
			}
			if got := d.capture.Behind(); len(got) > 0 {
				t.Errorf("%v still behind", got)
			}
			if got := d.texts(); len(got) != tt.want || d.store.Len()-len(d.handoffs()) != tt.want {
				t.Errorf("%d memories with %d titles, want %d: %v", d.store.Len(), len(got), tt.want, got)
			}
		})
	}
}

func TestBehindOfNothing(t *testing.T) {
	if got := newDesk(t).capture.Behind(); got != nil {
		t.Errorf("Behind() = %v, want none", got)
	}
}

func (d *desk) read() string {
	d.t.Helper()
	b, err := os.ReadFile(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

func (d *desk) replace(text string) {
	d.t.Helper()
	if err := os.WriteFile(d.path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) cut(to int) {
	d.t.Helper()
	if err := os.Truncate(d.path, int64(to)); err != nil {
		d.t.Fatal(err)
	}
}

// beside writes a file in the folder of the transcript.
func (d *desk) beside(name, text string) {
	d.t.Helper()
	path := filepath.Join(filepath.Dir(d.path), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
}
