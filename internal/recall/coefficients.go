package recall

// models holds the coefficients by kind of embedder. They were fitted on
// queries whose answers are known, from collections with a free licence: a
// softmax over the candidates of a query orders them, and a logistic loss on
// the best of each query, answerable or not, makes the sum a probability.
//
// Coefficients of what a prompt's own words say must not be negative. Four are
// not fitted, because the collections cannot tell: a turn's surroundings
// (neighbour, session), and that the prompt names who said something or when.
var models = map[string]*model{
	wordsAlone: {bias: -5.76, weights: [features]float64{
		featCoverage:           0.51,
		featStrength:           5.91,
		featAdjacent:           2.25,
		featTitle:              1.97,
		featRarest:             0.53,
		featEvidence:           1.73,
		featIdentifier:         0.23,
		featSession:            3.58,
		featSpeaker:            2,
		featDated:              1,
		featLongPromptCoverage: 4.90,
		featLength:             1.74,
		featUnknown:            1.07,
	}},
	"builtin": {bias: -5.28, weights: [features]float64{
		featCoverage:           0.03,
		featStrength:           4.50,
		featCosine:             3.11,
		featCloseness:          4.77,
		featAdjacent:           1.97,
		featTitle:              0.37,
		featRarest:             0.89,
		featEvidence:           2.05,
		featNeighbour:          0.50,
		featSession:            2.50,
		featSpeaker:            2,
		featDated:              1,
		featLongPromptCoverage: 2.89,
		featLongPromptCosine:   1.49,
		featLength:             -1.48,
		featUnknown:            0.84,
	}},
}
