package consolidate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// maxConfirmed bounds the list of turns that confirmed a memory. Beyond it
// nothing is learned from one more.
const maxConfirmed = 63

// maxListed bounds the files that a memory lists once others of its kind have
// added theirs.
const maxListed = 8

// Confirm returns old as it is once fresh, of the same id, is known as well.
// What another turn says makes it more certain and fills in what it lacks,
// but its words stay: they may be the user's. What the same turn says
// replaces it only if the turn has grown since.
func Confirm(old, fresh memory.Memory, grown bool) memory.Memory {
	switch fresh.Source {
	case memory.Handoffs:
		return newerOf(old, fresh, grown)
	case memory.Registry, memory.Team:
		return refreshText(old, fresh)
	}
	if fresh.Turn == "" || old.Turn == fresh.Turn {
		if !grown {
			return old
		}
		if fresh.Source == memory.Goals {
			fresh.Tags = statusOf(old, fresh)
		}
		fresh.ConfirmedBy, fresh.LastSeen, fresh.RecordedAt = old.ConfirmedBy, old.LastSeen, old.RecordedAt
		if fresh.Title == old.Title && fresh.Text == old.Text {
			fresh.Supersedes = old.Supersedes // else what it supersedes is found anew
		}
		if len(old.ConfirmedBy) > 0 {
			fresh.Confidence = max(fresh.Confidence, old.Confidence)
		}
		return fresh
	}
	if grown || !slices.Contains(old.ConfirmedBy, fresh.Turn) {
		if old.Source == memory.Failures && old.Fields["fix"] == "" && fresh.Fields["fix"] != "" {
			return keepFix(old, fresh)
		}
		old = FillIn(old, fresh)
		old.Tags = statusOf(old, fresh)
	}
	turns := len(old.ConfirmedBy)
	old = confirmedBy(old, fresh.Turn)
	if at := fresh.When(); at.After(old.When()) && len(old.ConfirmedBy) > turns {
		old.LastSeen = at
	}
	return old
}

// confirmedBy returns m as it is once one more turn said the same. The turns
// are kept in the order of their names, so that it does not matter which of
// them was read first.
func confirmedBy(m memory.Memory, turn string) memory.Memory {
	if turn == "" || turn == m.Turn {
		return m
	}
	if slices.Contains(m.ConfirmedBy, turn) || len(m.ConfirmedBy) >= maxConfirmed {
		return m
	}
	m.ConfirmedBy = slices.Sorted(slices.Values(append(slices.Clone(m.ConfirmedBy), turn)))
	m.Confidence = raiseConfidence(m.Confidence)
	return m
}

// keepFix returns the memory of a failure once a turn has put it right that none
// did before. It becomes the memory of that turn: what another turn does in
// the same manner makes a pattern of it, and this one, read again, does not.
func keepFix(old, fresh memory.Memory) memory.Memory {
	m, last, turns := FillIn(old, fresh), old.When(), append([]string{old.Turn}, old.ConfirmedBy...)
	if error := old.Fields["error"]; isTitleOf(old.Title, error) && isTitleOf(fresh.Title, error) {
		m.Title = fresh.Title
	}
	m.Text = cmp.Or(m.Text, fresh.Text)
	m.Session, m.Turn, m.Agent, m.Client = fresh.Session, fresh.Turn, fresh.Agent, fresh.Client
	m.OccurredAt, m.LastSeen, m.Evidence = fresh.OccurredAt, time.Time{}, fresh.Evidence
	if last.After(m.OccurredAt) {
		m.LastSeen = last
	}
	m.ConfirmedBy, m.Confidence = nil, fresh.Confidence
	for _, turn := range turns {
		m = confirmedBy(m, turn)
	}
	m.Confidence = max(m.Confidence, old.Confidence)
	return m
}

// isTitleOf reports whether a title is as capture makes it of an error, and not as
// a user wrote it.
func isTitleOf(title, error string) bool {
	_, line, ok := strings.Cut(title, "` fails: ")
	line, _, _ = strings.Cut(line, memory.TitleFix)
	return ok && strings.Contains(error, strings.TrimRight(line, " .:,…"))
}

// statusOf returns the tags of old once fresh is known: those of the newer
// record of a goal, because they say whether it is still open.
func statusOf(old, fresh memory.Memory) []string {
	if old.Source != memory.Goals || fresh.When().Before(old.When()) {
		return old.Tags
	}
	return fresh.Tags
}

// FillIn adds what old lacks and fresh has.
func FillIn(old, fresh memory.Memory) memory.Memory {
	fields := map[string]string{}
	maps.Copy(fields, fresh.Fields)
	maps.Copy(fields, old.Fields)
	if len(fields) > len(old.Fields) {
		old.Fields = fields
	}
	for _, file := range fresh.Files {
		if !slices.Contains(old.Files, file) && len(old.Files) < maxListed {
			old.Files = append(slices.Clone(old.Files), file)
		}
	}
	return old
}

// raiseConfidence is the confidence in what was said once more: each time a third of
// what is missing to certainty. Nothing is ever certain.
func raiseConfidence(confidence float64) float64 {
	if confidence == 0 {
		return 0 // it has no confidence
	}
	return min(0.99, confidence+(1-confidence)/3)
}

// Same reports whether two records say the same, whenever they were recorded.
func Same(a, b memory.Memory) bool {
	a.RecordedAt, b.RecordedAt = time.Time{}, time.Time{}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// newerOf returns the one of two records of a session's handoff that was made
// of more of it. Of the same part, old stays, because it may have been edited.
func newerOf(old, fresh memory.Memory, grown bool) memory.Memory {
	switch {
	case fresh.OccurredAt.Before(old.OccurredAt),
		fresh.OccurredAt.Equal(old.OccurredAt) && fresh.Turn == old.Turn && !grown:
		return old
	}
	fresh.Supersedes = old.Supersedes
	return fresh
}

// refreshText returns what is known of a project once its files were read again.
// As long as they say the same, old stays, because it may have been edited.
func refreshText(old, fresh memory.Memory) memory.Memory {
	if old.Evidence == fresh.Evidence {
		return old
	}
	fresh.Supersedes = old.Supersedes
	return fresh
}
