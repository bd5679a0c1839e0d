package memory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"
)

// A Stamp orders one version of a memory among those of other machines. A store that was never
// synchronized writes no stamps; a version without a stamp is the oldest.
type Stamp struct {
	Writer string `json:"writer,omitempty"` // the machine that made this version
	Clock  uint64 `json:"clock,omitempty"`  // Lamport clock: larger than all that the machine had seen
	Base   uint64 `json:"base,omitempty"`   // the clock of the last version from another machine that this one replaced
	Life   uint32 `json:"life,omitempty"`   // how often the memory was stored again after it was forgotten

	// Settled is a clock: the user chose this version, or an earlier one, knowing all versions up to it.
	Settled uint64 `json:"settled,omitempty"`
}

// MaxClock is the largest valid clock. No store comes near it. A larger one was made up, and counts as
// none, so that it does not win forever.
const MaxClock = 1 << 46

// Counted returns the clock of s, or 0 if it is invalid.
func (s Stamp) Counted() uint64 {
	if s.Clock > MaxClock {
		return 0
	}
	return s.Clock
}

// maxAhead is how far the clock of another machine may be ahead of this one's.
const maxAhead = 7 * 24 * time.Hour

// Ahead reports whether m claims to come from the future, by its dates, or by the number of times that it
// was written or stored again. Since 1970, no machine has written more than one memory in a millisecond,
// or stored one again more than once in a second.
func (m *Memory) Ahead(now time.Time) bool {
	limit := now.Add(maxAhead)
	for _, at := range []time.Time{m.OccurredAt, m.LastSeen, m.RecordedAt} {
		if at.After(limit) {
			return true
		}
	}
	return m.Clock > uint64(limit.UnixMilli()) || int64(m.Life) > limit.Unix()
}

// maxConfirmations is the largest number of confirmations after a join.
const maxConfirmations = 63

// Wire returns m as it is sent to other machines. It omits the folder, which differs between machines;
// the remote and the name of the project identify it.
func (m Memory) Wire() Memory {
	m.ProjectPath = ""
	return m
}

// Compare orders two versions of one memory; the larger one is in force. A later life comes first, so
// that a memory can be stored again on purpose; then a deletion, which beats every edit made without
// knowledge of it; then an approval; then the clock and the writer; then anything that makes the order
// total. No time of day decides unless neither has a stamp.
func Compare(a, b *Memory) int {
	c := cmp.Or(cmp.Compare(a.Life, b.Life), order(a.Deleted, b.Deleted), order(!a.Pending, !b.Pending),
		cmp.Compare(a.Counted(), b.Counted()), cmp.Compare(a.Writer, b.Writer), a.RecordedAt.Compare(b.RecordedAt))
	if c != 0 {
		return c
	}
	x, y := digest(a), digest(b)
	return bytes.Compare(x[:], y[:])
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// digest identifies the parts of a version that Join takes from the winner alone.
func digest(m *Memory) [sha256.Size]byte {
	as := m.Wire()
	as.ConfirmedBy, as.LastSeen = nil, time.Time{}
	b, err := json.Marshal(as)
	if err != nil {
		return [sha256.Size]byte{} // a time cannot be written, so the memory is not stored either
	}
	return sha256.Sum256(b)
}

// Join joins two versions of one memory: it returns the larger one, with the confirmations of both if
// they are of one life. It is commutative, associative and idempotent except for the folder of the
// project, which is that of a.
func Join(a, b Memory) Memory {
	won, lost := a, b
	if Compare(&a, &b) < 0 {
		won, lost = b, a
	}
	won.ProjectPath = a.ProjectPath
	if won.Deleted || won.Life != lost.Life {
		return won
	}
	all := slices.Concat(won.ConfirmedBy, lost.ConfirmedBy)
	slices.Sort(all)
	all = slices.Compact(all)
	won.ConfirmedBy = all[:min(len(all), maxConfirmations)]
	if len(won.ConfirmedBy) == 0 {
		won.ConfirmedBy = nil
	}
	if lost.LastSeen.After(won.LastSeen) {
		won.LastSeen = lost.LastSeen
	}
	return won
}

// Conflict reports whether two versions of one memory say different things, and the one in force was made
// without knowledge of the other.
func Conflict(a, b *Memory) bool {
	won, lost := a, b
	if Compare(a, b) < 0 {
		won, lost = b, a
	}
	if won.Deleted || lost.Deleted || won.Life != lost.Life {
		return false
	}
	if won.Source == Registry {
		return false // memories from files are read again
	}
	isUnseen := won.Base < lost.Clock && won.Settled < lost.Clock
	return isUnseen && won.Writer != lost.Writer && won.ContentKey() != lost.ContentKey()
}
