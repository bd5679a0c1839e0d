package recall

// A feature is one piece of evidence for or against a memory bearing on a prompt. All lie
// in [0, 1], except order, distance and behind, and those that are signed, which lie in [−1, 1].
type feature int

const (
	featCoverage      feature = iota // share of the prompt's rarity that the memory has; a synonym counts less than the word itself
	featStrength                     // BM25 against the best that the prompt could reach
	featOrder                        // BM25 with the bonuses for title and pairs, against the best candidate's, in [0, 3.5]; see compareWith
	featCosine                       // of prompt and memory, 0 where it is negative or unknown, × 1/turns of its session
	featCloseness                    // how far the cosine stands out from the mean of those found by meaning, × the same, signed
	featAdjacent                     // share of the prompt's neighbouring words that the memory has as neighbours too
	featTitle                        // share of the prompt's rarity that stands in the memory's title
	featRarest                       // share of the prompt's three rarest words that the memory has
	featIdentifier                   // share of the prompt's rarity that lies in identifiers, acronyms and numbers that the memory has
	featNeighbour                    // strength of the turns before and after, in the same session
	featSession                      // coverage by the session's other turns of what the memory lacks
	featWholeSession                 // coverage by all of the session
	featSpeaker                      // the prompt names who said it
	featDated                        // it happened when the prompt says
	featLongCoverage                 // coverage × length of the prompt
	featLongStrength                 // strength × length of the prompt
	featLongOrder                    // order × length of the prompt
	featLongCosine                   // cosine × length of the prompt
	featLongCloseness                // closeness × the same, signed
	featLength                       // of the prompt
	featDistance                     // of the cosine from the mean of the store's, in sixths of the standard deviation, signed
	featBehind                       // its distance less the nearest candidate's, × how few of the prompt's rarest words any has: see setBehind
	featSize                         // of the store: log10 of how many memories there are, in sixths; those of other projects count less
	featEveryday                     // probability that the prompt is complete in itself
	featSimilar                      // share of the prompt's rarity in words that the memory lacks, as far as it has one like them
	featWindow                       // how far the nearest window of the memory stands out of its windows, × 1/turns × how short the prompt is, in [−1, 0.5]
	featureCount
)

// featureNames are the names of the features in explanations and coefficients.
var featureNames = [featureCount]string{
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

// ratio returns part / whole, limited to [0, 1].
func ratio(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return max(0, min(1, part/whole))
}
