package nesting

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// maxJSON is how deep JSON may nest, as for encoding/json. gjson calls itself for each bracket: some
// megabytes of them take more stack than there is, which ends the process and which no guard catches.
const maxJSON = 10_000

// ValidJSON reports whether a text is one JSON value, which nests no deeper than encoding/json allows.
func ValidJSON(text string) bool {
	if strings.Count(text, "{")+strings.Count(text, "[") > maxJSON {
		return json.Valid([]byte(text))
	}
	return gjson.Valid(text)
}

// ValidJSONBytes is ValidJSON for bytes.
func ValidJSONBytes(text []byte) bool {
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > maxJSON {
		return json.Valid(text)
	}
	return gjson.ValidBytes(text)
}
