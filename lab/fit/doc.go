// Package fit determines the coefficients of the relevance model: how much
// each feature of a candidate contributes. It is run by hand, through
// scripts/train, and writes a file of package relevance.
//
// A set is a test collection with the candidates that recall finds in it. Half
// of the sets are development collections, made here from commits and
// documentation of repositories on which the built-in embedder was not
// trained, because its results on its own training texts are too good. The
// others are published collections. Sets without a free licence are used for
// evaluation only. A kind is a set of coefficients: "builtin" for memories
// with a vector of the built-in embedder, "off" for words alone.
package fit
