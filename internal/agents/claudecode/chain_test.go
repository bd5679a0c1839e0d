package claudecode

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A script writes the records of a transcript, each the child of the one before it if nothing else is said.
type script struct {
	lines []string
	last  string
	clock int
}

func (s *script) add(kind, id string, content any, fields ...any) *script {
	s.clock++
	parent := any(s.last)
	if s.last == "" {
		parent = nil
	}
	fields = append([]any{"parentUuid", parent}, fields...)
	s.lines = append(s.lines, rec(kind, id, s.clock, content, fields...))
	if id != "" {
		s.last = id
	}
	return s
}

func (s *script) ask(id string, fields ...any) *script { return s.add("user", id, id, fields...) }
func (s *script) from(id, parent string) *script       { return s.ask(id, "parentUuid", parent) }
func (s *script) say(id string, fields ...any) *script {
	return s.add("assistant", id, []any{say(id)}, fields...)
}

// turn is a prompt, a call and a reply.
func (s *script) turn(id string) *script {
	s.ask(id).add("assistant", id+"c", []any{use(id+"t", "Bash", block{})}).add("user", id+"r", []any{result(id+"t", "ok")})
	return s.say(id + "a")
}

func (s *script) attach(id, kind string, fields ...any) *script {
	return s.add("attachment", id, nil, append([]any{"attachment", block{"type": kind, "content": "x"}}, fields...)...)
}

func (s *script) text() string { return strings.Join(s.lines, "") }

