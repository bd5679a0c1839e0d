package embedding

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// tokensOf are the tokens of a text of a batch.
func (b *batch) tokensOf(text int) []uint32 {
	from := 0
	if text > 0 {
		from = b.ends[text-1]
	}
	var out []uint32
	for _, slot := range b.slots[from:b.ends[text]] {
		out = append(out, b.tokens[slot]&^gramsOnly)
	}
	return out
}

func TestPrepareMasksSharedWords(t *testing.T) {
	lib, _ := village(t)
	b := newBatch(lib, 16, rowBlock, rand.New(rand.NewPCG(1, 1)))
	b.mask = 1
	shared, alone := 0, 0
	for range 100 {
		for i := range b.pairs {
			b.pairs[i] = pair{query: []uint32{1, 2, 3, 4, 5}, body: []uint32{5, 4, 9}}
		}
		b.prepare()
		for i := range b.pairs {
			for _, token := range b.tokensOf(i) {
				if token >= 4 {
					shared++
				} else {
					alone++
				}
			}
		}
	}
	// Of 16 × 100 × 2 shared words 30 % × 90 % stay, of 3 others 90 %.
	if shared < 750 || shared > 980 || alone < 4200 || alone > 4440 {
		t.Errorf("%d shared and %d other words are left, want about 864 and 4320", shared, alone)
	}
}

func TestPrepareKeepsTexts(t *testing.T) {
	lib, _ := village(t)
	b := newBatch(lib, 16, rowBlock, rand.New(rand.NewPCG(1, 1)))
	b.mask = 1
	for range 50 {
		for i := range b.pairs {
			b.pairs[i] = pair{query: []uint32{7}, body: []uint32{7}}
		}
		b.prepare()
		for text := range 2 * b.size {
			if got := b.tokensOf(text); !slices.Equal(got, []uint32{7}) {
				t.Fatalf("text %d has tokens %v, want its only one", text, got)
			}
		}
	}
}

func TestLexical(t *testing.T) {
	lib, _ := village(t)
	b := newBatch(lib, 4, rowBlock, rand.New(rand.NewPCG(1, 1)))
	b.tokens = []uint32{10, 11, 12}
	// Queries "10 10", "11", "12", ""; bodies "10 11", "10 10", "11 11 11 11", "".
	for _, text := range [][]uint32{{0, 0}, {1}, {2}, {}, {0, 1}, {0, 0}, {1, 1, 1, 1}, {}} {
		b.slots = append(b.slots, text...)
		b.ends = append(b.ends, len(b.slots))
	}
	b.invert()
	got := make([]float32, 16)
	b.lexical(got, 0.5)
	score := func(frequency, length float64) float64 {
		idf := math.Log(1 + (4-2+0.5)/(2+0.5))
		return 0.5 * idf * frequency * 2.2 / (frequency + 1.2*(0.25+0.75*length/2))
	}
	want := []float64{
		score(1, 2), score(2, 2), 0, 0,
		score(1, 2), 0, score(4, 4), 0,
		0, 0, 0, 0,
		0, 0, 0, 0,
	}
	for i, w := range want {
		if math.Abs(float64(got[i])-w) > 1e-6 {
			t.Errorf("query %d, body %d: %v, want %v", i/4, i%4, got[i], w)
		}
	}
}

func TestEmptyTextTakesNoPart(t *testing.T) {
	lib, shares := village(t)
	tr := newTrainer(lib, shares, tinySettings(), t.Output())
	for i := range tr.batch.pairs {
		tr.batch.pairs[i] = pair{query: []uint32{uint32(i)}, body: []uint32{uint32(i + 1)}, entry: uint32(i)}
	}
	tr.batch.pairs[3].query = nil
	tr.batch.prepare()
	tr.batch.embed(tr.rows)
	loss := tr.loss.run(tr.batch)
	tr.batch.backward(tr.rows)
	tr.rows.step(0.01)
	for _, x := range append(tr.rows.own.rows, tr.rows.gram.rows...) {
		if math.IsNaN(float64(x)) || math.IsNaN(loss) {
			t.Fatal("an empty text spoiled the rows")
		}
	}
}
