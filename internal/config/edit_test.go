package config

import (
	"strings"
	"testing"

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
		{"windows", "[embedder]\r\nkind = \"off\"\r\n[rank]\r\n", "[embedder]\r\nfolder = \"/models/minilm\"\nkind = \"bert\"\r\n[rank]\r\n", bert},
		{"back to the defaults", "[embedder]\nkind = \"bert\"\nfolder = \"/models/minilm\" # mine\n",
			"[embedder]\nkind = \"builtin\"\nfolder = \"\" # mine\n", Default().Embedder},
		{"nothing to change", "# mine\n", "# mine\n", Default().Embedder},
		{"dotted keys", "embedder.kind = \"off\"\n", "", bert},
		{"in braces", "embedder = { kind = \"off\" }\n", "", bert},
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
