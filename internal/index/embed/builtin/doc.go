// Package builtin turns text into vectors without a model server, using a
// static embedding model that is trained from scratch by lab/cmd/train and linked
// into the executable.
//
// A text is divided into tokens. Each token has a row, a short vector whose
// length is the weight of the token, so that "the" has almost no influence.
// The row of a word that the model does not know is the scaled sum of the rows
// of its n-grams, the pieces of three to five characters, hashed into a fixed
// number of buckets. The text's vector is the sum of its tokens' rows, scaled
// to length 1. The cosine of two texts is then the dot product of their
// vectors.
//
// The trainer uses this package's Scanner, Vocabulary and Grams, because texts
// must be divided in the same way as in training.
package builtin
