// Package embedding trains the built-in embedding model on text of developers.
//
// A corpus consists of commit messages, sections of documentation, pairs from a dictionary, and text
// written for recollect: memories with prompts that ask for them, names of things, and everyday prompts
// that no memory answers. It gives pairs of texts with the same meaning: a commit's subject and its body,
// a heading and its section, neighbouring paragraphs, a sentence and the rest of its paragraph, a word
// and its gloss. Training moves the two texts of a pair together and all others in the batch apart
// (InfoNCE, van den Oord et al. 2018, in both directions).
//
// Two measures make the model learn meaning rather than spelling. The query often loses words that it
// shares with its body, and a second stage adds BM25 to the logits, so that the model learns only what
// the words do not show. The result is the average of both stages.
//
// The same corpus, settings and architecture give the same bytes.
package embedding
