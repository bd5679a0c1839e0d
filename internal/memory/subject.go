package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// The tags of decisions say how they were taken.
const (
	TagPlan     = "plan"
	TagAnswer   = "answer"
	TagCommit   = "commit"
	TagDecision = "decision"
)

// TagModel marks what a model found in a turn, of any source.
const TagModel = "model"

// How the titles of preferences and decisions begin. What follows is what was
// said.
const (
	TitleWants   = "The user wants: "
	TitleSaid    = "The user said: "
	TitleDecided = "Decided: "
)

// SetSubject makes m the memory of a subject, whatever turn speaks of it and
// in which words: what has the same source, project and subject is one memory.
func (m *Memory) SetSubject(subject ...string) {
	where := cmp.Or(m.ProjectRemote, m.ProjectPath, m.Project)
	h := sha256.New()
	for _, part := range append([]string{string(m.Source), where}, subject...) {
		fmt.Fprintf(h, "%d:%s", len(part), strings.ToLower(part))
	}
	m.ContentHash = hex.EncodeToString(h.Sum(nil))
}
