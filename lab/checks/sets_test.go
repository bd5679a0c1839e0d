package checks

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/transcript"
	"recollect/internal/capture"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store/storetest"
)

// transcripts is where the transcripts lie that the paraphrases are about.
// They are not ours to copy, so a checkout may lack them.
const transcripts = "../../../shared/transcripts"

type paraphrase struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Project string `json:"project"` // the working folder, as the transcript has it
}

type answer struct {
	Query   string `json:"query"`
	Session string `json:"session"`
	Turn    string `json:"turn"` // empty where the whole session answers
}

// bears reports whether m is what the answer names.
func (a answer) bears(m memory.Memory) bool {
	return a.Session == m.Session && (a.Turn == "" || a.Turn == m.Turn)
}

func TestParaphrases(t *testing.T) {
	queries := readLines[paraphrase](t, "../../testdata/paraphrase/queries.jsonl")
	answers := readLines[answer](t, "../../testdata/paraphrase/qrels.jsonl")
	if len(queries) != 59 || len(answers) != 59 {
		t.Errorf("%d prompts and %d answers, want 59 of each", len(queries), len(answers))
	}
	ids, asked := map[string]bool{}, map[answer]string{}
	for _, q := range queries {
		if ids[q.ID] {
			t.Errorf("%s stands twice", q.ID)
		}
		ids[q.ID] = true
		if n := len(strings.Fields(q.Text)); n < 6 || n > 20 {
			t.Errorf("%s has %d words, want 6 to 20", q.ID, n)
		}
		if !strings.HasPrefix(q.Project, "/") {
			t.Errorf("%s is asked in %q, want a folder", q.ID, q.Project)
		}
	}
	for _, a := range answers {
		if !ids[a.Query] {
			t.Errorf("an answer is to %s, which nobody asks", a.Query)
		}
		delete(ids, a.Query)
		memory := answer{Session: a.Session, Turn: a.Turn}
		if other, ok := asked[memory]; ok {
			t.Errorf("%s and %s ask for the same memory", a.Query, other)
		}
		asked[memory] = a.Query
	}
	for id := range ids {
		t.Errorf("%s has no answer", id)
	}
}

// No paraphrase may have a word of its memory. Where this fails because
// capture writes other texts now, the prompt needs other words.
func TestParaphrasesShareNoWord(t *testing.T) {
	memories := captured(t)
	texts := map[string]paraphrase{}
	for _, q := range readLines[paraphrase](t, "../../testdata/paraphrase/queries.jsonl") {
		texts[q.ID] = q
	}
	for _, a := range readLines[answer](t, "../../testdata/paraphrase/qrels.jsonl") {
		q := texts[a.Query]
		found := 0
		for _, m := range memories {
			if !a.bears(m) || m.Home().Zero() { // a fault of the machine is not what the prompt asks for
				continue
			}
			found++
			if m.ProjectPath != q.Project {
				t.Errorf("%s is asked in %s, but its memory is of %s", q.ID, q.Project, m.ProjectPath)
			}
			if words := sharedWords(q.Text, m); len(words) > 0 {
				t.Errorf("%s %q has words of its memory: %s", q.ID, q.Text, strings.Join(words, ", "))
			}
		}
		if found == 0 {
			t.Errorf("%s asks for a memory that capture does not make: session %s, turn %q", q.ID, a.Session, a.Turn)
		}
	}
}

// sharedWords returns the words of a prompt that occur in the texts that m is
// found by.
func sharedWords(prompt string, m memory.Memory) []string {
	parts := slices.Concat([]string{m.Title, m.Body(), m.Project}, m.Keywords, m.Files, m.Tags)
	terms := map[string]bool{}
	for _, token := range index.Analyze(strings.Join(parts, "\n")) {
		terms[token.Text] = true
	}
	var shared []string
	for _, token := range index.Analyze(prompt) {
		if terms[token.Text] {
			shared = append(shared, token.Surface)
		}
	}
	return shared
}

// captured returns the memories that capture makes of all transcripts.
func captured(t *testing.T) []memory.Memory {
	t.Helper()
	if testing.Short() {
		t.Skip("takes 10 s to read all transcripts")
	}
	root := unpack(t, "mit-projects.tar.xz", "swe-projects.tar.xz")
	s := storetest.Open(t, t.TempDir())
	write := func(_ context.Context, ms []clean.Memory) error { return s.Append(ms...) }
	c := capture.New(t.TempDir(), s, write)
	paths, err := transcript.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	home := func(cwd string) memory.Project { return memory.FindProject(cwd, "") }
	for _, path := range paths {
		if _, err := c.File(t.Context(), capture.Input{Path: path}, home); err != nil {
			t.Fatal(err)
		}
	}
	var memories []memory.Memory
	for m, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		memories = append(memories, m)
	}
	return memories
}

// unpack unpacks archives of transcripts into a new folder. It skips the test
// where they are missing or there is no program to unpack them.
func unpack(t *testing.T, archives ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range archives {
		path := filepath.Join(transcripts, name)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("%s is not here, so that nothing can be compared with it", path)
		}
		if _, err := exec.LookPath("xz"); err != nil {
			t.Skip("there is no xz to unpack transcripts")
		}
		if out, err := exec.Command("tar", "-xJf", path, "-C", root).CombinedOutput(); err != nil {
			t.Fatalf("unpack %s: %v: %s", path, err, out)
		}
	}
	return root
}

