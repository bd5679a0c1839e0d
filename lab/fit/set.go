package fit

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/recall"
	"recollect/internal/system/durable"
	"recollect/lab/bench"
	"recollect/lab/embedding"
)

// A Set is a test collection with the candidates of its queries.
type Set struct {
	Name   string  // name of the collection, and the field of its queries
	Weight float64 // weight in the fit; 0 for evaluation only
	Long   bool    // its queries are long prompts
	Cases  []bench.Case
}

// fitting returns the cases on which to fit a kind. It leaves out queries without an answer that were
// borrowed from a set without a free licence. For a kind with vectors it also leaves out short queries
// whose answer is not in the store: they are about the subject of the store, so nothing distinguishes
// them from queries with an answer, and a fit on them makes answers in other words seem irrelevant. Long
// queries without an answer are all of this sort, so it keeps them.
func (s *Set) fitting(k Kind) []bench.Case {
	var out []bench.Case
	for _, c := range s.Cases {
		from, borrowed := borrowedFrom(c.ID)
		absent := strings.HasPrefix(c.ID, absentPrefix) && !s.Long && k.hasMeaning()
		if !absent && (!borrowed || slices.Contains(licensed(), from)) {
			out = append(out, c)
		}
	}
	return out
}

// borrowedFrom returns the set from which a query without an answer was taken, according to its id
// neg/SET/id.
func borrowedFrom(id string) (set string, ok bool) {
	rest, ok := strings.CutPrefix(id, "neg/")
	set, _, _ = strings.Cut(rest, "/")
	return set, ok
}

// licensed lists the published sets with a free licence.
func licensed() []string {
	return []string{"beads-commits", "cosqa", "lme-evidence", "precisionmem", "devbench", "coding-agent-life"}
}

// asPrompts lists the sets whose queries resemble prompts to Claude. The others cannot show how much it
// counts that a prompt is an everyday one, because web searches and questions to a friend are like
// everyday prompts.
func asPrompts() []string {
	return []string{writtenName, "devbench", "coding-agent-life"}
}

// A source is a collection that becomes a set. It is read only if its cases are not available.
type source struct {
	name, field string
	weight      float64
	sampling    sampling // zero for the whole collection
}

// Weights of sets in the fit. On text like that of the embedder's training the cosine looks better than
// elsewhere. The large published sets have queries as people write them.
const (
	likeTraining  = 0.25
	ordinary      = 1
	asked         = 3
	inOtherWords  = 2    // for each size of store; with more, the fit underrates words
	drawn         = 0.25 // for each size of store
	askedAtLength = 9    // for the only set of long prompts
)

func (s source) String() string {
	if s.sampling.size > 0 {
		return fmt.Sprintf("%s-%d.%s", s.name, s.sampling.size, s.field)
	}
	return s.name + "." + s.field
}

// sources lists all sets: those made here, the published ones for the fit, and those only for evaluation.
func sources() []source {
	var out []source
	for _, r := range recipes() {
		out = append(out, source{name: r.name, field: bench.FieldText, weight: likeTraining})
	}
	for _, name := range licensed() {
		weight := float64(ordinary)
		if name == "beads-commits" || name == "lme-evidence" {
			weight = asked
		}
		out = append(out, source{name: name, field: bench.FieldText, weight: weight})
		for _, sampling := range samplings() {
			if !small(name) {
				out = append(out, source{name, bench.FieldText, drawn, sampling})
			}
		}
	}
	for _, sampling := range samplings() {
		out = append(out, source{writtenName, bench.FieldText, inOtherWords, sampling}, source{"beads-commits", bench.FieldDetail, ordinary, sampling})
	}
	out = append(out, source{name: "beads-commits", field: bench.FieldDetail, weight: askedAtLength})
	for _, name := range []string{"locomo-turn", "locomo-session", "claude-sessions", "claude-notes", "cranfield", "cisi"} {
		out = append(out, source{name: name, field: bench.FieldText})
	}
	return out
}

// small reports whether a published set is already as small as the smallest stores.
func small(name string) bool {
	return slices.Contains([]string{"precisionmem", "devbench", "coding-agent-life"}, name)
}

// A Gatherer collects the sets.
type Gatherer struct {
	Corpus string // folder of the embedder's training text
	Bench  string // folder of the published sets
	Cases  string // folder that stores cases between runs; "" for none
	Log    io.Writer

	text *corpus // nil until it is read
}

