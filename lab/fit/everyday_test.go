package fit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"recollect/lab/embedding"
)

func TestReadPrompts(t *testing.T) {
	files := fstest.MapFS{
		"prompts/work-a.txt":     {Data: []byte(strings.Repeat("why does the importer fail\n", heldPrompts))},
		"prompts/everyday-a.txt": {Data: []byte("what rhymes with orange\n")},
		"prompts/edits-a.jsonl":  {Data: []byte(`{"m":"the memory","edit":"rename it"}` + "\n")},
	}
	p, err := ReadPrompts(fstest.MapFS{}, files)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Work) != heldPrompts-1 || len(p.HeldWork) != 1 || len(p.Everyday) != 1 || p.Edits["the memory"] != "rename it" {
		t.Errorf("read %+v", p)
	}
	files["prompts/edits-a.jsonl"] = &fstest.MapFile{Data: []byte("{")}
	if _, err := ReadPrompts(fstest.MapFS{}, files); err == nil || !strings.Contains(err.Error(), "edits-a.jsonl") {
		t.Errorf("error %v, want one that names the file", err)
	}
}

// What was written can be read: every edit names a memory that the embedder was not trained on.
func TestWrittenPrompts(t *testing.T) {
	p, err := ReadPrompts(embedding.Written(), WrittenPrompts())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Questions) < 18_000 || len(p.Work) < 1000 || len(p.Everyday) < 2500 || len(p.HeldWork) < 100 || len(p.HeldEveryday) < 100 {
		t.Errorf("%d questions, %d work and %d everyday prompts, %d and %d held back", len(p.Questions), len(p.Work), len(p.Everyday), len(p.HeldWork), len(p.HeldEveryday))
	}
	memories, _, err := embedding.Held(embedding.Written())
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, m := range memories {
		if p.Edits[m.Text] != "" {
			known++
		}
	}
	if known != len(p.Edits) || known < 400 {
		t.Errorf("%d of %d edits are of held memories", known, len(p.Edits))
	}
}

func TestEverydayTellsKindsApart(t *testing.T) {
	p := &Prompts{
		Questions:    []string{"why did the checkout service lose orders", "which queue do the invoices go through"},
		Work:         []string{"deploy the billing service to staging", "our importer fails on the supplier's file"},
		Everyday:     []string{"what is a good name for a cat", "thanks a lot, bye", "rename foo to bar"},
		HeldWork:     []string{"the billing importer fails on staging"},
		HeldEveryday: []string{"thanks, what a good cat"},
	}
	for _, texts := range []*[]string{&p.Questions, &p.Work, &p.Everyday} {
		*texts = slices.Repeat(*texts, leastPrompts)
	}
	m, err := Everyday(p)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := ReportEveryday(&out, m, p); err != nil || !strings.Contains(out.String(), "1 of 1 prompts about work and 1 of 1 everyday ones told apart, AUC 1.000") {
		t.Errorf("report %q, %v", out.String(), err)
	}
	path := filepath.Join(t.TempDir(), "weights.tsv")
	if err := WriteEveryday(path, Ngrams{"": -1.234, "thanks": 2, "<start> thanks": 0.5}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "\t-1.23\n<start> thanks\t0.50\nthanks\t2.00\n" {
		t.Errorf("wrote %q, %v", text, err)
	}
	p.Work = nil
	if _, err := Everyday(p); err == nil {
		t.Error("no error without prompts about work")
	}
}

func TestParts(t *testing.T) {
	for name, want := range map[string][2]string{
		"written-20.text": {"written", "20"}, "beads-commits.text": {"beads-commits", ""}, "lme-evidence-1000.detail": {"lme-evidence", "1000"}, "locomo-turn.text": {"locomo-turn", ""},
	} {
		if collection, size := parts(name); collection != want[0] || size != want[1] {
			t.Errorf("parts(%q) = %q, %q, want %q", name, collection, size, want)
		}
	}
}

func TestWriteCurves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "curves.svg")
	if err := WriteCurves(path, []Curve{{"20 memories", []Bin{{0.25, 0.5, 40}}}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `<circle cx="25.0" cy="50.0"`) || !strings.Contains(string(text), "20 memories") {
		t.Errorf("%v: %s", err, text)
	}
}
