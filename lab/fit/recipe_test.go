package fit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/lab/bench"
)

// text is a corpus with enough of each repository for every recipe.
func text(t *testing.T) *corpus {
	t.Helper()
	var lines strings.Builder
	put := func(r record) {
		b, err := json.Marshal(map[string]any{"k": r.Kind, "r": r.Repo, "a": r.Subject, "h": r.Headings, "p": r.Body})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", b)
	}
	for _, repo := range append(recipeRepos(), "other/repository") {
		for i := range 30 {
			first := fmt.Sprintf("Until now number%d was read twice by every one of the workers. That made the start of a large "+
				"server slow for no good reason at all, number%d too.", i, i)
			put(record{Kind: "commit", Repo: repo, Subject: fmt.Sprintf("Read the %s setting number%d once", repo, i), Body: []string{
				first, "It is now kept from the first time on, which needs no more than a few bytes for each of the many workers in the pool.",
			}})
			put(record{Kind: "doc", Repo: repo, Headings: []string{"Guide", "Reading settings of " + repo, fmt.Sprintf("Setting number%d", i)}, Body: []string{first, "Second part."}})
		}
	}
	c, err := parseCorpus(strings.NewReader(lines.String()), recipeRepos())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRecipesMakeWholeCollections(t *testing.T) {
	for i, r := range recipes() {
		t.Run(r.name, func(t *testing.T) {
			c, err := r.collection(text(t), i)
			if err != nil {
				t.Fatal(err)
			}
			again, err := r.collection(text(t), i)
			if err != nil || !cmp.Equal(c, again) {
				t.Errorf("the same corpus gave another collection (%v)", err)
			}
			if len(c.Docs) > r.docs*sessionTurns || len(c.Queries) > r.queries || len(c.Negatives) > r.negatives {
				t.Errorf("got %d documents, %d queries, %d negatives: too many", len(c.Docs), len(c.Queries), len(c.Negatives))
			}
			wellFormed(t, c)
		})
	}
}

// wellFormed reports queries that cannot be answered, or whose answer is the
// query itself.
func wellFormed(t *testing.T, c *bench.Collection) {
	t.Helper()
	docs, ids := map[string]string{}, map[string]bool{}
	for _, d := range c.Docs {
		if docs[d.ID] != "" || d.Text == "" {
			t.Errorf("document %s is there twice or is empty", d.ID)
		}
		docs[d.ID] = d.Text
	}
	for _, q := range append(c.Queries, c.Negatives...) {
		if ids[q.ID] || q.Text == "" {
			t.Errorf("query %s is there twice or is empty", q.ID)
		}
		ids[q.ID] = true
		for id := range q.Relevant {
			if docs[id] == "" {
				t.Errorf("query %s wants the unknown document %s", q.ID, id)
			}
			if strings.Contains(docs[id], q.Text) {
				t.Errorf("document %s has the query %q word for word", id, q.Text)
			}
		}
	}
	for _, q := range c.Queries {
		if len(q.Relevant) == 0 {
			t.Errorf("query %s has no answer", q.ID)
		}
	}
}

func TestSectionsAreSessions(t *testing.T) {
	number := len(recipes()) - 1
	c, err := recipes()[number].collection(text(t), number)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range c.Docs {
		if want := fmt.Sprintf("s%d", i/2); d.Session != want || d.Seq == nil || *d.Seq != i%2 || d.Time.IsZero() {
			t.Errorf("document %d: session %s, place %v, time %v: want place %d of %s", i, d.Session, d.Seq, d.Time, i%2, want)
		}
	}
}

func TestReadCorpusRefusesWhatTheEmbedderKnows(t *testing.T) {
	if _, err := readCorpus(t.TempDir(), []string{restic, "golang/go"}); err == nil || !strings.Contains(err.Error(), "golang/go") {
		t.Errorf("got %v, want an error that names golang/go", err)
	}
}

func TestParseCorpusKeepsOneOfEachSubject(t *testing.T) {
	const lines = `{"k":"commit","r":"pypa/pip","a":"Fix typo","p":["one"]}
{"k":"commit","r":"pypa/pip","a":"fix typo","p":["two"]}
{"k":"commit","r":"golang/go","a":"Fix","p":["three"]}
{"k":"doc","r":"pypa/pip","h":["Guide","Install","Install"],"p":["four"]}`
	c, err := parseCorpus(strings.NewReader(lines), []string{pip})
	if err != nil {
		t.Fatal(err)
	}
	want := &corpus{
		commits:  map[string][]record{pip: {{Kind: "commit", Repo: pip, Subject: "Fix typo", Body: []string{"one"}}}},
		sections: map[string][]record{pip: {{Kind: "doc", Repo: pip, Headings: []string{"Guide", "Install", "Install"}, Body: []string{"four"}}}},
	}
	if diff := cmp.Diff(want, c, cmp.AllowUnexported(corpus{})); diff != "" {
		t.Errorf("corpus (-want +got):\n%s", diff)
	}
	if got := c.sections[pip][0].heading(); got != "Install" {
		t.Errorf("heading: got %q, want it once", got)
	}
	if _, err := parseCorpus(strings.NewReader("{\n"), []string{pip}); err == nil {
		t.Error("broken line: got no error")
	}
}

func TestSentences(t *testing.T) {
	got := sentences(record{Body: []string{"Use v1.2 now. Why not?  Yes!", "", "No stop"}})
	if diff := cmp.Diff([]string{"Use v1.2 now.", "Why not?", "Yes!", "No stop"}, got); diff != "" {
		t.Errorf("sentences (-want +got):\n%s", diff)
	}
}
