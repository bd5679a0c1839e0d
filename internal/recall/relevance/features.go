package relevance

// A Feature is one piece of evidence for or against a memory mattering to a prompt. All lie
// in [0, 1], except order, distance and behind, and those that are signed, which lie in [−1, 1].
type Feature int

const (
	Coverage      Feature = iota // share of the prompt's rarity that the memory has; a synonym counts less than the word itself
	Strength                     // BM25 against the best that the prompt could reach
	Order                        // BM25 with the bonuses for title and pairs, against the best candidate's, in [0, 3.5]; see compareWith
	Cosine                       // of prompt and memory, 0 where it is negative or unknown, × 1/turns of its session
	Closeness                    // how far the cosine stands out from the mean of those found by meaning, × the same, signed
	Adjacent                     // share of the prompt's neighbouring words that the memory has as neighbours too
	Title                        // share of the prompt's rarity that stands in the memory's title
	Rarest                       // share of the prompt's three rarest words that the memory has
	Identifier                   // share of the prompt's rarity that lies in identifiers, acronyms and numbers that the memory has
	Neighbour                    // strength of the turns before and after, in the same session
	OfSession                    // coverage by the session's other turns of what the memory lacks
	WholeSession                 // coverage by all of the session
	Speaker                      // the prompt names who said it
	Dated                        // it happened when the prompt says
	LongCoverage                 // coverage × length of the prompt
	LongStrength                 // strength × length of the prompt
	LongOrder                    // order × length of the prompt
	LongCosine                   // cosine × length of the prompt
	LongCloseness                // closeness × the same, signed
	Length                       // of the prompt
	Distance                     // of the cosine from the mean of the store's, in sixths of the standard deviation, signed
	Behind                       // its distance less the nearest candidate's, × how few of the prompt's rarest words any has: see setBehind
	Size                         // of the store: log10 of how many memories there are, in sixths; those of other projects count less
	Everyday                     // probability that the prompt is complete in itself
	Similar                      // share of the prompt's rarity in words that the memory lacks, as far as it has one like them
	Window                       // how far the nearest window of the memory stands out of its windows, × 1/turns × how short the prompt is, in [−1, 0.5]
	FeatureCount
)

// Names are the names of the features in explanations and coefficients.
var Names = [FeatureCount]string{
	"coverage", "strength", "order", "cosine", "closeness", "adjacent", "title", "rarest", "identifier",
	"neighbour", "session", "whole_session", "speaker", "dated",
	"long_coverage", "long_strength", "long_order", "long_cosine", "long_closeness", "length", "distance", "behind", "size", "everyday", "similar", "window",
}

// coefficients are a model as coefficients.go has it, with the weights by name
// of the feature.
type coefficients struct {
	bias    float64
	weights map[string]float64
}

// Ratio returns part / whole, limited to [0, 1].
func Ratio(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return max(0, min(1, part/whole))
}

// Evidence is what speaks for or against a memory mattering to a prompt.
type Evidence struct {
	Met       []float64 // how far it meets each clause of the query, in [0, 1]
	BM25      float64
	Embedded  bool // it has a vector
	Cosine    float64
	Closeness float64 // how far the cosine is above the mean of what meaning found
	Distance  float64 // how many standard deviations the cosine is above the mean of the store's
	Features  [FeatureCount]float64

	others float64 // share of the other turns in its session, in [0, 1]; 0 where it is alone
}

// setMeaning sets the features that the vectors give.
func (e *Evidence) setMeaning() {
	f, own := &e.Features, 1-e.others
	f[Cosine], f[Closeness] = own*max(0, e.Cosine), own*e.Closeness
	f[Distance] = own * min(1.5, e.Distance/6)
	f[LongCosine] = f[Cosine] * f[Length]
	f[LongCloseness] = f[Closeness] * f[Length]
}

// SetOthers sets the share of the other turns in its session. The meaning of a turn
// depends on them, so its own vector counts for the rest.
func (e *Evidence) SetOthers(others float64) {
	e.others = others
	e.setMeaning()
}
