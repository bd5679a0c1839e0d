package fit

import (
	"fmt"
	"maps"
	"slices"
)

// A Kind is one set of coefficients: what is fitted and what is given.
type Kind struct {
	Name  string             // of the embedder, as recall has it
	Fixed map[string]float64 // by feature: coefficients that are not fitted
	Off   []string           // features that count nothing
}

// Builtin is the kind of memories with a vector of the built-in embedder.
func Builtin() Kind { return Kind{Name: "builtin", Fixed: given()} }

// Words is the kind of words alone.
func Words() Kind { return Kind{Name: "off", Fixed: given(), Off: vectorFeatures()} }

// given are the coefficients that the collections cannot tell. No query there
// is one name that one memory has: coverage and identifier keep that memory
// above those that have a name like it. Of turns in their session there are too
// few with a licence, and who said something and when no query asks: a turn
// whose neighbours have the words stands before one that stands alone, and
// being named counts about as much as half of the words.
func given() map[string]float64 {
	return map[string]float64{
		"coverage":      3,
		"identifier":    3,
		"neighbour":     1,
		"session":       2.5,
		"whole_session": 1,
		"speaker":       2,
		"dated":         1,
	}
}

// vectorFeatures are those that need a vector.
func vectorFeatures() []string {
	return []string{"cosine", "closeness", "long_cosine", "long_closeness"}
}

// signs are the directions that features must not be fitted against: what a
// prompt's own words and meaning say speaks for a memory, and the longer the
// prompt, the less its meaning as a whole.
func signs() map[string]float64 {
	return map[string]float64{
		"coverage": 1, "strength": 1, "order": 1, "cosine": 1, "adjacent": 1, "title": 1, "rarest": 1, "identifier": 1,
		"neighbour": 1, "session": 1, "whole_session": 1, "speaker": 1, "dated": 1,
		"long_cosine": -1, "long_closeness": -1,
	}
}

// near are the features that grow with the cosine of prompt and memory, and
// those that change how much they count, wholly in the longest prompt. Changes
// may be negative, but not more so than near is positive: the nearer of two
// memories must not count less.
func near() (plain, changes []string) {
	return []string{"cosine", "closeness"}, []string{"long_cosine", "long_closeness"}
}

// beginnings are the coefficients from which the fit starts; others start at 0.
func beginnings() map[string]float64 {
	return map[string]float64{"coverage": 2, "strength": 4, "cosine": 2}
}

// firstBias is the bias from which the fit starts: a memory of which nothing
// is known does not bear on the prompt.
const firstBias = -4

// bounds are what a Kind says, by number of the feature.
type bounds struct {
	held    []bool    // not fitted
	signs   []float64 // 1, −1, or 0 for either
	begin   []float64
	near    []int // see near
	changes []int // likewise
}

// bounds returns what k says of the features with these names. A name that is
// not among them is an error: the feature was renamed or removed, and the
// tables above must follow.
func (k Kind) bounds(names []string) (b bounds, err error) {
	n := len(names)
	b = bounds{held: make([]bool, n), signs: make([]float64, n), begin: make([]float64, n)}
	if err := each(names, signs(), func(i int, v float64) { b.signs[i] = v }); err != nil {
		return b, err
	}
	if err := each(names, beginnings(), func(i int, v float64) { b.begin[i] = v }); err != nil {
		return b, err
	}
	if err := each(names, k.Fixed, func(i int, v float64) { b.begin[i], b.held[i] = v, true }); err != nil {
		return b, err
	}
	plain, changes := near()
	if b.near, err = find(names, plain); err != nil {
		return b, err
	}
	if b.changes, err = find(names, changes); err != nil {
		return b, err
	}
	off := map[string]float64{}
	for _, name := range k.Off {
		off[name] = 0
	}
	err = each(names, off, func(i int, v float64) { b.begin[i], b.held[i] = v, true })
	return b, err
}

func each(names []string, table map[string]float64, use func(i int, v float64)) error {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("feature %q: recall has none of that name", name)
		}
		use(i, table[name])
	}
	return nil
}

// find returns the numbers of the features with these names.
func find(all, names []string) ([]int, error) {
	var found []int
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			return nil, fmt.Errorf("feature %q: recall has none of that name", name)
		}
		found = append(found, i)
	}
	return found, nil
}

// Check reports a feature in the tables of this package that recall does not
// have.
func Check(names []string, kinds ...Kind) error {
	for _, k := range kinds {
		if _, err := k.bounds(names); err != nil {
			return fmt.Errorf("coefficients %s: %w", k.Name, err)
		}
	}
	return nil
}
