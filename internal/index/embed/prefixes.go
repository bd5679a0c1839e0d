package embed

import (
	"strings"

	"recollect/internal/index/embed/bert"
)

// prefixes are the texts that a model expects before a query and before a document, to distinguish the
// two. Without them such a model finds noticeably less.
type prefixes struct {
	query    string
	document string
}

const bgePrefix = "Represent this sentence for searching relevant passages: "

// prefixesOf returns the prefixes of the model whose name or folder contains one of the names below, as
// its authors state them. Other models have none.
func prefixesOf(model string) prefixes {
	model = strings.ToLower(model)
	for _, known := range []struct {
		name string
		prefixes
	}{
		{"nomic-embed-text", prefixes{"search_query: ", "search_document: "}},
		{"embeddinggemma", prefixes{"task: search result | query: ", "title: none | text: "}},
		{"snowflake-arctic-embed2", prefixes{"query: ", ""}},
		{"arctic-embed-m-v2", prefixes{"query: ", ""}},
		{"arctic-embed-l-v2", prefixes{"query: ", ""}},
		{"arctic-embed", prefixes{bgePrefix, ""}},
		{"mxbai-embed-large", prefixes{bgePrefix, ""}},
		{"bge-small-en", prefixes{bgePrefix, ""}},
		{"bge-base-en", prefixes{bgePrefix, ""}},
		{"bge-large", prefixes{bgePrefix, ""}},
		{"mdbr-leaf", prefixes{bgePrefix, ""}},
		{"e5-small", prefixes{"query: ", "passage: "}},
		{"e5-base", prefixes{"query: ", "passage: "}},
		{"e5-large", prefixes{"query: ", "passage: "}},
	} {
		if strings.Contains(model, known.name) {
			return known.prefixes
		}
	}
	return prefixes{}
}

// prefixesIn returns the prefixes of the model in a folder: those stated in its files, or else those for
// its name.
func prefixesIn(folder string) (p prefixes, err error) {
	p.query, p.document, err = bert.Prompts(folder)
	if p == (prefixes{}) {
		p = prefixesOf(folder)
	}
	return p, err
}
