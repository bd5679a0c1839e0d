package nesting

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// maxJSON is how deep JSON may nest, as in encoding/json. gjson recurses for each bracket: megabytes of
// them overflow the stack, which ends the process and cannot be caught.
const maxJSON = 10_000

// ValidJSON reports whether a text is one JSON value that nests no deeper than encoding/json allows.
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
