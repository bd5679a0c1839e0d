package memory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"
)

// A Stamp places one version of a memory among those that other machines made. A store that
// was never synchronized stamps nothing; what has no stamp is the oldest.
type Stamp struct {
	Writer string `json:"writer,omitempty"` // the machine that made this version
	Clock  uint64 `json:"clock,omitempty"`  // Lamport's: larger than of all that the machine had seen
	Base   uint64 `json:"base,omitempty"`   // the clock of the last version of another machine that this one replaced
	Life   uint32 `json:"life,omitempty"`   // how often the memory was stored anew after it was forgotten

	// Settled is a clock: the user chose this version, or one before it, knowing all until then.
	Settled uint64 `json:"settled,omitempty"`
}

// MaxClock is the largest clock that counts. No store comes near it; what is above was made up, and
// is as if it had none, so that it does not win for ever.
const MaxClock = 1 << 46

// Counted returns the clock of s as far as it counts.
func (s Stamp) Counted() uint64 {
	if s.Clock > MaxClock {
		return 0
	}
	return s.Clock
}

// maxAhead is how far the clock of another machine may be ahead of this one's.
const maxAhead = 7 * 24 * time.Hour

// Ahead reports whether m says that it is of a time to come, which only who made it up can know: by
// its dates, or by how often something was stored or forgotten before. No machine stores more than a
// memory in a millisecond, nor stores one anew more than once in a second, since 1970.
func (m *Memory) Ahead(now time.Time) bool {
	limit := now.Add(maxAhead)
	for _, at := range []time.Time{m.OccurredAt, m.LastSeen, m.RecordedAt} {
		if at.After(limit) {
			return true
		}
	}
	return m.Clock > uint64(limit.UnixMilli()) || int64(m.Life) > limit.Unix()
}

// maxConfirmations is how many turns the union of two lists of confirmations has, at most.
const maxConfirmations = 63

// Wire returns m as it travels: its folder is another one on each machine, so the remote and the
// name of its project stand for that.
func (m Memory) Wire() Memory {
	m.ProjectPath = ""
	return m
}

// Compare orders two versions of one memory: the larger one is in force. A later life comes
// first, so that a memory can be stored anew on purpose; then a deletion, which thereby beats
// every edit that was made without knowledge of it, and an approval; then the clock, the writer,
// and what makes the order total. No time of day decides unless neither has a stamp.
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

// digest identifies what of a version Join takes whole.
func digest(m *Memory) [sha256.Size]byte {
	as := m.Wire()
	as.ConfirmedBy, as.LastSeen = nil, time.Time{}
	b, err := json.Marshal(as)
	if err != nil {
		return [sha256.Size]byte{} // it has a time that cannot be written, and is not stored either
	}
	return sha256.Sum256(b)
}

// Join returns what becomes of two versions of one memory: the larger one, with the confirmations
// of both if they are of one life. It is commutative, associative and idempotent but for the
// folder of the project, which is that of a.
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

// Conflict reports whether two versions of one memory say different things, and the one in force
// was made without knowledge of the other.
func Conflict(a, b *Memory) bool {
	won, lost := a, b
	if Compare(a, b) < 0 {
		won, lost = b, a
	}
	if won.Deleted || lost.Deleted || won.Life != lost.Life {
		return false
	}
	if won.Source == Registry {
		return false // what was read from files is read again
	}
	isUnseen := won.Base < lost.Clock && won.Settled < lost.Clock
	return isUnseen && won.Writer != lost.Writer && won.ContentKey() != lost.ContentKey()
}
