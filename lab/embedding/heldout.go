package embedding

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"recollect/internal/index/embed/builtin"
)

// A heldPair is a commit of a repository outside the training: its subject is the query, its body the
// answer.
type heldPair struct{ query, body string }

const (
	heldPool    = 4000 // bodies to choose from
	heldQueries = 1000
)

func appendHeld(held []heldPair, r *record, repos []string) []heldPair {
	if len(held) == heldPool || r.Kind != "commit" || len(r.Body) == 0 || !slices.Contains(repos, r.Repo) {
		return held
	}
	return append(held, heldPair{r.Subject, strings.Join(r.Body, "\n")})
}

// A heldMemory is a written memory. Only those outside the training have prompts, but all can be found.
type heldMemory struct {
	memory  string
	prompts []string // by grade; none if the memory was trained on
}

func appendMemory(all []heldMemory, r *record) []heldMemory {
	if r.Kind != writtenMemory {
		return all
	}
	m := heldMemory{memory: r.Body[0]}
	if r.Repo == heldWritten {
		m.prompts = r.Body[1 : 1+len(Grades)]
	}
	return append(all, m)
}

// evaluateWritten writes how well a model finds a written memory among all by prompts that share several
// words, one word or none with it.
func evaluateWritten(what string, data []byte, all []heldMemory, log io.Writer) error {
	m, err := builtin.Parse(data)
	if err != nil {
		return err
	}
	bodies := make([][]float32, len(all))
	for i, w := range all {
		bodies[i] = make([]float32, m.Dims())
		m.Embed(bodies[i], w.memory)
	}
	scores := make([]Scores, len(Grades))
	for i, w := range all {
		for grade, prompt := range w.prompts {
			scores[grade].add(rankOf(m, prompt, bodies, i))
		}
	}
	fmt.Fprintf(log, "%s, %s: written", what, m.Version())
	for grade, name := range Grades {
		fmt.Fprintf(log, " %s %s;", name, scores[grade])
	}
	fmt.Fprintln(log)
	return nil
}

// evaluateHeld writes how well a model finds bodies by their subjects, with and without the words that
// both share.
func evaluateHeld(what string, data []byte, held []heldPair, log io.Writer) error {
	m, err := builtin.Parse(data)
	if err != nil {
		return err
	}
	bodies := make([][]float32, len(held))
	for i, p := range held {
		bodies[i] = make([]float32, m.Dims())
		m.Embed(bodies[i], p.body)
	}
	var plain, masked Scores
	step := max(1, len(held)/heldQueries)
	for i := 0; i < len(held); i += step {
		plain.add(rankOf(m, held[i].query, bodies, i))
		masked.add(rankOf(m, without(held[i].query, held[i].body), bodies, i))
	}
	fmt.Fprintf(log, "%s, %s: subjects %s; without shared words %s\n", what, m.Version(), plain, masked)
	return nil
}

// Scores are means over queries with one right answer each.
type Scores struct{ queries, ndcg, hit1, hit5 float64 }

func (s *Scores) add(rank int) {
	s.queries++
	if rank <= 10 {
		s.ndcg += 1 / math.Log2(float64(rank)+1)
	}
	if rank == 1 {
		s.hit1++
	}
	if rank <= 5 {
		s.hit5++
	}
}

func (s Scores) String() string {
	n := max(1, s.queries)
	return fmt.Sprintf("NDCG@10 %.1f hit@1 %.1f hit@5 %.1f", 100*s.ndcg/n, 100*s.hit1/n, 100*s.hit5/n)
}

// rankOf returns the rank of the correct body for a query.
func rankOf(m *builtin.Model, query string, bodies [][]float32, right int) int {
	v := make([]float32, m.Dims())
	if !m.Embed(v, query) {
		return len(bodies)
	}
	own := dot(v, bodies[right])
	rank := 1
	for i, b := range bodies {
		if i != right && cmp.Compare(dot(v, b), own) >= 0 {
			rank++
		}
	}
	return rank
}

// without returns the words of a text that do not occur in another one.
func without(text, other string) string {
	has := map[string]bool{}
	eachToken(other, func(token string) { has[token] = true })
	var left []string
	eachToken(text, func(token string) {
		if !has[token] {
			left = append(left, token)
		}
	})
	return strings.Join(left, " ")
}

func eachToken(text string, use func(string)) {
	var s builtin.Scanner
	s.Reset(text, nil)
	for token := s.Next(); token != nil; token = s.Next() {
		use(string(token))
	}
}
