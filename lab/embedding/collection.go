package embedding

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/index/embed/builtin"
)

// A collectionLine is a line of the files docs, queries or qrels of a test collection.
type collectionLine struct {
	ID, Text, Title, Scope string
	Query, Doc             string
}

// Evaluate ranks the documents of a test collection by the cosine of a model alone. The folder has docs,
// queries and qrels as gzipped JSON Lines; a query with a scope is answered from that scope. The result
// contains the means of NDCG@10 and hit@5, in per cent. If the folder has queries_negative, it also
// contains the AUC of the best cosine: how often that is higher for a query with an answer than for one
// without.
func Evaluate(model []byte, dir string) (string, error) {
	m, err := builtin.Parse(model)
	if err != nil {
		return "", err
	}
	c := collection{model: m}
	if err := c.read(dir); err != nil {
		return "", err
	}
	var n, ndcg, hit float64
	var answered, unanswered []float64
	for _, q := range c.queries {
		if right := c.relevant[q.ID]; len(right) > 0 {
			found, top := c.rank(q, right)
			n++
			ndcg += found.ndcg(len(right))
			hit += found.hit5()
			answered = append(answered, top)
		}
	}
	result := fmt.Sprintf("NDCG@10 %5.1f hit@5 %5.1f (%.0f queries)", 100*ndcg/n, 100*hit/n, n)
	for _, q := range c.negative {
		_, top := c.rank(q, nil)
		unanswered = append(unanswered, top)
	}
	if len(unanswered) > 0 {
		result += fmt.Sprintf(" AUC %.3f", auc(answered, unanswered))
	}
	return result, nil
}

// A collection is a test collection with the vectors of its documents.
type collection struct {
	model             *builtin.Model
	docs              []collectionLine
	queries, negative []collectionLine
	relevant          map[string]map[string]bool // query, document
	vectors           [][]float32
}

func (c *collection) read(dir string) error {
	var qrels []collectionLine
	for name, to := range map[string]*[]collectionLine{"docs": &c.docs, "queries": &c.queries, "qrels": &qrels, "queries_negative": &c.negative} {
		lines, err := readLines(filepath.Join(dir, name+".jsonl.gz"))
		if err != nil && !(name == "queries_negative" && errors.Is(err, os.ErrNotExist)) {
			return err
		}
		*to = lines
	}
	c.relevant = map[string]map[string]bool{}
	for _, q := range qrels {
		if c.relevant[q.Query] == nil {
			c.relevant[q.Query] = map[string]bool{}
		}
		c.relevant[q.Query][q.Doc] = true
	}
	for _, d := range c.docs {
		c.vectors = append(c.vectors, c.embed(d.Title+"\n"+d.Text))
	}
	return nil
}

func (c *collection) embed(text string) []float32 {
	v := make([]float32, c.model.Dims())
	c.model.Embed(v, text)
	return v
}

// auc returns the share of pairs in which the first number is higher; ties count half.
func auc(high, low []float64) float64 {
	var won float64
	for _, h := range high {
		for _, l := range low {
			switch cmp.Compare(h, l) {
			case 1:
				won++
			case 0:
				won += 0.5
			}
		}
	}
	return won / float64(len(high)*len(low))
}

// A ranking says for each of the first ten documents whether it is relevant.
type ranking []bool

func (r ranking) ndcg(right int) float64 {
	var got, ideal float64
	for i := range 10 {
		gain := 1 / math.Log2(float64(i)+2)
		if i < len(r) && r[i] {
			got += gain
		}
		if i < right {
			ideal += gain
		}
	}
	return got / ideal
}

func (r ranking) hit5() float64 {
	if slices.Contains(r[:min(5, len(r))], true) {
		return 1
	}
	return 0
}

// rank returns the first ten documents for a query and the best cosine.
func (c *collection) rank(q collectionLine, right map[string]bool) (ranking, float64) {
	v := c.embed(q.Text)
	type scored struct {
		cosine float32
		right  bool
	}
	var all []scored
	for i, d := range c.docs {
		if q.Scope == "" || q.Scope == d.Scope {
			all = append(all, scored{dot(v, c.vectors[i]), right[d.ID]})
		}
	}
	if len(all) == 0 {
		return nil, 0
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.cosine, a.cosine) })
	var first ranking
	for _, s := range all[:min(10, len(all))] {
		first = append(first, s.right)
	}
	return first, float64(all[0].cosine)
}

func readLines(path string) ([]collectionLine, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	packed, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var out []collectionLine
	for d := json.NewDecoder(packed); ; {
		var l collectionLine
		if err := d.Decode(&l); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		out = append(out, l)
	}
}
