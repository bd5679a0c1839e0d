package embedding

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"recollect/internal/index/embed/builtin"
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
	name, data := corpusFiles[0], commits.Bytes()
	if packed {
		name, data = name+".zst", zip(t, commits.String())
	}
	write(t, dir, name, data)
	write(t, dir, corpusFiles[1], dictionary.Bytes())
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

// someWritten is written text for a test: every kind of it, and a memory that is not trained on.
var someWritten = fstest.MapFS{
	"written/pairs.jsonl": {Data: []byte(strings.Repeat(
		`{"m":"The rate is fixed","same":"is the rate fixed","near":"fixed or floating","none":"will my payment change","miss":"who called"}`+"\n", 2*heldEvery))},
	"written/thesaurus.tsv": {Data: []byte(strings.Repeat("money\tinstalment\tpayment\n", 20))},
	"written/zero.txt":      {Data: []byte(strings.Repeat("what rhymes with orange\n", 20))},
}

func TestEmbedder(t *testing.T) {
	s := tinySettings()
	s.Main = Stage{Steps: 20, Rate: 0.01, Mask: 0.3}
	s.Branches = []Stage{{Steps: 10, Rate: 0.005, Lexical: 0.1}, {Steps: 10, Rate: 0.005, Mask: 0.6, Lexical: 0.1}}
	s.Held = []string{"held/out"}
	s.Save = filepath.Join(t.TempDir(), "checkpoint")
	var log strings.Builder
	model, err := Embedder(writeCorpus(t, false), someWritten, s, &log)
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
		again, err := Embedder(writeCorpus(t, true), someWritten, s, t.Output())
		if err != nil || !bytes.Equal(again, model) {
			t.Errorf("a second run gives another model (error %v)", err)
		}
	})
	t.Run("same bytes from the checkpoint", func(t *testing.T) {
		resumed := s
		resumed.Resume = s.Save
		again, err := Embedder(writeCorpus(t, false), someWritten, resumed, t.Output())
		if err != nil || !bytes.Equal(again, model) {
			t.Errorf("a resumed run gives another model (error %v)", err)
		}
	})
	t.Run("another seed", func(t *testing.T) {
		other := s
		other.Seed = 2
		again, err := Embedder(writeCorpus(t, false), someWritten, other, t.Output())
		if err != nil || bytes.Equal(again, model) {
			t.Errorf("another seed gives the same model (error %v)", err)
		}
	})
}

// Each branch goes on from the end of the main stage; the model is the mean of
// all.
func TestBranches(t *testing.T) {
	lib, shares := village(t)
	s := tinySettings()
	s.Main = Stage{Steps: 5, Rate: 0.05}
	s.Branches = []Stage{{Steps: 5, Rate: 0.05}, {Steps: 0}} // the second one stays where it begins
	tr := newTrainer(lib, shares, s, t.Output())
	seen := map[string]snapshot{}
	model, err := tr.run(func(what string) ([]byte, error) {
		seen[what] = tr.rows.snapshot()
		return []byte(what), nil
	})
	if err != nil || string(model) != "mean" {
		t.Errorf("run gives the model of %q, error %v", model, err)
	}
	start, first, second, mean := seen["main"], seen["branch 1"], seen["branch 2"], seen["mean"]
	if !slices.Equal(start.own, second.own) || !slices.Equal(start.gram, second.gram) {
		t.Error("the second branch does not begin at the end of the main stage")
	}
	if slices.Equal(start.own, first.own) {
		t.Error("the first branch learned nothing")
	}
	for i, got := range mean.own {
		want := (start.own[i] + first.own[i] + second.own[i]) / 3
		if math.Abs(float64(got-want)) > 1e-6 {
			t.Fatalf("number %d of the mean is %v, want %v", i, got, want)
		}
	}
}

// An error while a stage is reported ends the run.
func TestRunStopsAtErrors(t *testing.T) {
	lib, shares := village(t)
	bad := errors.New("bad")
	for _, at := range []string{"main", "branch 1", "mean"} {
		s := tinySettings()
		s.Branches = []Stage{{}}
		tr := newTrainer(lib, shares, s, t.Output())
		if _, err := tr.run(func(what string) ([]byte, error) {
			if what == at {
				return nil, bad
			}
			return nil, nil
		}); !errors.Is(err, bad) {
			t.Errorf("an error at %s: run gives %v", at, err)
		}
	}
}

// What a held repository says belongs together must not reach the model: with
// the bodies of its commits in another order the bytes are the same.
func TestHeldTeachesNothing(t *testing.T) {
	train := func(shift int, held ...string) []byte {
		rng := rand.New(rand.NewPCG(3, 3))
		var commits, dictionary bytes.Buffer
		var bodies []string
		for range 40 {
			bodies = append(bodies, chatter(rng, 8)+". "+chatter(rng, 8))
		}
		for i := range bodies {
			jsonLine(t, &commits, map[string]any{"k": "commit", "r": "kept/one", "a": chatter(rng, 5), "p": []string{chatter(rng, 9)}})
			jsonLine(t, &commits, map[string]any{"k": "commit", "r": "held/out", "a": chatter(rng, 5), "p": []string{bodies[(i+shift)%len(bodies)]}})
			jsonLine(t, &dictionary, map[string]any{"k": "ws", "a": chatter(rng, 1), "b": chatter(rng, 3)})
		}
		dir := t.TempDir()
		write(t, dir, corpusFiles[0], commits.Bytes())
		write(t, dir, corpusFiles[1], dictionary.Bytes())
		s := tinySettings()
		s.Words, s.Held = 200, held // all words are known, so that they have the same numbers
		s.Main = Stage{Steps: 10, Rate: 0.01, Mask: 0.3}
		model, err := Embedder(dir, someWritten, s, t.Output())
		if err != nil {
			t.Fatal(err)
		}
		return model
	}
	if !bytes.Equal(train(0, "held/out"), train(1, "held/out")) {
		t.Error("the model depends on which of the held repository's texts belong together")
	}
	if bytes.Equal(train(0), train(1)) {
		t.Error("the model does not depend on what belongs together")
	}
}