// Sets returns all sets. It uses the cases stored in g.Cases if they have the current features of recall.
// Whoever changes the computation of a feature must delete them.
func (g *Gatherer) Sets(ctx context.Context) ([]Set, error) {
	var sets []Set
	for _, s := range sources() {
		cases, err := g.cases(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("set %s: %w", s, err)
		}
		if !slices.Contains(asPrompts(), s.name) {
			setFeature(cases, "everyday", 0.5)
		}
		sets = append(sets, Set{s.String(), s.weight, s.field == bench.FieldDetail, cases})
	}
	return sets, nil
}

// setFeature gives a feature the same value for all candidates, so that it does not affect a fit.
func setFeature(cases []bench.Case, name string, value float64) {
	i := slices.Index(recall.FeatureNames(), name)
	for _, c := range cases {
		for _, e := range c.Candidates {
			e.Features[i] = value
		}
	}
}

// A caseFile is the content of a file of cases.
type caseFile struct {
	Features []string
	Cases    []bench.Case
}

// cases returns the cases of s, from its file or by searching.
func (g *Gatherer) cases(ctx context.Context, s source) ([]bench.Case, error) {
	path := filepath.Join(g.Cases, s.String()+".gob")
	if g.Cases != "" {
		k, err := readCases(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err == nil && slices.Equal(k.Features, recall.FeatureNames()) {
			return k.Cases, nil
		}
	}
	stores, err := g.stores(s)
	if err != nil {
		return nil, err
	}
	var cases []bench.Case
	for _, c := range stores {
		fmt.Fprintf(g.Log, "%s: %d documents, %d queries, %d without an answer\n", s, len(c.Docs), len(c.Queries), len(c.Negatives))
		some, err := bench.Cases(ctx, c, s.field, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			return nil, err
		}
		cases = append(cases, some...)
	}
	if g.Cases == "" {
		return cases, nil
	}
	return cases, writeCases(path, caseFile{recall.FeatureNames(), cases})
}

// stores makes or reads the collection of s, or draws stores from it.
func (g *Gatherer) stores(s source) ([]*bench.Collection, error) {
	c, everyday, err := written(embedding.Written())
	if err != nil {
		return nil, err
	}
	if s.sampling.size == 0 {
		c, err := g.collection(s)
		if err == nil && s.weight > 0 {
			c.Negatives = append(c.Negatives, everyday...)
		}
		return []*bench.Collection{c}, err
	}
	if s.name != writtenName {
		c, err = bench.Read(filepath.Join(g.Bench, s.name))
	}
	if err != nil {
		return nil, err
	}
	return s.sampling.draw(c, everyday), nil
}

func readCases(path string) (caseFile, error) {
	var k caseFile
	f, err := os.Open(path)
	if err != nil {
		return k, err
	}
	defer f.Close()
	if err := gob.NewDecoder(f).Decode(&k); err != nil {
		return k, fmt.Errorf("read cases %s: %w", path, err)
	}
	return k, nil
}

func writeCases(path string, k caseFile) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(k); err != nil {
		return fmt.Errorf("write cases %s: %w", path, err)
	}
	if err := durable.WriteFile(path, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write cases: %w", err)
	}
	return nil
}

// collection makes or reads the collection of s.
func (g *Gatherer) collection(s source) (*bench.Collection, error) {
	if i := slices.IndexFunc(recipes(), func(r recipe) bool { return r.name == s.name }); i >= 0 {
		return g.development(i)
	}
	c, err := bench.Read(filepath.Join(g.Bench, s.name))
	if err != nil || len(c.Negatives) > 0 {
		return c, err
	}
	return c, g.borrow(c)
}

// development makes the collection of the recipe with this number.
func (g *Gatherer) development(number int) (*bench.Collection, error) {
	if g.text == nil {
		var err error
		if g.text, err = readCorpus(g.Corpus, recipeRepos()); err != nil {
			return nil, err
		}
	}
	return recipes()[number].collection(g.text, number)
}

const (
	borrowAmong = 200 // queries of each set
	borrowEvery = 4   // one in this many is borrowed
)

// borrow adds queries of other sets to c, as queries without an answer.
func (g *Gatherer) borrow(c *bench.Collection) error {
	for _, name := range licensed() {
		if name == c.Name {
			continue
		}
		other, err := bench.Read(filepath.Join(g.Bench, name))
		if err != nil {
			return err
		}
		for i := 0; i < min(borrowAmong, len(other.Queries)); i += borrowEvery {
			q := other.Queries[i]
			c.Negatives = append(c.Negatives, bench.Query{ID: "neg/" + name + "/" + q.ID, Text: q.Text, Time: q.Time})
		}
	}
	return nil
}