func promptsOf(t *testing.T, in string) (prompts []string, chain Chain) {
	t.Helper()
	chain, err := ReadChain(strings.NewReader(in), 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = ReadChained(strings.NewReader(in), 0, chain, func(turn Turn) error {
		prompts = append(prompts, turn.Prompt)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return prompts, chain
}

// What was taken back by /rewind is no turn, and nothing else is lost.
func TestChain(t *testing.T) {
	start := func() *script { return &script{} }
	three := func() *script { return start().turn("one").turn("two").turn("three") }
	for _, tt := range []struct {
		name string
		in   *script
		want string
	}{
		{"nothing taken back", three(), "one two three"},
		{"the last turn", three().from("four", "twoa").say("x"), "one two four"},
		{"two turns", three().from("four", "onea").say("x"), "one four"},
		{"all turns", three().ask("four", "parentUuid", nil).say("x"), "four"},
		{"all turns but what a hook said at the start", start().attach("h", "hook_success").turn("one").turn("two").from("three", "h").say("x"), "three"},
		{"twice to the same place", three().from("four", "twoa").say("x").from("five", "twoa").say("y"), "one two five"},
		{"and then further back", three().from("four", "twoa").say("x").from("five", "onea").say("y"), "one five"},
		{"and on with it", three().from("four", "twoa").say("x").turn("five").turn("six"), "one two four five six"},
		{"what was taken back goes on", three().from("four", "onea").say("x").from("five", "threea").say("y"), "one two three five"},
		{"before it was answered", three().ask("four").from("five", "threea").say("x"), "one two three five"},
		{"after an interruption", three().ask("four").add("user", "i", "[Request interrupted by user]").from("five", "threea").say("x"), "one two three five"},
		{"the newest prompt is not answered", three().from("four", "onea"), "one four"},
		{"to the middle of a turn", start().turn("one").turn("two").from("three", "twor").say("x"), "one two three"},
		{"records of the client between", three().add("system", "s", nil, "subtype", "turn_duration").attach("h", "hook_success").
			from("four", "twoa").attach("e", "environment").say("x"), "one two four"},
		{"behind a record of the client", start().turn("one").add("system", "s", nil, "subtype", "turn_duration").turn("two").from("three", "s").say("x"), "one three"},

		{"parallel calls", start().ask("one").add("assistant", "c1", []any{use("t1", "Bash", block{})}).add("assistant", "c2", []any{use("t2", "Bash", block{})}).
			add("user", "r1", []any{result("t1", "ok")}, "parentUuid", "c1").add("user", "r2", []any{result("t2", "ok")}, "parentUuid", "c2").say("x").turn("two"), "one two"},
		{"prompts beside parallel results", start().ask("one").add("assistant", "c1", []any{use("t1", "Bash", block{})}).add("assistant", "c2", []any{use("t2", "Bash", block{})}).
			add("user", "r1", []any{result("t1", "ok")}, "parentUuid", "c1").from("two", "r1").add("user", "r2", []any{result("t2", "ok")}, "parentUuid", "c2").say("x").turn("three"), "one two three"},
		{"attachments beside replies", start().turn("one").attach("h1", "hook_success", "parentUuid", "onec").attach("h2", "hook_success", "parentUuid", "onec").from("two", "onea").say("x"), "one two"},
		{"a prompt with an old parent, before the reply", start().turn("one").ask("two").add("assistant", "c", []any{use("t", "Bash", block{})}).add("user", "r", []any{result("t", "ok")}).
			from("three", "onea").say("x", "parentUuid", "r").turn("four"), "one two three four"},
		{"such a prompt, which is interrupted", start().turn("one").ask("two").add("assistant", "c", []any{use("t", "Bash", block{})}).add("user", "r", []any{result("t", "ok")}).
			from("three", "onea").add("user", "i", "[Request interrupted by user]").say("x", "parentUuid", "r").turn("four"), "one two three four"},
		{"a late reply", three().say("late", "parentUuid", "onea").turn("four"), "one two three four"},
		{"a command beside the reply", three().add("user", "c", "<command-name>/context</command-name>").say("x", "parentUuid", "threea").turn("four"), "one two three four"},
		{"a command taken back", three().add("user", "c", "<command-name>/context</command-name>").from("four", "threea").say("x"), "one two three four"},

		{"parent is missing", three().from("four", "gone").say("x").turn("five"), "one two three four five"},
		{"no ids at all", &script{lines: []string{rec("user", "", 1, "one"), rec("user", "", 2, "two")}}, "one two"},
		{"no parents at all", start().ask("one").ask("two", "parentUuid", nil).ask("three", "parentUuid", nil), "one two three"},
		{"resumed without the chain", three().attach("h", "hook_success", "parentUuid", nil).turn("four"), "one two three four"},
		{"compacted", three().add("system", "b", nil, "subtype", "compact_boundary", "parentUuid", nil, "logicalParentUuid", "threea").
			add("user", "s", "This session is being continued from a previous conversation", "isCompactSummary", true).turn("four"), "one two three four"},
		{"compacted by an old client", three().add("user", "s", "This session is being continued from a previous conversation", "parentUuid", nil).turn("four"), "one two three four"},
		{"taken back, then compacted", three().from("four", "onea").say("x").add("system", "b", nil, "subtype", "compact_boundary", "parentUuid", nil, "logicalParentUuid", "x").turn("five"), "one four five"},
		{"compacted, then taken back", three().add("system", "b", nil, "subtype", "compact_boundary", "parentUuid", nil, "logicalParentUuid", "threea").
			turn("four").turn("five").from("six", "foura").say("x"), "one two three four six"},
		{"compacted, without where", three().add("system", "b", nil, "subtype", "compact_boundary", "parentUuid", nil).turn("four"), "one two three four"},
		{"side chain of older clients", start().turn("one").add("user", "x1", "count", "isSidechain", true, "parentUuid", nil).
			add("assistant", "x2", []any{say("5")}, "isSidechain", true).from("two", "onea").say("x"), "one count two"},
		{"side chain within what was taken back", start().turn("one").ask("two").add("user", "x1", "count", "isSidechain", true, "parentUuid", nil).
			add("assistant", "x2", []any{say("5")}, "isSidechain", true).from("three", "onea").say("x"), "one three"},
		{"another session in the file", three().ask("four", "sessionId", "s2", "parentUuid", nil).say("x", "sessionId", "s2").from("five", "twoa").say("y"), "one two four five"},
		{"prompts typed while Claude works", start().turn("one").ask("two").say("x").add("attachment", "q", nil, "message", nil, "attachment", block{"type": "queued_command", "prompt": "queued", "origin": block{"kind": "human"}}).
			say("y").turn("three"), "one two queued three"},
		{"such a prompt taken back", start().turn("one").ask("two").say("x").add("attachment", "q", nil, "message", nil, "attachment", block{"type": "queued_command", "prompt": "queued", "origin": block{"kind": "human"}}).
			say("y").from("three", "x").say("z"), "one two three"},
		{"a summary of the turn that was taken back", three().add("system", "b", nil, "subtype", "compact_boundary", "parentUuid", nil, "logicalParentUuid", "threea").from("four", "twoa").say("x"), "one two four"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := promptsOf(t, tt.in.text())
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("prompts (-want +got):\n%s", diff)
			}
		})
	}
}

// What a resumed client wrote a second time takes nothing back.
func TestChainOfCopies(t *testing.T) {
	s := (&script{}).turn("one").turn("two")
	renamed := func(lines []string) (out []string) {
		for _, line := range lines {
			var r map[string]any
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			r["uuid"] = "copy-" + r["uuid"].(string)
			if parent, ok := r["parentUuid"].(string); ok && slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, `"uuid":"`+parent+`"`) }) {
				r["parentUuid"] = "copy-" + parent
			}
			again, _ := json.Marshal(r)
			out = append(out, string(again)+"\n")
		}
		return out
	}
	for name, copied := range map[string][]string{"all": s.lines, "the last turn": s.lines[4:], "the last prompt": s.lines[4:5]} {
		t.Run(name, func(t *testing.T) {
			in := &script{lines: slices.Concat(s.lines, renamed(copied)), last: "copy-twoa", clock: s.clock}
			if len(copied) == 1 {
				in.last = "twoa"
			}
			in.turn("three")
			got, chain := promptsOf(t, in.text())
			if want := "one two three"; strings.Join(got, " ") != want || len(chain.Taken) > 0 {
				t.Errorf("prompts %q, taken back %v, want %q and none", got, chain.Taken, want)
			}
		})
	}
}

