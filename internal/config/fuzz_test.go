package config

import (
	"strings"
	"testing"

	"recollect"
)

// What is read as settings keeps every rule of them, and the same text says the
// same again.
func FuzzParse(f *testing.F) {
	f.Add(recollect.ConfigTOML)
	f.Add("[recall]\nterms = 3\n[recall.budget]\ntokens = -1\n")
	f.Add("[sources.patterns]\nmin_relevance = 2\n[capture.keep.thinking]\nage = \"1d\"\n")
	f.Add("budget.items = [[[[\n\"\\u0000\" = {a = {b = 1979-05-27T07:32:00Z}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("config.toml", text)
		if err != nil {
			if !strings.Contains(err.Error(), "config.toml") {
				t.Errorf("%q: error %q does not name the file", text, err)
			}
			return
		}
		if _, err := EditEmbedder("config.toml", text, c.Embedder); err != nil {
			t.Logf("cannot be edited: %v", err)
		}
	})
}

func FuzzParseSynonyms(f *testing.F) {
	shipped, err := recollect.Synonyms.ReadFile("synonyms.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(shipped))
	f.Add("db = [\"database\"]\n\"\\u0000\" = []\na = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseSynonyms("synonyms.toml", text); err != nil && !strings.Contains(err.Error(), "synonyms.toml") {
			t.Errorf("%q: error %q does not name the file", text, err)
		}
	})
}
