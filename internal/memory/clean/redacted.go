package clean

import (
	"encoding/json"

	"recollect/internal/memory"
	"recollect/internal/memory/secret"
)

// HasSecret reports whether a line of a file has a secret.
func HasSecret(line []byte) bool {
	s := string(line)
	return secret.Redact(s) != s
}

// Redacted returns how many secrets of each kind were taken out of a memory to make
// what c has of it.
func (c Memory) Redacted(from memory.Memory) map[string]int {
	m := c.record
	if from.Title == "" {
		m.Title = "" // it was made of the text
	}
	kinds := secret.Kinds(asText(m))
	for kind, n := range secret.Kinds(asText(from)) {
		if kinds[kind] -= n; kinds[kind] <= 0 {
			delete(kinds, kind)
		}
	}
	return kinds
}

// asText returns all that a memory says.
func asText(m memory.Memory) string {
	b, err := json.Marshal(m)
	if err != nil {
		return "" // it has no time that can be written, and is not stored either
	}
	return string(b)
}
