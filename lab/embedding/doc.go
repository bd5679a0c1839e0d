// Package embedding makes the built-in embedding model from developer text.
//
// A corpus consists of commit messages, sections of documentation and pairs
// from a dictionary, to which comes what was written for recollect: memories
// with the prompts that ask for them, names of things, and everyday prompts
// that no memory answers. From it come pairs
// of texts with the same meaning: a commit's subject and its body, a heading
// and its section, neighbouring paragraphs, a sentence and the rest of its
// paragraph, a word and its gloss. Training moves the two texts of a pair
// together and all others in the batch apart (InfoNCE, van den Oord et al.
// 2018, in both directions).
//
// Two measures make the model learn meaning rather than spelling. Words that a
// pair has in common are often removed from its query, and a second stage adds
// BM25 to the logits, so that the model only learns what the words do not
// show. The result is the average of both stages.
//
// The same corpus, settings and architecture give the same bytes.
package embedding