// readLines reads a file of JSON Lines; a field that T lacks is an error.
func readLines[T any](t *testing.T, path string) []T {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var values []T
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	for decoder.More() {
		var v T
		if err := decoder.Decode(&v); err != nil {
			t.Fatalf("%s, line %d: %v", path, len(values)+1, err)
		}
		values = append(values, v)
	}
	return values
}

type unrelated struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

// remembered are the projects of the transcripts: a prompt that names one of
// them is not unrelated to their memories.
var remembered = []string{
	"astropy", "django", "matplotlib", "flask", "pylint", "pytest", "requests", "scikit", "seaborn", "sphinx", "xarray",
	"plugin", "claude", "beads", "issue tracker", "prisma", "playwright", "curry",
}

func TestUnrelatedPrompts(t *testing.T) {
	want := map[string]int{"household": 25, "chat": 25, "shell": 35, "knowledge": 25, "writing": 15, "project": 25}
	got, ids, texts := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, p := range readLines[unrelated](t, "../../testdata/unrelated.jsonl") {
		if ids[p.ID] || texts[p.Text] {
			t.Errorf("%s stands twice", p.ID)
		}
		got[p.Kind]++
		ids[p.ID], texts[p.Text] = true, true
		if n := len(strings.Fields(p.Text)); n < 1 || n > 120 {
			t.Errorf("%s has %d words, want 1 to 120", p.ID, n)
		}
		for _, name := range remembered {
			if strings.Contains(strings.ToLower(p.Text), name) {
				t.Errorf("%s names %s", p.ID, name)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("prompts of each kind (-want +got):\n%s", diff)
	}
}

type document struct {
	ID      string    `json:"id"`
	Type    string    `json:"type"`
	Time    time.Time `json:"time"`
	Title   string    `json:"title"`
	Text    string    `json:"text"`
	Session string    `json:"session"`
	Seq     *int      `json:"seq"`
}

type query struct {
	ID       string    `json:"id"`
	Category string    `json:"category"`
	Text     string    `json:"text"`
	Time     time.Time `json:"time"`
}

type judgement struct {
	Query string `json:"query"`
	Doc   string `json:"doc"`
}

func TestCollectionDocuments(t *testing.T) {
	docs := readLines[document](t, "../../testdata/collection/docs.jsonl")
	ids, last := map[string]bool{}, map[string]document{}
	sources := map[memory.Source]bool{}
	for _, d := range docs {
		if ids[d.ID] {
			t.Errorf("%s stands twice", d.ID)
		}
		ids[d.ID] = true
		source, err := memory.ParseSource(d.Type)
		if err != nil {
			t.Errorf("%s: %v", d.ID, err)
		}
		sources[source] = true
		m := memory.Memory{Source: source, Title: d.Title, Text: d.Text, OccurredAt: d.Time, Session: d.Session, Turn: d.ID}
		if err := m.Normalize(); err != nil || m.Title != d.Title || m.Text != d.Text {
			t.Errorf("%s is no memory as it stands: %q, %q, %v", d.ID, m.Title, m.Text, err)
		}
		if episode := source == memory.Episodes; episode != (d.Session != "") || episode != (d.Seq != nil) {
			t.Errorf("%s: episodes, and only they, have a session and a place in it", d.ID)
			continue
		}
		if before, ok := last[d.Session]; ok && d.Session != "" && (*d.Seq != *before.Seq+1 || !d.Time.After(before.Time)) {
			t.Errorf("%s does not follow %s", d.ID, before.ID)
		}
		last[d.Session] = d
	}
	if len(docs) < 60 || len(sources) < 9 {
		t.Errorf("%d documents of %d sources, want 60 of 9", len(docs), len(sources))
	}
}

func TestCollectionQueries(t *testing.T) {
	relevant := map[string]map[string]bool{}
	for _, q := range readLines[query](t, "../../testdata/collection/queries.jsonl") {
		if relevant[q.ID] != nil || q.Text == "" || q.Category == "" {
			t.Errorf("%s stands twice or is not whole", q.ID)
		}
		if q.Category == "dated" && q.Time.IsZero() {
			t.Errorf("%s names a day but not when it was asked", q.ID)
		}
		relevant[q.ID] = map[string]bool{}
	}
	docs := map[string]bool{}
	for _, d := range readLines[document](t, "../../testdata/collection/docs.jsonl") {
		docs[d.ID] = true
	}
	for _, j := range readLines[judgement](t, "../../testdata/collection/qrels.jsonl") {
		if relevant[j.Query] == nil || !docs[j.Doc] || relevant[j.Query][j.Doc] {
			t.Errorf("%s for %s: stands twice or names what is not there", j.Doc, j.Query)
			continue
		}
		relevant[j.Query][j.Doc] = true
	}
	for id, found := range relevant {
		if len(found) == 0 {
			t.Errorf("%s has no relevant document", id)
		}
	}
	for _, q := range readLines[query](t, "../../testdata/collection/queries_negative.jsonl") {
		if relevant[q.ID] != nil || q.Text == "" {
			t.Errorf("%s stands twice or is empty", q.ID)
		}
		relevant[q.ID] = map[string]bool{}
	}
	if len(relevant) != 65 {
		t.Errorf("%d queries, want 40 and 25 without an answer", len(relevant))
	}
}
