package fit

import (
	"fmt"
	"maps"
	"slices"
)

// A Kind is one set of coefficients. It says which are fitted and which are fixed.
type Kind struct {
	Name  string             // name of the embedder, as in recall
	Fixed map[string]float64 // by feature: coefficients that are not fitted
	Off   []string           // features with a coefficient of 0
}

// Builtin returns the kind for memories with a vector of the built-in embedder.
func Builtin() Kind { return Kind{Name: "builtin", Fixed: fixedCoefficients()} }

// Words returns the kind for words alone.
func Words() Kind { return Kind{Name: "off", Fixed: fixedCoefficients(), Off: vectorFeatures()} }

// Other returns the kind for memories with a vector of any other embedder. Its cosines have another
// range, so only their distance from the others in the store counts.
func Other() Kind {
	return Kind{Name: "other", Fixed: fixedCoefficients(), Off: []string{"cosine", "closeness", "long_cosine", "long_closeness", "window"}}
}

// hasMeaning reports whether memories of the kind have a vector.
func (k Kind) hasMeaning() bool { return !slices.Contains(k.Off, "distance") }

// fixedCoefficients returns the coefficients that the collections cannot determine. None of their queries
// is a name that occurs in a single memory; coverage and identifier rank that memory above those with a
// similar name. Too few licensed collections have turns with their session, speaker and date: a turn
// whose neighbours contain the words ranks above an isolated one, and being named contributes about half
// as much as containing the words.
func fixedCoefficients() map[string]float64 {
	return map[string]float64{
		"coverage":      3,
		"identifier":    5,
		"neighbour":     1,
		"session":       2.5,
		"whole_session": 1,
		"speaker":       2,
		"dated":         1,
	}
}

// vectorFeatures lists the features of memories with a vector.
func vectorFeatures() []string {
	return []string{"cosine", "closeness", "long_cosine", "long_closeness", "distance", "behind", "similar", "window"}
}

// signs returns the sign that the coefficient of a feature must have: common words and a common meaning
// increase the relevance of a memory, and the meaning of a longer prompt as a whole contributes less.
func signs() map[string]float64 {
	return map[string]float64{
		"coverage": 1, "strength": 1, "order": 1, "cosine": 1, "adjacent": 1, "title": 1, "rarest": 1, "identifier": 1,
		"neighbour": 1, "session": 1, "whole_session": 1, "speaker": 1, "dated": 1, "distance": 1, "behind": 1, "similar": 1, "window": 1,
		"long_cosine": -1, "long_closeness": -1, "everyday": -1,
	}
}

// similarityFeatures lists the features that grow with the cosine of prompt and memory, and those that
// modify their contribution, most strongly for the longest prompts. Modifications may be negative, but
// must not make the contribution of the cosine negative.
func similarityFeatures() (plain, changes []string) {
	return []string{"cosine", "closeness"}, []string{"long_cosine", "long_closeness"}
}

// startCoefficients returns the initial coefficients of the fit. All others start at 0.
func startCoefficients() map[string]float64 {
	return map[string]float64{"coverage": 2, "strength": 4, "cosine": 2}
}

// firstBias is the initial bias of the fit: without any evidence a memory is not relevant to the prompt.
const firstBias = -4

// bounds holds the constraints of a Kind, by number of the feature.
type bounds struct {
	held    []bool    // the coefficient is not fitted
	signs   []float64 // 1, −1, or 0 for either
	begin   []float64
	near    []int // numbers of the similarity features
	changes []int // numbers of the features that modify them
}

// bounds returns the constraints of k for the features with these names. It returns an error if a name in
// the tables above is missing, because the feature was renamed or removed.
func (k Kind) bounds(names []string) (b bounds, err error) {
	n := len(names)
	b = bounds{held: make([]bool, n), signs: make([]float64, n), begin: make([]float64, n)}
	if err := each(names, signs(), func(i int, v float64) { b.signs[i] = v }); err != nil {
		return b, err
	}
	if err := each(names, startCoefficients(), func(i int, v float64) { b.begin[i] = v }); err != nil {
		return b, err
	}
	if err := each(names, k.Fixed, func(i int, v float64) { b.begin[i], b.held[i] = v, true }); err != nil {
		return b, err
	}
	plain, changes := similarityFeatures()
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
			return fmt.Errorf("feature %q: unknown to recall", name)
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
			return nil, fmt.Errorf("feature %q: unknown to recall", name)
		}
		found = append(found, i)
	}
	return found, nil
}

// Check returns an error if a table of this package names a feature that recall lacks.
func Check(names []string, kinds ...Kind) error {
	for _, k := range kinds {
		if _, err := k.bounds(names); err != nil {
			return fmt.Errorf("coefficients %s: %w", k.Name, err)
		}
	}
	return nil
}
