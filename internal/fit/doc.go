// Package fit finds the coefficients of relevance: how much each feature of a
// candidate counts. It is run by hand, through scripts/train, and writes a
// file of package recall.
//
// A set is a test collection with the candidates that recall finds in it. Half
// of them are development collections, made here from commits and
// documentation of repositories that the built-in embedder was not trained on,
// because on texts that it knows it looks better than it is. The others are
// published ones. Sets without a free licence are evaluated and never fitted
// on. A kind is a set of coefficients: "builtin" for memories with a vector of
// the built-in embedder, "off" for words alone.
package fit
