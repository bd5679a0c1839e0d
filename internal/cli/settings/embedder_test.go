package settings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/config"
)

func TestPrintComparison(t *testing.T) {
	a, b := api.Candidate{ID: "a", Source: "journal", Title: "A\nB"}, api.Candidate{ID: "b", Source: "failures", Title: "C"}
	prompts := []*pastPrompt{
		{Prompt: explain.Prompt{Text: "changed"}, before: []api.Candidate{a}, after: []api.Candidate{b}},
		{Prompt: explain.Prompt{Text: "the same"}, before: []api.Candidate{a, b}, after: []api.Candidate{b, a}},
		{Prompt: explain.Prompt{Text: "nothing"}},
	}
	var out strings.Builder
	if err := printComparison(&out, prompts); err != nil {
		t.Fatal(err)
	}
	want := `
with your last prompts would be injected (- no longer, + new):

"changed": nothing as before
  - [journal] A B
  + [failures] C
"the same": 2 as before
"nothing": nothing as before

1 of 3 prompts would get other memories
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("printComparison():\n%s", diff)
	}
}

func TestChosen(t *testing.T) {
	dir := t.TempDir()
	server := config.Embedder{Kind: config.EmbedderOpenAI, Model: "m", URL: "http://127.0.0.1:8080/v1"}
	ollama := config.Embedder{Kind: config.EmbedderOllama, Model: "m", URL: "http://127.0.0.1:8080"}
	tests := []struct {
		name string
		is   config.Embedder
		args []string
		want config.Embedder // of no kind for an error
	}{
		{"builtin", server, []string{"builtin"}, config.Embedder{Kind: config.EmbedderBuiltin, Model: "m", URL: server.URL}},
		{"folder", config.Embedder{}, []string{dir}, config.Embedder{Kind: config.EmbedderBERT, Folder: dir}},
		{"ollama at its own port", server, []string{"ollama", "n"}, config.Embedder{Kind: config.EmbedderOllama, Model: "n"}},
		{"ollama where it was", ollama, []string{"ollama", "n"}, config.Embedder{Kind: config.EmbedderOllama, Model: "n", URL: ollama.URL}},
		{"nothing", server, nil, config.Embedder{}},
		{"no model", server, []string{"ollama"}, config.Embedder{}},
		{"another kind", server, []string{"openai", "n"}, config.Embedder{}},
		{"no folder", server, []string{dir + "/x"}, config.Embedder{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := chooseEmbedder(tt.is, tt.args)
			if (err != nil) != (tt.want.Kind == "") || err == nil && got != tt.want {
				t.Errorf("chosen() = %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}
