package bench

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// labelledPlaces are the places whose transcripts are part of the repository.
var labelledPlaces = map[string]string{
	"made":   "../../internal/capture/testdata/labelled",
	"sample": "../../testdata/transcripts/projects",
}

// TestLabelled holds what is taken from the labelled turns of the repository
// above floors. How many turns and memories the floors are measured on is
// checked as well, so that nothing passes for want of labels.
func TestLabelled(t *testing.T) {
	labels, err := ReadLabels("../../internal/capture/testdata/labelled.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	e, err := RunCapture(t.Context(), labels, labelledPlaces)
	if err != nil {
		t.Fatal(err)
	}
	if e.Turns < 100 || e.Silent < 50 {
		t.Errorf("%d labelled turns, %d silent: want 100, 50 at least", e.Turns, e.Silent)
	}
	floors := []struct {
		source            memory.Source
		precision, recall float64
		wanted            int
	}{
		{memory.Failures, 0.9, 0.7, 10},
		{memory.Journal, 0.9, 0.7, 15},
		{memory.Preferences, 0.9, 0.7, 15},
		{memory.Goals, 0.9, 0.7, 3},
		{memory.Thinking, 0.8, 0.7, 10},
	}
	for _, tt := range floors {
		t.Run(string(tt.source), func(t *testing.T) {
			p := e.Sources[tt.source]
			if p == nil || p.Wanted < tt.wanted || p.Extracted == 0 {
				t.Fatalf("%+v: want %d wanted memories at least, and some extracted", p, tt.wanted)
			}
			if got := *p.Precision(); got < tt.precision {
				t.Errorf("precision %.2f, want %.2f", got, tt.precision)
			}
			if got := *p.Recall(); got < tt.recall {
				t.Errorf("recall %.2f, want %.2f", got, tt.recall)
			}
		})
	}
	if t.Failed() {
		var out bytes.Buffer
		if err := e.Write(&out, true); err != nil {
			t.Fatal(err)
		}
		t.Log(out.String())
	}
}

func TestExtractionCompareTurn(t *testing.T) {
	want := func(source, or memory.Source, optional bool, must ...string) *Want {
		w := &Want{Source: source, Or: or, Optional: optional, Must: must}
		if err := w.compile(); err != nil {
			t.Fatal(err)
		}
		return w
	}
	pnpm := memory.Memory{Source: memory.Preferences, Title: "Use pnpm", Text: "never npm"}
	fixed := memory.Memory{Source: memory.Failures, Title: "npm ci fails", Fields: map[string]string{"fix": "npm ci --legacy-peer-deps"}}
	tests := []struct {
		name      string
		label     Label
		extracted []memory.Memory
		want      map[memory.Source]*Precision
	}{
		{"nothing wanted, nothing extracted", Label{}, nil, map[memory.Source]*Precision{}},
		{"found, whatever the case", Label{Want: []*Want{want(memory.Preferences, "", false, "PNPM", "never")}}, []memory.Memory{pnpm},
			map[memory.Source]*Precision{memory.Preferences: {1, 1, 1, 1}}},
		{"not all that it must have", Label{Want: []*Want{want(memory.Preferences, "", false, "pnpm", "yarn")}}, []memory.Memory{pnpm},
			map[memory.Source]*Precision{memory.Preferences: {1, 0, 1, 0}}},
		{"in a field", Label{Want: []*Want{want(memory.Failures, "", false, "legacy-peer-deps")}}, []memory.Memory{fixed},
			map[memory.Source]*Precision{memory.Failures: {1, 1, 1, 1}}},
		{"of the other source", Label{Want: []*Want{want(memory.Journal, memory.Preferences, false, "pnpm")}}, []memory.Memory{pnpm},
			map[memory.Source]*Precision{memory.Journal: {Wanted: 1, Found: 1}, memory.Preferences: {Extracted: 1, Right: 1}}},
		{"of a wrong source", Label{Want: []*Want{want(memory.Journal, "", false, "pnpm")}}, []memory.Memory{pnpm},
			map[memory.Source]*Precision{memory.Journal: {Wanted: 1}, memory.Preferences: {Extracted: 1}}},
		{"optional and there", Label{Want: []*Want{want(memory.Failures, "", true, "ci")}}, []memory.Memory{fixed},
			map[memory.Source]*Precision{memory.Failures: {Extracted: 1, Right: 1}}},
		{"optional and not there", Label{Want: []*Want{want(memory.Failures, "", true, "ci")}}, nil, map[memory.Source]*Precision{}},
		{"a source of which it says nothing", Label{Only: []memory.Source{memory.Failures}}, []memory.Memory{pnpm, fixed},
			map[memory.Source]*Precision{memory.Failures: {Extracted: 1}}},
		{"an episode", Label{}, []memory.Memory{{Source: memory.Episodes, Text: "x"}}, map[memory.Source]*Precision{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := Extraction{Sources: map[memory.Source]*Precision{}}
			e.compareTurn(&tt.label, "prompt", tt.extracted)
			if diff := cmp.Diff(tt.want, e.Sources); diff != "" {
				t.Errorf("judge (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadLabelsErrors(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"no turn", `{"in":"made","file":"a.jsonl"}`, "turn: must not be empty"},
		{"unknown source", `{"in":"made","file":"a","turn":"1","want":[{"source":"moods","must":["a"]}]}`, `source "moods"`},
		{"source of more than a turn", `{"in":"made","file":"a","turn":"1","only":["handoffs"]}`, "handoffs: is not extracted"},
		{"nothing must be", `{"in":"made","file":"a","turn":"1","want":[{"source":"goals"}]}`, "must: must not be empty"},
		{"no expression", `{"in":"made","file":"a","turn":"1","want":[{"source":"goals","must":["("]}]}`, "must: error parsing"},
		{"not in only", `{"in":"made","file":"a","turn":"1","only":["goals"],"want":[{"source":"journal","must":["a"]}]}`, "journal: is not in only"},
		{"empty", ``, "it has no label"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, map[string]string{"labels.jsonl": tt.line})
			_, err := ReadLabels(filepath.Join(dir, "labels.jsonl"))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ReadLabels: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRunCaptureErrors(t *testing.T) {
	dir := write(t, map[string]string{"a.jsonl": `{"type":"user","uuid":"u1","message":{"content":"hello there"}}` + "\n"})
	tests := []struct {
		name, want string
		label      Label
		places     map[string]string
	}{
		{"no such place", "read made", Label{}, map[string]string{"made": filepath.Join(dir, "gone")}},
		{"no such transcript", "b.jsonl", Label{In: "made", File: "b.jsonl", Turn: "u1"}, map[string]string{"made": dir}},
		{"no such turn", "no turn u2", Label{In: "made", File: "a.jsonl", Turn: "u2"}, map[string]string{"made": dir}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := RunCapture(t.Context(), []Label{tt.label}, tt.places)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("RunCapture: %v, want %q", err, tt.want)
			}
		})
	}
	e, err := RunCapture(t.Context(), []Label{{In: "made", File: "a.jsonl", Turn: "u1"}, {In: "far", File: "x.jsonl", Turn: "u"}}, map[string]string{"made": dir})
	if err != nil {
		t.Fatal(err)
	}
	if e.Turns != 1 || e.Silent != 1 || e.Left["far"] != 1 || e.Bytes == 0 {
		t.Errorf("RunCapture = %+v, want one turn and one label left out", e)
	}
}
