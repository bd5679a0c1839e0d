package daemons

import (
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// What is not known yet is not a number, and what is yet to be done is said.
func TestPrintHealth(t *testing.T) {
	behind := api.Health{
		Status: "ok", Index: "indexing, 20 of 47", Indexed: 20, Embedder: "embedding, 1 of 47", Embedded: 1, Memories: 47,
		Sources: map[memory.Source]int{memory.Journal: 47}, Waiting: 1, Imports: 2,
	}
	tests := []struct {
		name        string
		h           api.Health
		want, wrong []string
	}{
		{"opening", api.Health{Status: "ok", Index: "opening", Opening: true, Problems: []string{"config.toml: mistake"}},
			[]string{"memories  not known yet: the daemon is opening them\n", "problem   config.toml: mistake\n"}, []string{"index", "embedder"}},
		{"behind", behind, []string{
			"index     indexing, 20 of 47, 20 memories\n", "embedder  embedding, 1 of 47, 1 memory\n", "memories  47\n          47 journal\n",
			"capture   1 transcript is yet to be read\n", "import    2 files are being imported\n",
		}, []string{"not known"}},
		{"ready", api.Health{Status: "ok", Index: api.IndexReady}, []string{"index     ready, 0 memories\n"}, []string{"capture", "import", "learned", "not known"}},
		{"learned", api.Health{Status: "ok", Index: api.IndexReady, Learned: &api.Habits{Injected: 40, Used: 6, Useful: 2, Wrong: 5, Worth: -0.2, Sources: map[memory.Source]float64{memory.Thinking: -0.25}}},
			[]string{"learned   what you made use of before: 6 of 40, 2 marked useful and 5 wrong, so less is injected (-0.20); thinking -0.25\n"}, nil},
	}
	for _, tt := range tests {
		var out strings.Builder
		if err := printHealth(&out, tt.h); err != nil {
			t.Fatal(err)
		}
		for _, text := range tt.want {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%s: no %q in\n%s", tt.name, text, out.String())
			}
		}
		for _, text := range tt.wrong {
			if strings.Contains(out.String(), text) {
				t.Errorf("%s: %q in\n%s", tt.name, text, out.String())
			}
		}
	}
}
