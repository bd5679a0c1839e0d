package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A machine is one of several that share a memory, with a clock of its own and a time of day
// that is wrong by up to a day.
type machine struct {
	name  string
	clock uint64
	skew  time.Duration
	has   Memory
}

// edit stores a version that replaces what the machine has.
func (k *machine) edit(rnd *rand.Rand, n int) Memory {
	m := Memory{V: Version, ID: "note-1", Source: Inbox, Title: fmt.Sprint("version ", n), Text: fmt.Sprint("text ", n)}
	m.RecordedAt = time.Unix(int64(n), 0).Add(k.skew).UTC()
	m.LastSeen = m.RecordedAt
	m.ConfirmedBy = []string{fmt.Sprint("turn ", rnd.IntN(9))}
	m.Life, m.Base = k.has.Life, k.has.Clock
	switch {
	case k.has.Deleted:
		m.Life++
	case rnd.IntN(6) == 0 && k.has.ID != "":
		m = Memory{V: Version, ID: m.ID, Source: Inbox, Deleted: true, RecordedAt: m.RecordedAt, Stamp: m.Stamp}
	case rnd.IntN(4) == 0:
		m.SetPending(true)
	}
	k.clock++
	m.Clock, m.Writer = k.clock, k.name
	k.receive(m)
	return m
}

func (k *machine) receive(m Memory) {
	k.clock = max(k.clock, m.Clock)
	if k.has.ID == "" {
		k.has = m
	} else {
		k.has = Join(k.has, m)
	}
}

// Whatever order the versions of three machines arrive in, some of them twice and some of them only
// as what another machine has made of them, all machines have the same in the end.
func TestJoinConverges(t *testing.T) {
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		machines := []*machine{{name: "a"}, {name: "b", skew: 24 * time.Hour}, {name: "c", skew: -24 * time.Hour}}
		var all []Memory
		for n := range 12 {
			k := machines[rnd.IntN(3)]
			all = append(all, k.edit(rnd, n))
			if other := machines[rnd.IntN(3)]; rnd.IntN(2) == 0 && other.has.ID != "" {
				k.receive(other.has)
			}
		}
		for _, k := range machines {
			for range 2 {
				rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				for _, m := range all {
					k.receive(m)
				}
			}
		}
		for _, k := range machines[1:] {
			if diff := cmp.Diff(machines[0].has, k.has); diff != "" {
				t.Fatalf("seed %d: machines a and %s differ (-a +%s):\n%s", seed, k.name, k.name, diff)
			}
		}
	}
}

// Join is commutative, associative and idempotent over versions that were made up, too.
func TestJoinIsASemilattice(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	version := func() Memory {
		k := machine{name: string(rune('a' + rnd.IntN(3))), clock: rnd.Uint64N(3)}
		m := k.edit(rnd, rnd.IntN(3))
		if rnd.IntN(5) == 0 {
			m = Memory{V: Version, ID: "note-1", Source: Inbox, Deleted: true}
		}
		m.Life, m.Base = rnd.Uint32N(2), rnd.Uint64N(2)
		return m
	}
	for range 5000 {
		a, b, c := version(), version(), version()
		for name, pair := range map[string][2]Memory{
			"commutative": {Join(a, b), Join(b, a)},
			"associative": {Join(Join(a, b), c), Join(a, Join(b, c))},
			"idempotent":  {Join(Join(a, b), b), Join(a, b)},
		} {
			if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
				t.Fatalf("not %s:\na %+v\nb %+v\nc %+v\n%s", name, a, b, c, diff)
			}
		}
		if Conflict(&a, &b) != Conflict(&b, &a) {
			t.Fatalf("conflict depends on the order of %+v and %+v", a, b)
		}
	}
}

func TestJoin(t *testing.T) {
	at := func(clock, base uint64, writer, text string) Memory {
		return Memory{ID: "note-1", Source: Inbox, Title: text, Stamp: Stamp{Writer: writer, Clock: clock, Base: base}}
	}
	late := at(2, 1, "a", "skewed")
	late.RecordedAt = time.Now().Add(24 * time.Hour)
	dead := Memory{ID: "note-1", Source: Inbox, Deleted: true, Stamp: Stamp{Writer: "a", Clock: 2}}
	again := at(4, 2, "b", "again")
	again.Life = 1
	tests := []struct {
		name     string
		a, b     Memory
		want     string // the title in force
		conflict bool
	}{
		{"the later edit wins", at(2, 1, "a", "old"), at(3, 2, "b", "new"), "new", false},
		{"edits at once", at(3, 1, "a", "one"), at(3, 1, "b", "two"), "two", true},
		{"a later edit that did not know", at(3, 1, "a", "one"), at(9, 2, "b", "two"), "two", true},
		{"the same edit twice", at(3, 1, "a", "one"), at(3, 1, "b", "one"), "one", false},
		{"the time of day does not matter", late, at(3, 2, "b", "new"), "new", false},
		{"no stamp is the oldest", Memory{ID: "note-1", Source: Inbox, Title: "old", RecordedAt: time.Now()}, at(1, 0, "a", "new"), "new", false},
		{"a deletion beats an edit", dead, at(9, 1, "b", "edited"), "", false},
		{"what is stored after a deletion stays", dead, again, "again", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Join(tt.a, tt.b).Title; got != tt.want {
				t.Errorf("in force is %q, want %q", got, tt.want)
			}
			if got := Conflict(&tt.a, &tt.b); got != tt.conflict {
				t.Errorf("conflict is %v, want %v", got, tt.conflict)
			}
		})
	}
}
