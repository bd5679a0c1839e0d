package config

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"recollect/internal/config/layout"

	"github.com/google/go-cmp/cmp"
)

func TestEditEmbedder(t *testing.T) {
	bert := Default().Embedder
	bert.Kind, bert.Folder = EmbedderBERT, "/models/minilm"
	tests := []struct {
		name, text, want string // want: "" for an error
		to               Embedder
	}{
		{"no file", "", "[embedder]\nkind = \"bert\"\nfolder = \"/models/minilm\"\n", bert},
		{"other tables", "[rank] # mine\nkind = \"typed\"",
			"[rank] # mine\nkind = \"typed\"\n\n[embedder]\nkind = \"bert\"\nfolder = \"/models/minilm\"\n", bert},
		{"lines with comments", "[embedder] # e\n  kind = 'ollama'   # k\nmodel = \"a \\\" # b\" # m\n# kind = \"off\"\n\n[rank]\nkind = \"typed\"\n",
			"[embedder] # e\nfolder = \"/models/minilm\"\n  kind = \"bert\"   # k\nmodel = \"\" # m\n# kind = \"off\"\n\n[rank]\nkind = \"typed\"\n", bert},
		{"empty table", "[embedder]", "[embedder]\nkind = \"bert\"\nfolder = \"/models/minilm\"", bert},
		{"windows", "[embedder]\r\nkind = \"off\"\r\n[rank]\r\n", "[embedder]\r\nfolder = \"/models/minilm\"\r\nkind = \"bert\"\r\n[rank]\r\n", bert},
		{"back to the defaults", "[embedder]\nkind = \"bert\"\nfolder = \"/models/minilm\" # mine\n",
			"[embedder]\nkind = \"builtin\"\nfolder = \"\" # mine\n", Default().Embedder},
		{"nothing to change", "# mine\n", "# mine\n", Default().Embedder},
		{"dotted keys", "embedder.kind = \"off\"\n", "embedder.folder = \"/models/minilm\"\nembedder.kind = \"bert\"\n", bert},
		{"in braces", "embedder = { kind = \"off\" }\n", "embedder = { kind = \"bert\", folder = \"/models/minilm\" }\n", bert},
		{"mistake in the file", "[embedder]\nkind = \"x\"\n", "", bert},
		{"not allowed", "", "", Embedder{Kind: EmbedderBERT, Timeout: bert.Timeout}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := EditEmbedder("config.toml", tt.text, tt.to)
			if (err != nil) != (tt.want == "") {
				t.Fatalf("EditEmbedder() = %q, %v", got, err)
			}
			if err != nil {
				if !strings.Contains(err.Error(), "config.toml") {
					t.Errorf("the error does not name the file: %v", err)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("EditEmbedder():\n%s", diff)
			}
			if c, err := Parse("", got); err != nil || c.Embedder != tt.to {
				t.Errorf("it parses as %+v, %v", c.Embedder, err)
			}
		})
	}
}

