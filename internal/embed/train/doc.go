// Package train makes the built-in embedding model from developer text.
//
// A corpus is commit messages, sections of documentation and pairs of a
// dictionary. It gives pairs of texts that mean the same: a commit's subject
// and its body, a heading and its section, neighbouring paragraphs, a sentence
// and the rest of its paragraph, a word and its gloss. Training pulls the two
// of a pair together and pushes apart whatever else is in the batch (InfoNCE,
// van den Oord et al. 2018, in both directions).
//
// Two things make the model see meaning rather than spelling. Words that a pair
// shares are often dropped from its query, and a second stage adds BM25 to the
// logits, so that only what words cannot tell is left to learn. The average of
// both stages is what is kept.
//
// The same corpus, settings and architecture give the same bytes.
package train
