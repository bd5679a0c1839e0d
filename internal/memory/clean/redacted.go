package clean

import (
	"encoding/json"

	"recollect/internal/memory"
	"recollect/internal/memory/secret"
)

// HasSecret reports whether a line of a file contains a secret.
func HasSecret(line []byte) bool {
	s := string(line)
	return secret.Redact(s) != s
}

// Redacted returns how many secrets of each kind were removed from a memory to make c.
func (c Memory) Redacted(from memory.Memory) map[string]int {
	m := c.record
	if from.Title == "" {
		m.Title = "" // it was made from the text
	}
	kinds := secret.Kinds(asText(m))
	for kind, n := range secret.Kinds(asText(from)) {
		if kinds[kind] -= n; kinds[kind] <= 0 {
			delete(kinds, kind)
		}
	}
	return kinds
}

// asText returns all texts of a memory.
func asText(m memory.Memory) string {
	b, err := json.Marshal(m)
	if err != nil {
		return "" // a time cannot be written, so the memory is not stored either
	}
	return string(b)
}
