package embedding

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// village is a small library of made-up commits, sections and words.
func village(t *testing.T) (*library, []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	c := newCounter()
	var records []record
	for i := range 200 {
		repo := []string{"a/a", "b/b"}[i%2]
		records = append(records,
			record{Kind: "commit", Repo: repo, Subject: chatter(rng, 4), Body: []string{chatter(rng, 9) + ". " + chatter(rng, 9), chatter(rng, 12)}},
			record{Kind: "doc", Repo: repo, Headings: []string{"Guide", chatter(rng, 2), chatter(rng, 2)}, Body: []string{chatter(rng, 20)}},
			record{Kind: "wd", Subject: chatter(rng, 1), Other: chatter(rng, 6)},
			record{Kind: writtenConcept, Repo: "written", Body: []string{chatter(rng, 1), chatter(rng, 2), chatter(rng, 1)}},
			record{Kind: writtenAssociations, Repo: "written", Body: []string{chatter(rng, 1), chatter(rng, 2), chatter(rng, 1)}},
			record{Kind: writtenSituation, Repo: "written", Body: []string{chatter(rng, 4), chatter(rng, 5)}},
			record{Kind: writtenMemory, Repo: "written", Body: []string{chatter(rng, 12), chatter(rng, 5), chatter(rng, 5), chatter(rng, 5), chatter(rng, 5)}},
			record{Kind: writtenEveryday, Repo: "written", Body: []string{chatter(rng, 5)}})
	}
	for i := range records {
		c.record(&records[i])
	}
	words, shares := c.top(60)
	lib := newLibrary(words, 64)
	for i := range records {
		lib.add(&records[i])
	}
	return lib, shares
}

// chatter is a text of n of 90 words, of which the first are more frequent.
func chatter(rng *rand.Rand, n int) string {
	var out []string
	for range n {
		i := int(90 * rng.Float64() * rng.Float64())
		out = append(out, string(rune('A'+i%26))+strings.Repeat("x", 1+i/26)+"y")
	}
	return strings.Join(out, " ")
}

func tinySettings() Settings {
	return Settings{Words: 60, Buckets: 64, Dims: rowBlock, Batch: 16, Seed: 1}
}

// The gradient that backward finds must be that of the loss, which small steps
// to both sides show.
func TestGradient(t *testing.T) {
	lib, shares := village(t)
	for _, lexical := range []float64{0, 0.2} {
		tr := newTrainer(lib, shares, tinySettings(), t.Output())
		tr.batch.mask, tr.loss.lexical = 0.5, lexical
		tr.sampler.batch(tr.batch.pairs)
		tr.batch.prepare()
		loss := func() float64 {
			tr.batch.embed(tr.rows)
			return tr.loss.run(tr.batch)
		}
		loss()
		tr.batch.backward(tr.rows)
		for name, a := range map[string]*adam{"words": &tr.rows.own, "n-grams": &tr.rows.gram} {
			if len(a.touched) == 0 {
				t.Fatalf("no gradient for %s", name)
			}
			checkGradient(t, name, a, loss)
		}
	}
}

// checkGradient compares the derivative along the gradient of all rows with its
// squared length.
func checkGradient(t *testing.T, name string, a *adam, loss func() float64) {
	t.Helper()
	var want float64
	for _, g := range a.gradients {
		want += float64(g) * float64(g)
	}
	step := 0.02 / math.Sqrt(want)
	move := func(by float64) float64 {
		for i, g := range a.gradients {
			a.rows[i] += float32(by * float64(g))
		}
		return loss()
	}
	up := move(step)
	down := move(-2 * step)
	move(step)
	if got := (up - down) / (2 * step); math.Abs(got/want-1) > 0.02 {
		t.Errorf("%s: the loss changes by %v along the gradient, want %v", name, got, want)
	}
}

// Two pairs of one entry may both be right, so they are not each other's wrong
// answers.
func TestPairsOfOneEntryAreNotCompared(t *testing.T) {
	lib, shares := village(t)
	tr := newTrainer(lib, shares, tinySettings(), t.Output())
	pairs := tr.batch.pairs
	loss := func(entry func(i int) uint32) float64 {
		for i := range pairs {
			pairs[i] = pair{query: []uint32{uint32(i)}, body: []uint32{uint32(i + 1)}, entry: entry(i)}
		}
		tr.batch.rng = rand.New(rand.NewPCG(1, 1))
		tr.batch.prepare()
		tr.batch.embed(tr.rows)
		return tr.loss.run(tr.batch)
	}
	apart := loss(func(i int) uint32 { return uint32(i) })
	inTwos := loss(func(i int) uint32 { return uint32(i / 2) })
	if one := loss(func(int) uint32 { return 7 }); one != 0 {
		t.Errorf("the loss is %v where nothing can be compared, want 0", one)
	}
	if !(0 < inTwos && inTwos < apart) {
		t.Errorf("the loss is %v with two pairs an entry, %v with one; want less, above 0", inTwos, apart)
	}
}

func TestTrainingLearns(t *testing.T) {
	lib, shares := village(t)
	tr := newTrainer(lib, shares, tinySettings(), t.Output())
	measure := func() float64 {
		tr.sampler.rng, tr.batch.rng = rand.New(rand.NewPCG(5, 5)), rand.New(rand.NewPCG(5, 6))
		var sum float64
		for range 20 {
			tr.sampler.batch(tr.batch.pairs)
			tr.batch.prepare()
			tr.batch.embed(tr.rows)
			sum += tr.loss.run(tr.batch) / 20
		}
		return sum
	}
	before := measure()
	tr.stage(0, Stage{Steps: 300, Rate: 0.01})
	if after := measure(); !(after < 0.8*before) {
		t.Errorf("the loss went from %.3f to %.3f, want a fifth less", before, after)
	}
}
