package fit

import (
	"io/fs"
	"math/rand/v2"
	"strings"

	"recollect/internal/bench"
	"recollect/internal/embed/train"
)

// A sampling says how stores of one size are drawn from a collection. Relevance must mean the same
// in a store of 20 memories as in one of thousands.
type sampling struct {
	size   int // memories, sessions as a whole
	stores int
	asked  int // queries of each store, at most
}

func samplings() []sampling {
	return []sampling{{20, 12, 45}, {50, 6, 60}, {200, 3, 120}, {1000, 1, 200}}
}

// Shares of the queries without an answer: those whose answer is not in the store, those that look
// like the query of a memory, and everyday ones.
const (
	absentShare   = 0.5
	missShare     = 0.1
	everydayShare = 0.2
)

// draw returns the stores of one size from a collection.
func (s sampling) draw(c *bench.Collection, everyday []bench.Query) []*bench.Collection {
	random := rand.New(rand.NewPCG(seed, uint64(s.size)))
	var out []*bench.Collection
	for range s.stores {
		out = append(out, s.store(c, everyday, random))
	}
	return out
}

func (s sampling) store(c *bench.Collection, everyday []bench.Query, random *rand.Rand) *bench.Collection {
	out := &bench.Collection{Name: c.Name}
	in := map[string]bool{}
	for _, session := range shuffled(random, sessionsOf(c)) {
		if len(out.Docs) >= s.size {
			break
		}
		for _, d := range session {
			d.Scope = ""
			out.Docs = append(out.Docs, d)
			in[d.ID] = true
		}
	}
	absent, missed := 0, 0
	for _, q := range shuffled(random, c.Queries) {
		q.Scope, q.Relevant = "", within(q.Relevant, in)
		switch {
		case len(q.Relevant) > 0 && len(out.Queries) < s.asked:
			out.Queries = append(out.Queries, q)
		case len(q.Relevant) == 0 && absent < int(absentShare*float64(s.asked)):
			q.ID = "absent/" + q.ID
			out.Negatives = append(out.Negatives, q)
			absent++
		}
	}
	for _, q := range shuffled(random, c.Negatives) {
		if id, ok := strings.CutPrefix(q.ID, missPrefix); ok && in[id] && missed < int(missShare*float64(s.asked)) {
			out.Negatives = append(out.Negatives, q)
			missed++
		}
	}
	out.Negatives = append(out.Negatives, shuffled(random, everyday)[:min(len(everyday), int(everydayShare*float64(s.asked)))]...)
	return out
}

// sessionsOf returns the documents of each session, and each that has none.
func sessionsOf(c *bench.Collection) [][]bench.Doc {
	at := map[string]int{}
	var out [][]bench.Doc
	for _, d := range c.Docs {
		if i, ok := at[d.Session]; ok && d.Session != "" {
			out[i] = append(out[i], d)
			continue
		}
		at[d.Session] = len(out)
		out = append(out, []bench.Doc{d})
	}
	return out
}

// shuffled returns a copy in random order.
func shuffled[T any](random *rand.Rand, all []T) []T {
	all = append([]T(nil), all...)
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// within returns those of ids that are in a set.
func within(ids, set map[string]bool) map[string]bool {
	out := map[string]bool{}
	for id := range ids {
		if set[id] {
			out[id] = true
		}
	}
	return out
}

// missPrefix begins the id of a prompt that looks like one of a memory's, before that memory's id.
const missPrefix = "miss/"

// writtenName is the name of the set of the written memories that the embedder was not trained on.
const writtenName = "written"

// written returns the written memories that the embedder was not trained on, with their prompts, and
// the everyday prompts that it was not trained on.
func written(files fs.FS) (c *bench.Collection, everyday []bench.Query, err error) {
	c = &bench.Collection{Name: writtenName}
	memories, prompts, err := train.Held(files)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range memories {
		c.Docs = append(c.Docs, bench.Doc{ID: m.ID, Text: m.Text})
		for i, prompt := range m.Prompts {
			c.Queries = append(c.Queries, bench.Query{ID: train.Grades[i] + "/" + m.ID, Text: prompt, Relevant: map[string]bool{m.ID: true}})
		}
		c.Negatives = append(c.Negatives, bench.Query{ID: missPrefix + m.ID, Text: m.Miss})
	}
	for _, p := range prompts {
		everyday = append(everyday, bench.Query{ID: "everyday/" + p, Text: p})
	}
	return c, everyday, nil
}