// A value is written where it stands, in each form that TOML has, and nothing else changes.
func TestEdit(t *testing.T) {
	journal, heading := map[string]any{"sources.journal.weight": 0.5}, map[string]any{"recall.min_worth": 0.3}
	tests := []struct {
		name, text, want string // want: "" for an error
		values           map[string]any
	}{
		{"no file", "", "[sources]\njournal = { weight = 0.5 }\n", journal},
		{"two of a table", "", "[rank]\nbounded = { project = 0.2, weight = 0.1 }\n", map[string]any{"rank.bounded.weight": 0.1, "rank.bounded.project": 0.2}},
		{"in braces", "[sources] # mine\njournal = { tokens = 500, weight = 0.9 } # decisions\n",
			"[sources] # mine\njournal = { tokens = 500, weight = 0.5 } # decisions\n", journal},
		{"added in braces", "[sources]\njournal = { tokens = 500 } # decisions\n", "[sources]\njournal = { tokens = 500, weight = 0.5 } # decisions\n", journal},
		{"empty braces", "[sources]\njournal = {}\n", "[sources]\njournal = { weight = 0.5 }\n", journal},
		{"braces in braces", "sources = { journal = { tokens = 5 } }\n", "sources = { journal = { tokens = 5, weight = 0.5 } }\n", journal},
		{"table of its own", "[sources.journal]\ntokens = 500\n\n[rank]\nkind = \"typed\"\n",
			"[sources.journal]\nweight = 0.5\ntokens = 500\n\n[rank]\nkind = \"typed\"\n", journal},
		{"dotted in its table", "[sources]\njournal.tokens = 500\n", "[sources]\njournal.weight = 0.5\njournal.tokens = 500\n", journal},
		{"dotted", "# mine\nsources.journal.tokens = 500\n", "# mine\nsources.journal.weight = 0.5\nsources.journal.tokens = 500\n", journal},
		{"in quotes, spaced, in capitals", "[ \"Sources\" ]\n 'Journal' . Weight=  9e-1\n", "[ \"Sources\" ]\n 'Journal' . Weight=  0.5\n", journal},
		{"same name in another table", "[budget]\nshare = 0.1\n[recall]\nmin_worth = 0.2 # min_worth = 1\n[hooks]\noff = [\n  # [recall]\n  \"Stop\",\n]\n",
			"[budget]\nshare = 0.1\n[recall]\nmin_worth = 0.3 # min_worth = 1\n[hooks]\noff = [\n  # [recall]\n  \"Stop\",\n]\n", heading},
		{"in a text", "[project]\nworkspace_root = \"\"\"/x\n[recall]\nmin_worth = 0.1\n\"\"\"\n",
			"[project]\nworkspace_root = \"\"\"/x\n[recall]\nmin_worth = 0.1\n\"\"\"\n\n[recall]\nmin_worth = 0.3\n", heading},
		{"with a mark", "\ufeff[recall]\nmin_worth = 0.2\n", "\ufeff[recall]\nmin_worth = 0.3\n", heading},
		{"as it is", "# mine\n", "# mine\n", map[string]any{"recall.min_worth": 0.6}},
		{"whole number", "", "[sources]\njournal = { weight = 2.0 }\n", map[string]any{"sources.journal.weight": int64(2)}},
		{"what others inherit", "[sources]\nmin_relevance = 0.6\n", "[sources]\nmin_relevance = 0.7\n", map[string]any{"sources.min_relevance": 0.7}},
		{"breaks a rule", "", "", map[string]any{"recall.min_worth": 2.0}},
		{"no setting", "", "", map[string]any{"recall.heading": 0.5}},
		{"wrong type", "", "", map[string]any{"recall.min_worth": "high"}},
		{"mistake in the file", "[recall]\nodds_ratio = -1\n", "", heading},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Edit("config.toml", tt.text, tt.values)
			if (err != nil) != (tt.want == "") {
				t.Fatalf("Edit() = %q, %v", got, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Edit():\n%s", diff)
			}
		})
	}
}

// What was edited is what was wanted, or an error; and what stood in the lines before stands there still.
func FuzzEdit(f *testing.F) {
	for _, text := range []string{"[sources]\njournal = { tokens = 5 }", "rank.kind = 'typed'\n", "[recall] # x\r\nterms = 3", "[hooks]\noff = [\"Stop\", # ]\n]", "[["} {
		f.Add(text, 0.5)
	}
	f.Fuzz(func(t *testing.T, text string, value float64) {
		layout.SetLine(text, "recall.min_worth", "1") // ends, whatever the text
		got, err := Edit("x", text, map[string]any{"sources.journal.weight": value, "recall.min_worth": value})
		if err != nil {
			return
		}
		c, err := Parse("x", got)
		if err != nil || c.Sources.Journal.Weight != value || c.Recall.MinWorth != value {
			t.Errorf("%q became %q: %+v, %v", text, got, c.Recall, err)
		}
	})
}

// What is tried is what an edited file would do, and changes nothing.
func TestTry(t *testing.T) {
	home := t.TempDir()
	path, _ := Paths(home)
	if err := os.WriteFile(path, []byte("[sources]\njournal = { min_relevance = 0.5 }\n[budget]\nitems = 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := NewLive(home, []string{"RECOLLECT_RECALL_MIN_WORTH=0.4"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Try("[sources]\nmin_relevance = 0.7\n[recall]\nmin_worth = 0.1\n[rank]\nbounded = { weight = 0.2 }\n")
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Budget.Items, want.Recall.MinWorth, want.Rank.Bounded.Weight = 9, 0.4, 0.2 // the variable still overrides
	want.Sources.MinRelevance = 0.7
	sources := reflect.ValueOf(&want.Sources.BySource).Elem()
	for i := range sources.NumField() {
		sources.Field(i).Addr().Interface().(*Source).MinRelevance = 0.7
	}
	want.Sources.Journal.MinRelevance = 0.5
	if diff := cmp.Diff(want, got.Config); diff != "" {
		t.Errorf("Try() (-want +got):\n%s", diff)
	}
	for _, text := range []string{"[embedder]\nkind = \"off\"", "[recall]\nodds_ratio = -1", "[recall]\nx = 1", "["} {
		if _, err := l.Try(text); err == nil {
			t.Errorf("Try(%q) succeeded", text)
		}
	}
	if now := l.Current(); now.Sources.MinRelevance != MinRelevance || now.Recall.MinWorth != 0.4 {
		t.Errorf("after Try(): %+v", now.Recall)
	}
}
