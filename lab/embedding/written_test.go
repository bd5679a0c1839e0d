package embedding

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestEachWritten(t *testing.T) {
	memory := `{"field":"money","m":"memory","same":"same","near":"near","none":"none","miss":"miss"}` + "\n"
	files := fstest.MapFS{
		"written/pairs.jsonl":            {Data: []byte(strings.Repeat(memory, heldEvery))},
		"written/thesaurus.tsv":          {Data: []byte("money\tinstalment\trates\n")},
		"written/zero.txt":               {Data: []byte("what rhymes with orange\n")},
		"written/associations-words.tsv": {Data: []byte("stale stales\toutdated\told copy\n")},
		"written/situations.tsv":         {Data: []byte("paid in rates\tmonthly until it is settled\n")},
	}
	var got []record
	if _, err := eachWritten(files, func(r *record) { got = append(got, *r) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != heldEvery+4 {
		t.Fatalf("%d records, want %d", len(got), heldEvery+4)
	}
	texts := []string{"memory", "same", "near", "none", "miss"}
	want := []record{
		{Kind: writtenAssociations, Repo: "written", Body: []string{"stale stales", "outdated", "old copy"}},
		{Kind: writtenMemory, Repo: heldWritten, Body: texts},
		{Kind: writtenSituation, Repo: "written", Body: []string{"paid in rates", "monthly until it is settled"}},
		{Kind: writtenConcept, Repo: "written", Body: []string{"instalment", "rates"}},
		{Kind: writtenEveryday, Repo: "written", Body: []string{"what rhymes with orange"}},
	}
	last := append(got[:1:1], got[heldEvery:]...)
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("last records (-want +got):\n%s", diff)
	}
	if got[1].Repo != "written" {
		t.Errorf("the first memory is of %q, want it trained on", got[1].Repo)
	}
	for name, data := range map[string]string{"pairs.jsonl": `{"m":"memory"}`, "thesaurus.tsv": "money\tinstalment", "everyday.txt": " ",
		"associations.tsv": "stale\toutdated", "situations.tsv": "paid in rates"} {
		bad := fstest.MapFS{"written/" + name: {Data: []byte(data + "\n")}}
		if _, err := eachWritten(bad, func(*record) {}); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: error %v, want one that names the line", name, err)
		}
	}
}

// What was written can all be read, and is enough to learn from.
func TestWritten(t *testing.T) {
	count := map[string]int{}
	if _, err := eachWritten(Written(), func(r *record) { count[r.Kind]++ }); err != nil {
		t.Fatal(err)
	}
	if count[writtenMemory] < 6000 || count[writtenConcept] < 4000 || count[writtenEveryday] < 1000 ||
		count[writtenAssociations] < 10000 || count[writtenSituation] < 5000 {
		t.Errorf("%v, want 6000 memories, 4000 concepts, 1000 everyday prompts, 10000 words and 5000 situations", count)
	}
}
