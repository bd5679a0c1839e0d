package fit

import (
	"fmt"
	"strings"
	"text/template"

	"recollect/internal/system/durable"
	"recollect/lab/bench"
)

// A Curve says, for stores of one size, how often the best candidate is right, depending on its
// relevance.
type Curve struct {
	Title string
	Bins  []Bin
}

// A Bin counts queries whose best candidate has a relevance within a range.
type Bin struct {
	Predicted float64 // mean relevance, in [0, 1]
	Observed  float64 // share whose best candidate is right, in [0, 1]
	Queries   int     // in each collection, those with an answer weigh as much as those without
}

const (
	curveBins = 10 // bins of equal width
	fewest    = 15 // least number of queries in a bin that is shown
)

// curveSizes are the sizes of stores that have a curve. The last one stands for whole collections.
func curveSizes() []string { return []string{"20", "50", "200", "1000", ""} }

// Calibration returns the curve of each size of store. A model fitted on all others scores each published
// collection and the written memories.
func Calibration(sets []Set, names []string, k Kind) ([]Curve, error) {
	bins := map[string]*[curveBins]binSums{}
	for _, size := range curveSizes() {
		bins[size] = &[curveBins]binSums{}
	}
	for _, out := range append(licensed(), writtenName) {
		var others, left []Set
		for _, s := range sets {
			if collection, _ := parts(s.Name); collection == out {
				left = append(left, s)
			} else {
				others = append(others, s)
			}
		}
		m, err := Train(others, names, k)
		if err != nil {
			return nil, err
		}
		for _, s := range left {
			_, size := parts(s.Name)
			count(bins[size], m, s.fitting(k))
		}
	}
	var curves []Curve
	for _, size := range curveSizes() {
		c := Curve{Title: size + " memories"}
		if size == "" {
			c.Title = "whole collections"
		}
		for _, b := range bins[size] {
			if b.queries >= fewest {
				c.Bins = append(c.Bins, Bin{b.predicted / b.weight, b.right / b.weight, b.queries})
			}
		}
		curves = append(curves, c)
	}
	return curves, nil
}

type binSums struct {
	predicted, right, weight float64
	queries                  int
}

// count adds the queries of a set to bins.
func count(bins *[curveBins]binSums, m *Model, cases []bench.Case) {
	answered := 0
	for _, c := range cases {
		if len(c.Relevant) > 0 {
			answered++
		}
	}
	for _, c := range cases {
		best, right, weight := 0.0, 0.0, 1/float64(answered)
		if len(c.Relevant) == 0 {
			weight = 1 / float64(len(cases)-answered)
		}
		for i, e := range c.Candidates {
			if p := m.probability(e); p > best {
				best, right = p, 0
				if c.Relevant[c.Docs[i]] {
					right = weight
				}
			}
		}
		b := &bins[min(int(best*curveBins), curveBins-1)]
		b.predicted += best * weight
		b.right += right
		b.weight += weight
		b.queries++
	}
}

// parts divides a set's name COLLECTION[-SIZE].FIELD into the collection and the size of the stores drawn
// from it, "" for the whole collection.
func parts(name string) (collection, size string) {
	name, _, _ = strings.Cut(name, ".")
	for _, size := range curveSizes() {
		if collection, ok := strings.CutSuffix(name, "-"+size); ok && size != "" {
			return collection, size
		}
	}
	return name, ""
}

// picture draws the curves side by side. A probability of 1 is 100 units.
var picture = template.Must(template.New("").Funcs(template.FuncMap{
	"left":   func(i int) int { return 44 + 136*i },
	"x":      func(p float64) string { return fmt.Sprintf("%.1f", 100*p) },
	"y":      func(p float64) string { return fmt.Sprintf("%.1f", 100-100*p) },
	"radius": func(queries int) string { return fmt.Sprintf("%.1f", min(5, 1.5+float64(queries)/150)) },
}).Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 170" font-family="sans-serif" font-size="9">
<rect width="720" height="170" fill="#fff"/>
{{range $i, $c := .}}<g transform="translate({{left $i}} 26)">
<text x="50" y="-8" text-anchor="middle" font-size="10">{{.Title}}</text>
<path d="M0 0V100H100" fill="none" stroke="#444"/><path d="M0 100L100 0" stroke="#bbb" stroke-dasharray="3 3"/>
<text x="0" y="112" text-anchor="middle">0</text><text x="100" y="112" text-anchor="middle">1</text>
<text x="-4" y="103" text-anchor="end">0</text><text x="-4" y="3" text-anchor="end">1</text>
<polyline fill="none" stroke="#06c" points="{{range .Bins}}{{x .Predicted}},{{y .Observed}} {{end}}"/>
{{range .Bins}}<circle cx="{{x .Predicted}}" cy="{{y .Observed}}" r="{{radius .Queries}}" fill="#06c"><title>{{.Queries}} prompts</title></circle>
{{end}}</g>
{{end}}<text x="360" y="160" text-anchor="middle">relevance of the best memory (across) and share of prompts for which it is right (up)</text>
</svg>
`))

// WriteCurves writes the picture of the curves, an SVG file.
func WriteCurves(path string, curves []Curve) error {
	var b strings.Builder
	if err := picture.Execute(&b, curves); err != nil {
		return fmt.Errorf("draw %s: %w", path, err)
	}
	if err := durable.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write curves: %w", err)
	}
	return nil
}
