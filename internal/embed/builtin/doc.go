// Package builtin turns text into vectors without a model server: a static
// embedding model, trained from scratch by cmd/train and linked into the
// executable.
//
// A text becomes tokens. Each token has a row, a short vector whose length says
// how much the token weighs, so that "the" counts next to nothing. A word that
// the model does not know gets the scaled sum of the rows of its n-grams, the
// pieces of three to five characters, hashed into a fixed number of buckets.
// The text's vector is the sum of its tokens' rows, brought to length 1. The
// cosine of two texts is then the dot product of their vectors.
//
// The trainer uses this package's Scanner, Vocabulary and Grams, because a
// model only understands text that is cut the way it was trained on.
package builtin
