package fit

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"recollect/lab/bench"
	"recollect/lab/embedding"
)

// A sampling says how to draw stores of one size from a collection, so that relevance means the same in a
// store of 20 memories as in one of thousands.
type sampling struct {
	size   int // number of memories; sessions are not divided
	stores int
	asked  int // largest number of queries of each store
}

func samplings() []sampling {
	return []sampling{{20, 12, 45}, {50, 6, 60}, {200, 3, 120}, {1000, 1, 200}}
}

// Shares of the queries without an answer: those whose answer is not in the store, those that resemble a
// query of a memory, everyday ones that name something in a memory, and other everyday ones.
const (
	absentShare   = 0.5
	missShare     = 0.1
	editShare     = 0.3
	everydayShare = 0.3
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
	answers, others := answering(shuffled(random, c.Queries), shuffled(random, sessionsOf(c)))
	some := min(len(answers), s.size/2) // half of a store may answer a query, even if little of the collection does
	for _, session := range slices.Concat(answers[:some], shuffled(random, slices.Concat(answers[some:], others))) {
		if len(out.Docs) >= s.size {
			break
		}
		for _, d := range session {
			d.Scope = ""
			out.Docs = append(out.Docs, d)
			in[d.ID] = true
		}
	}
	absent := 0
	for _, q := range shuffled(random, c.Queries) {
		q.Scope, q.Relevant = "", within(q.Relevant, in)
		switch {
		case len(q.Relevant) > 0 && len(out.Queries) < s.asked:
			out.Queries = append(out.Queries, q)
		case len(q.Relevant) == 0 && absent < int(absentShare*float64(s.asked)):
			q.ID = absentPrefix + q.ID
			out.Negatives = append(out.Negatives, q)
			absent++
		}
	}
	left := map[string]int{missPrefix: int(missShare * float64(s.asked)), editPrefix: int(editShare * float64(s.asked))}
	for _, q := range shuffled(random, c.Negatives) {
		kind, id, _ := strings.Cut(q.ID, "/")
		if kind += "/"; in[id] && left[kind] > 0 {
			out.Negatives = append(out.Negatives, q)
			left[kind]--
		}
	}
	out.Negatives = append(out.Negatives, shuffled(random, everyday)[:min(len(everyday), int(everydayShare*float64(s.asked)))]...)
	return out
}

// answering separates the sessions with answers to queries from the others. It orders them like the
// queries.
func answering(queries []bench.Query, sessions [][]bench.Doc) (answers, others [][]bench.Doc) {
	of := map[string]int{}
	for i, s := range sessions {
		for _, d := range s {
			of[d.ID] = i
		}
	}
	used := map[int]bool{}
	for _, q := range queries {
		for _, id := range slices.Sorted(maps.Keys(q.Relevant)) {
			if i, ok := of[id]; ok && !used[i] {
				used[i] = true
				answers = append(answers, sessions[i])
			}
		}
	}
	for i, s := range sessions {
		if !used[i] {
			others = append(others, s)
		}
	}
	return answers, others
}

// sessionsOf returns the documents of each session. A document without a session is its own.
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

// within returns the ids that are in a set.
func within(ids, set map[string]bool) map[string]bool {
	out := map[string]bool{}
	for id := range ids {
		if set[id] {
			out[id] = true
		}
	}
	return out
}

// Prefixes of the ids of prompts. The id of a memory that does not answer the prompt follows.
const (
	missPrefix = "miss/" // they resemble prompts that it answers
	editPrefix = "edit/" // everyday prompts that name something in it
)

// absentPrefix begins the ids of queries whose answer is not in the store.
const absentPrefix = "absent/"

// writtenName is the name of the set of written memories on which the embedder was not trained.
const writtenName = "written"

// written returns the written memories on which the embedder was not trained, with their prompts, and the
// everyday prompts outside all training.
func written(files fs.FS) (c *bench.Collection, everyday []bench.Query, err error) {
	c = &bench.Collection{Name: writtenName}
	memories, prompts, err := embedding.Held(files)
	if err != nil {
		return nil, nil, err
	}
	other, err := ReadPrompts(files, WrittenPrompts())
	if err != nil {
		return nil, nil, err
	}
	for _, m := range memories {
		c.Docs = append(c.Docs, bench.Doc{ID: m.ID, Text: m.Text})
		for i, prompt := range m.Prompts {
			c.Queries = append(c.Queries, bench.Query{ID: embedding.Grades[i] + "/" + m.ID, Text: prompt, Relevant: map[string]bool{m.ID: true}})
		}
		c.Negatives = append(c.Negatives, bench.Query{ID: missPrefix + m.ID, Text: m.Miss})
		if edit := other.Edits[m.Text]; edit != "" {
			c.Negatives = append(c.Negatives, bench.Query{ID: editPrefix + m.ID, Text: edit})
		}
	}
	for _, p := range append(prompts, other.HeldEveryday...) {
		everyday = append(everyday, bench.Query{ID: "everyday/" + p, Text: p})
	}
	return c, everyday, nil
}
