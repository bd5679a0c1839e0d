package capture

import (
	"maps"
	"slices"

	"recollect/internal/memory"
)

// maxConfirmed bounds the list of turns that confirmed a memory. Beyond it
// nothing is learned from one more.
const maxConfirmed = 63

// confirm returns old as it is once fresh, of the same id, is known as well.
// What another turn says makes it more certain and fills in what it lacks,
// but its words stay: they may be the user's. What the same turn says
// replaces it only if the turn has grown since.
func confirm(old, fresh memory.Memory, grown bool) memory.Memory {
	if fresh.Turn == "" || old.Turn == fresh.Turn {
		if !grown {
			return old
		}
		fresh.ConfirmedBy, fresh.LastSeen, fresh.RecordedAt = old.ConfirmedBy, old.LastSeen, old.RecordedAt
		fresh.Supersedes = old.Supersedes
		if len(old.ConfirmedBy) > 0 {
			fresh.Confidence = max(fresh.Confidence, old.Confidence)
		}
		return fresh
	}
	if grown || !slices.Contains(old.ConfirmedBy, fresh.Turn) {
		old = fillIn(old, fresh)
	}
	if slices.Contains(old.ConfirmedBy, fresh.Turn) || len(old.ConfirmedBy) >= maxConfirmed {
		return old
	}
	old.ConfirmedBy = append(slices.Clone(old.ConfirmedBy), fresh.Turn)
	old.Confidence = surer(old.Confidence)
	if at := fresh.When(); at.After(old.When()) {
		old.LastSeen = at
	}
	return old
}

// fillIn adds what old lacks and fresh has.
func fillIn(old, fresh memory.Memory) memory.Memory {
	fields := maps.Clone(fresh.Fields)
	maps.Copy(fields, old.Fields)
	if len(fields) > len(old.Fields) {
		old.Fields = fields
	}
	for _, file := range fresh.Files {
		if !slices.Contains(old.Files, file) && len(old.Files) < maxFiles {
			old.Files = append(slices.Clone(old.Files), file)
		}
	}
	return old
}

// surer is the confidence in what was said once more: each time a third of
// what is missing to certainty. Nothing is ever certain.
func surer(confidence float64) float64 {
	if confidence == 0 {
		return 0 // nobody said how sure it is
	}
	return min(0.99, confidence+(1-confidence)/3)
}
