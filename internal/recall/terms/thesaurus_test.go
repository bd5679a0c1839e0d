package terms

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect"
	"recollect/internal/config"
)

func TestTranslate(t *testing.T) {
	synonyms, err := config.ParseSynonyms("synonyms.toml", `
		moloch = ["billing"]
		oracle = ["recommender", "advisor"]
		cat = ["concatenation"]
		"mother ship" = ["gateway"]`)
	if err != nil {
		t.Fatal(err)
	}
	own := newThesaurus(synonyms.Concepts())
	tests := []struct{ text, want string }{
		{"why is Moloch down?", "why is billing down?"},
		{"ask the oracles.", "ask the recommender advisor."},
		{"deploy it", "deploy it"},
		{"the known oracle", "the known recommender advisor"},
		{"scatter, then cat", "scatter, then concatenation"},
		{"see moloch/main.go", "see billing/main.go"},
		{"is the mother-ship up? the ship is", "is the gateway up? the ship is"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := own.Translate(tt.text, func(string) bool { return false }); got != tt.want {
			t.Errorf("translate(%q) = %q, want %q", tt.text, got, tt.want)
		}
		if got := own.Translate(tt.text, func(string) bool { return true }); got != tt.text {
			t.Errorf("translate(%q) = %q where memories have the words", tt.text, got)
		}
	}
}

// However many names the words of a prompt have, no more than maxSynonyms are looked up.
func TestSynonymsAreBounded(t *testing.T) {
	var file strings.Builder
	for i := range 10 {
		fmt.Fprintf(&file, "name%d = [", i)
		for j := range 20 {
			fmt.Fprintf(&file, "%q,", fmt.Sprintf("other%dx%d", i, j))
		}
		file.WriteString("]\n")
	}
	s, err := config.ParseSynonyms("synonyms.toml", file.String())
	if err != nil {
		t.Fatal(err)
	}
	q := ReadWhole("name0 name1 name2 name3 name4 name5 name6 name7 name8 name9", now)
	q.addSynonyms(newThesaurus(s.Concepts()))
	if got := len(q.allSynonyms()); got != maxSynonyms {
		t.Errorf("%d synonyms, want %d", got, maxSynonyms)
	}
	q.setRarities(slices.Repeat([]int{1}, len(q.lookedUp())), 100)
	if terms, owners := q.searchTerms(0.4); len(terms) > maxTerms || len(terms) != len(owners) {
		t.Errorf("%d terms with %d owners, want at most %d", len(terms), len(owners), maxTerms)
	}
}

// The table that is part of the executable says what the files say that a person reads and edits.
func TestSynonymTable(t *testing.T) {
	want, err := SynonymTable(recollect.Synonyms)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "config", "synonyms.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("internal/config/synonyms.tsv is not made of synonyms.toml and the folder synonyms as they are: " +
			"scripts/train synonyms internal/config/synonyms.tsv")
	}
}

// Siblings of a concept are less close to each other than to what they are of.
func TestClosenessOfSiblings(t *testing.T) {
	own, err := config.ParseSynonyms("synonyms.toml", "alpha = []") // shipped ones
	if err != nil {
		t.Fatal(err)
	}
	npm := ReadWhole("npm", now)
	npm.addSynonyms(NewThesaurus(&own))
	for _, s := range npm.allSynonyms() {
		if want := map[string]float64{"yarn": 0.4, "pnpm": 0.4}[s.Text]; want > 0 && s.closeness != want {
			t.Errorf("%s is as close to npm as %v, want %v", s.Text, s.closeness, want)
		}
	}
}
