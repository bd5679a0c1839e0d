package recall

// models holds the coefficients by kind of embedder. They were fitted on
// queries whose answers are known, from collections with a free licence: a
// softmax over the candidates of a query orders them, and a logistic loss on
// the best of each query, answerable or not, makes the sum a probability.
//
// Coefficients of what a prompt's own words say must not be negative. Some are
// not fitted, because the collections cannot tell: coverage, so that a memory
// with the one word that was asked for stands above those that are merely
// alike; with the built-in embedder strength and a turn's surroundings
// (neighbour, session), which it would crowd out where it was trained; and that
// the prompt names who said something (speaker) or when (dated).
var models = map[string]*model{
	wordsAlone: {bias: -6.21, weights: [features]float64{
		featCoverage:           3.00,
		featStrength:           4.59,
		featAdjacent:           2.17,
		featTitle:              2.04,
		featRarest:             0.16,
		featEvidence:           1.12,
		featIdentifier:         0.23,
		featNeighbour:          0.01,
		featSession:            3.79,
		featSpeaker:            2.00,
		featDated:              1.00,
		featLongPromptCoverage: 3.32,
		featLength:             3.00,
		featUnknown:            1.17,
	}},
	"builtin": {bias: -5.99, weights: [features]float64{
		featCoverage:           3.00,
		featStrength:           4.50,
		featCosine:             2.83,
		featCloseness:          4.65,
		featAdjacent:           1.86,
		featTitle:              0.20,
		featRarest:             0.43,
		featEvidence:           1.55,
		featNeighbour:          0.50,
		featSession:            2.50,
		featSpeaker:            2.00,
		featDated:              1.00,
		featLongPromptCoverage: -0.65,
		featLongPromptCosine:   2.47,
		featLength:             -0.08,
		featUnknown:            1.09,
	}},
}