// From the middle of a file it is only known whether more has to be read.
func TestChainFromTheMiddle(t *testing.T) {
	s := (&script{}).turn("one").turn("two")
	offset := int64(len(strings.Join(s.lines[:4], "")))
	for _, tt := range []struct {
		name  string
		in    *script
		loose bool
	}{
		{"goes on", s, false},
		{"one more turn", (&script{slices.Clone(s.lines), s.last, s.clock}).turn("three"), false},
		{"taken back within", (&script{slices.Clone(s.lines), s.last, s.clock}).turn("three").from("four", "twoa"), false},
		{"taken back from before", (&script{slices.Clone(s.lines), s.last, s.clock}).from("three", "onea"), true},
		{"all taken back", (&script{slices.Clone(s.lines), s.last, s.clock}).ask("three", "parentUuid", nil), true},
		{"parent is missing", (&script{slices.Clone(s.lines), s.last, s.clock}).from("three", "gone"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			chain, err := ReadChain(strings.NewReader(tt.in.text()[offset:]), offset)
			if err != nil || chain.Loose != tt.loose {
				t.Errorf("loose %v, error %v, want %v", chain.Loose, err, tt.loose)
			}
		})
	}
}

// A hostile file costs no more than a bounded time and memory.
func TestChainIsBounded(t *testing.T) {
	var in strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&in, `{"type":"user","uuid":"u%d","parentUuid":"u%d","timestamp":"%08d","sessionId":"s","message":{"content":"x"}}`+"\n", i, i-1, i)
		fmt.Fprintf(&in, `{"type":"assistant","uuid":"a%d","parentUuid":"u%d","sessionId":"s","message":{"content":[]}}`+"\n", i, i/2)
	}
	if _, err := ReadChain(strings.NewReader(in.String()), 0); err != nil {
		t.Fatal(err)
	}
	in.Reset()
	for i := range maxKnown + 1 {
		fmt.Fprintf(&in, `{"type":"user","uuid":"u%d","parentUuid":"u0","timestamp":"%08d","message":{"content":"x"}}`+"\n", i, i)
	}
	chain, err := ReadChain(strings.NewReader(in.String()), 0)
	if err != nil || len(chain.Taken) > 0 {
		t.Errorf("%d of more prompts than are known were taken back, error %v", len(chain.Taken), err)
	}
}
