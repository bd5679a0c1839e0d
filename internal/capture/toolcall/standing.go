package toolcall

import (
	"hash/maphash"
	"slices"
	"sync/atomic"

	"recollect/internal/memory"
	"recollect/internal/text/activity"
)

// keptRules is how many rules are held as they were read, half a kilobyte each: calls meet the same ones again.
const keptRules = 512

var ruleSeed = maphash.MakeSeed()

// Rules hold the standing rules that were read last. The zero value is empty. It is safe for concurrent use.
type Rules [keptRules]atomic.Pointer[standingRule]

// A standingRule is a rule as it is read.
type standingRule struct {
	text       string
	tags       []string
	subject    activity.Subject
	activities []string
}

func readRule(m *memory.Memory) *standingRule {
	text := activity.Statement(m)
	return &standingRule{text, m.Tags, activity.SubjectOf(text), activity.Of(m)}
}

// of returns a rule as it is read. Without Rules it is read anew.
func (r *Rules) of(m *memory.Memory) *standingRule {
	if r == nil {
		return readRule(m)
	}
	text := activity.Statement(m)
	slot := &r[maphash.String(ruleSeed, text)%keptRules]
	if known := slot.Load(); known != nil && known.text == text && slices.Equal(known.tags, m.Tags) {
		return known
	}
	rule := readRule(m)
	slot.Store(rule)
	return rule
}

// Forget drops all rules.
func (r *Rules) Forget() {
	for i := range r {
		r[i].Store(nil)
	}
}
