package embed

import "strings"

// prefixes are what a model wants to read before a text, so that it knows a
// question from an answer. Without them such a model finds noticeably less.
type prefixes struct {
	query    string
	document string
}

const represent = "Represent this sentence for searching relevant passages: "

// prefixesOf returns the prefixes of the model whose name or folder contains
// one of the names below, as its authors state them. Other models get none.
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
		{"arctic-embed", prefixes{represent, ""}},
		{"mxbai-embed-large", prefixes{represent, ""}},
		{"bge-small-en", prefixes{represent, ""}},
		{"bge-base-en", prefixes{represent, ""}},
		{"bge-large", prefixes{represent, ""}},
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
