package train

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"recollect/internal/embed/builtin"
)

// writeCorpus makes a corpus folder of chatter, its first file packed or not.
func writeCorpus(t *testing.T, packed bool) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 3))
	var commits, dictionary bytes.Buffer
	for i := range 120 {
		repo := []string{"a/a", "b/b", "held/out"}[i%3]
		jsonLine(t, &commits, map[string]any{"k": "commit", "r": repo, "a": chatter(rng, 5), "p": []string{chatter(rng, 8) + ". " + chatter(rng, 8)}})
		jsonLine(t, &dictionary, map[string]any{"k": "ws", "a": chatter(rng, 1), "b": chatter(rng, 3)})
	}
	dir := t.TempDir()
	name, data := "corpus.jsonl", commits.Bytes()
	if packed {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		name, data = name+".zst", w.EncodeAll(data, nil)
	}
	write(t, dir, name, data)
	write(t, dir, "wordnet-pairs.jsonl", dictionary.Bytes())
	return dir
}

func jsonLine(t *testing.T, to *bytes.Buffer, v any) {
	t.Helper()
	if err := json.NewEncoder(to).Encode(v); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEmbedder(t *testing.T) {
	s := tinySettings()
	s.Main = Stage{Steps: 20, Rate: 0.01, Mask: 0.3}
	s.Branches = []Stage{{Steps: 10, Rate: 0.005, Lexical: 0.1}, {Steps: 10, Rate: 0.005, Mask: 0.6, Lexical: 0.1}}
	s.Held = []string{"held/out"}
	s.Save = filepath.Join(t.TempDir(), "checkpoint")
	var log strings.Builder
	model, err := Embedder(writeCorpus(t, false), s, &log)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"corpus ", "Seed:1", "main, builtin-", "branch 2, builtin-", "mean, builtin-", "NDCG@10"} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("the log lacks %q:\n%s", part, log.String())
		}
	}
	m, err := builtin.Parse(model)
	if err != nil {
		t.Fatal(err)
	}
	if m.Dims() != s.Dims {
		t.Errorf("%d dimensions, want %d", m.Dims(), s.Dims)
	}

	t.Run("same bytes again, from a packed corpus", func(t *testing.T) {
		again, err := Embedder(writeCorpus(t, true), s, t.Output())
		if err != nil || !bytes.Equal(again, model) {
			t.Errorf("a second run gives another model (error %v)", err)
		}
	})
	t.Run("same bytes from the checkpoint", func(t *testing.T) {
		resumed := s
		resumed.Resume = s.Save
		again, err := Embedder(writeCorpus(t, false), resumed, t.Output())
		if err != nil || !bytes.Equal(again, model) {
			t.Errorf("a resumed run gives another model (error %v)", err)
		}
	})
	t.Run("another seed", func(t *testing.T) {
		other := s
		other.Seed = 2
		again, err := Embedder(writeCorpus(t, false), other, t.Output())
		if err != nil || bytes.Equal(again, model) {
			t.Errorf("another seed gives the same model (error %v)", err)
		}
	})
}

func TestReadCorpusErrors(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"no folder", "", "", "open corpus"},
		{"no JSON", "corpus.jsonl", "{\"k\":\"doc\"}\nhello\n", "corpus.jsonl, line 2"},
		{"not packed", "corpus.jsonl.zst", "hello", "corpus.jsonl.zst"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.file != "" {
				write(t, dir, tt.file, []byte(tt.text))
			}
			if _, err := readCorpus(dir, tinySettings()); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("readCorpus: %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestCompoundsCountLess(t *testing.T) {
	c := newCounter()
	c.text(strings.Repeat("JavaScript ", 17) + "rare rare rare plain")
	words, shares := c.top(4)
	if got := fmt.Sprint(words); got != "[java script rare javascript]" {
		t.Errorf("words %s", got)
	}
	if want := 17.0 / 38; shares[0] != want {
		t.Errorf("share %v, want %v", shares[0], want)
	}
}

func TestWithout(t *testing.T) {
	if got := without("Fix parseURL in daemon's log", "the URL of a Daemon"); got != "fix parse in log" {
		t.Errorf("without = %q", got)
	}
}
