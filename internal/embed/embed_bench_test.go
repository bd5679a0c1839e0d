package embed

import (
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/embed/builtin"
)

var prompts = map[string]string{
	"6words":    "why does the database test fail",
	"1100words": strings.Repeat("why does the database test of our parser fail since yesterday ", 100),
}

// What the seam costs on top of the model.
func BenchmarkBuiltin(b *testing.B) {
	m, err := builtin.Load()
	if err != nil {
		b.Fatal(err)
	}
	e, err := Open(config.Default().Embedder, quiet)
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range prompts {
		b.Run(name+"/direct", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Embed(make([]float32, m.Dims()), text)
			}
		})
		b.Run(name+"/seam", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.EmbedQuery(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
