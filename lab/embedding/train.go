package embedding

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"time"

	"recollect/internal/index/embed/builtin"
)

// Settings are the settings of a training run.
type Settings struct {
	Words   int // rows for the most frequent words
	Buckets int // rows for n-grams
	Dims    int // a multiple of rowBlock
	Batch   int // pairs per step, a multiple of 16
	Seed    uint64
	Main    Stage
	// Each of Branches continues from the end of Main. The model is the mean of Main and all branches.
	Branches []Stage
	Held     []string // repositories that are used only for evaluation
	Written  float64  // share of the written text that is trained on

	Save, Resume string // checkpoint to write after Main, or to continue from
}

// A Stage is a number of steps with settings of their own.
type Stage struct {
	Steps   int
	Rate    float64 // Adam's initial step size; it falls linearly to 5 %
	Mask    float64 // share of queries that lose the words that they share with their body
	Lexical float64 // weight of BM25 in the logits
}

// Defaults are the settings of the model in the repository.
func Defaults() Settings {
	return Settings{
		Words: 40000, Buckets: 8192, Dims: 256, Batch: 1024, Seed: 1,
		Main: Stage{Steps: 8000, Rate: 0.02, Mask: 0.4},
		Branches: []Stage{
			{Steps: 2000, Rate: 0.01, Mask: 0.3, Lexical: 0.12},
			{Steps: 2000, Rate: 0.01, Mask: 0.6, Lexical: 0.12},
		},
		Held: []string{"restic/restic", "nats-io/nats-server", "tokio-rs/tokio", "pypa/pip", heldWritten}, Written: 1,
	}
}

// endRate is the share of the step size that remains at the end.
const endRate = 0.05

// Embedder trains a model on a corpus folder and on written text, and writes its progress to log.
func Embedder(dir string, written fs.FS, s Settings, log io.Writer) ([]byte, error) {
	c, err := readCorpus(dir, written, s)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "corpus %s: %d tokens, %d entries, %d words, %d unknown\n",
		c.hash, len(c.lib.tokens), len(c.lib.entries), len(c.words), len(c.lib.unknown))
	fmt.Fprintf(log, "settings %+v\n", s)
	t := newTrainer(c.lib, c.shares, s, log)
	return t.run(func(what string) ([]byte, error) {
		model := builtin.Encode(c.words, s.Buckets, s.Dims, t.rows.table())
		return model, errors.Join(evaluateHeld(what, model, c.held, log), evaluateWritten(what, model, c.asked, log))
	})
}

// A corpus holds the input of a run.
type corpus struct {
	hash   string    // hash of the text
	words  []string  // the vocabulary, most frequent first
	shares []float64 // share of each word in the text
	lib    *library
	held   []heldPair
	asked  []heldMemory
}

// eachText calls use for every record of a corpus folder and of the written text, and returns a hash of
// both.
func eachText(dir string, written fs.FS, use func(*record)) (string, error) {
	found, err := eachRecord(dir, use)
	if err != nil {
		return "", err
	}
	own, err := eachWritten(written, use)
	return found + "+" + own, err
}

// readCorpus reads all text twice: to find the most frequent words, then to turn everything into tokens.
func readCorpus(dir string, files fs.FS, s Settings) (*corpus, error) {
	counter := newCounter()
	hash, err := eachText(dir, files, counter.record)
	if err != nil {
		return nil, err
	}
	c := &corpus{hash: hash}
	c.words, c.shares = counter.top(s.Words)
	c.lib = newLibrary(c.words, s.Buckets)
	written := sample{share: s.Written}
	_, err = eachText(dir, files, func(r *record) {
		if !isWritten(r) || written.take() {
			c.lib.add(r)
		}
		c.held, c.asked = appendHeld(c.held, r, s.Held), appendMemory(c.asked, r)
	})
	return c, err
}

// A sample takes a share of the things offered to it, evenly.
type sample struct{ share, sum float64 }

func (s *sample) take() bool {
	s.sum += s.share
	if s.sum < 1 {
		return false
	}
	s.sum--
	return true
}

// A trainer holds the state of the training.
type trainer struct {
	settings Settings
	sampler  *sampler
	batch    *batch
	loss     *contrast
	rows     *rows
	log      io.Writer
}

func newTrainer(lib *library, shares []float64, s Settings, log io.Writer) *trainer {
	random := rand.New(rand.NewPCG(s.Seed, 0)) // a stage replaces it by its own
	return &trainer{
		settings: s, log: log,
		sampler: newSampler(lib, s.Held, random),
		batch:   newBatch(lib, s.Batch, s.Dims, random),
		loss:    newContrast(s.Batch, s.Dims),
		rows:    newRows(lib, shares, s.Dims, s.Seed),
	}
}

// run performs all stages and returns the model. encode encodes the current rows as a model and reports
// how good it is.
func (t *trainer) run(encode func(what string) ([]byte, error)) ([]byte, error) {
	if err := t.main(); err != nil {
		return nil, err
	}
	model, err := encode("main")
	if err != nil || len(t.settings.Branches) == 0 {
		return model, err
	}
	start, mean := t.rows.snapshot(), t.rows.snapshot()
	for i, s := range t.settings.Branches {
		t.rows.restore(start)
		t.stage(i+1, s)
		if _, err := encode(fmt.Sprintf("branch %d", i+1)); err != nil {
			return nil, err
		}
		mean.add(t.rows)
	}
	mean.divide(float32(len(t.settings.Branches) + 1))
	t.rows.restore(mean)
	return encode("mean")
}

// main performs the first stage, or loads its result from a checkpoint.
func (t *trainer) main() error {
	if t.settings.Resume != "" {
		return t.rows.load(t.settings.Resume)
	}
	t.stage(0, t.settings.Main)
	if t.settings.Save != "" {
		return t.rows.save(t.settings.Save)
	}
	return nil
}

// reportEvery is the number of steps between two lines of the log.
const reportEvery = 200

// stage trains a number of steps. Its random numbers depend only on the seed and its number, so that a
// run that continues from a checkpoint gives the same result.
func (t *trainer) stage(number int, s Stage) {
	t.rows.resetMoments()
	random := rand.New(rand.NewPCG(t.settings.Seed, uint64(number)))
	t.sampler.rng, t.batch.rng = random, random
	t.batch.mask, t.loss.lexical = s.Mask, s.Lexical
	start, sum := time.Now(), 0.0
	for step := range s.Steps {
		t.sampler.batch(t.batch.pairs)
		t.batch.prepare()
		t.batch.embed(t.rows)
		sum += t.loss.run(t.batch)
		t.batch.backward(t.rows)
		left := 1 - float64(step)/float64(s.Steps)
		t.rows.step(float32(s.Rate * math.Max(endRate, left)))
		if (step+1)%reportEvery == 0 {
			fmt.Fprintf(t.log, "step %d of %d, loss %.4f, %.0f s\n", step+1, s.Steps, sum/reportEvery, time.Since(start).Seconds())
			sum = 0
		}
	}
}
