package capture

import (
	"testing"

	"recollect/internal/memory"
)

// A candidate becomes a memory when another session says the same, and not when its own does.
func TestCandidateStands(t *testing.T) {
	refused := func(m memory.Memory) memory.Memory {
		m.Refuse("a reader took it for an order")
		return m
	}
	wish := func(session string, pending bool) memory.Memory {
		m := memory.Memory{ID: "pref-1", Source: memory.Preferences, Title: "Wants: blue headers", Session: session, Turn: session, Candidate: 0.3}
		m.SetPending(true)
		if !pending {
			m.SetPending(false)
		}
		return m
	}
	for _, tt := range []struct {
		name       string
		old, fresh memory.Memory
		stands     bool
	}{
		{"said again in its session", wish("s1", true), wish("s1", true), false},
		{"said again in another", wish("s1", true), wish("s2", true), true},
		{"said without doubt", wish("s1", true), wish("s1", false), true},
		{"refused, and said again in another", refused(wish("s1", true)), wish("s2", true), false},
		{"refused, and said without doubt", refused(wish("s1", true)), wish("s2", false), true},
		{"stood already", wish("s1", false), wish("s2", true), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.old
			decidePending(&m, tt.old, tt.fresh)
			if m.Pending == tt.stands || m.IsCandidate() == tt.stands {
				t.Errorf("pending %t, candidate %v", m.Pending, m.Candidate)
			}
		})
	}
	waits := wish("s1", true)
	waits.Candidate = 0
	m := waits
	if decidePending(&m, waits, wish("s2", true)); !m.Pending || m.IsCandidate() {
		t.Error("what waits for review no longer does")
	}
}
