// Package fit fits the coefficients of the relevance model, which say how much each feature of a
// candidate contributes. It is run by hand, through scripts/train, and writes a file of package
// relevance.
//
// A set is a test collection with the candidates that recall finds in it. Half of the sets are
// development collections, made here from commits and documentation of repositories outside the training
// of the built-in embedder, because its results on its own training texts are too good. The others are
// published collections; those without a free licence are used only for evaluation. A kind is a set of
// coefficients: "builtin" for memories with a vector of the built-in embedder, "off" for words alone.
package fit
