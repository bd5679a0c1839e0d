// Package compactid holds ids in little memory. Nearly every id consists of one of a few prefixes and 12
// hexadecimal digits, which fit into eight bytes. It holds other ids as text.
package compactid

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
)

const (
	digits     = 12
	digitBits  = 4 * digits
	maxPrefix  = 8  // bytes
	maxNumbers = 64 // prefixes, because each is compared with that of an id
)

const hexDigits = "0123456789abcdef"

// A code numbers prefixes from 1.
type code struct {
	prefixes []string
}

// pack returns an id in eight bytes, which are never zero. It returns false if the id does not have the
// usual form, or if its prefix is unknown and add is false.
func (c *code) pack(id string, add bool) (uint64, bool) {
	at := len(id) - digits
	if at < 0 || at > maxPrefix {
		return 0, false
	}
	packed := uint64(0)
	for i := at; i < len(id); i++ {
		d := id[i]
		switch {
		case '0' <= d && d <= '9':
			d -= '0'
		case 'a' <= d && d <= 'f':
			d -= 'a' - 10
		default:
			return 0, false
		}
		packed = packed<<4 | uint64(d)
	}
	number := slices.Index(c.prefixes, id[:at])
	if number < 0 {
		if !add || len(c.prefixes) == maxNumbers {
			return 0, false
		}
		number = len(c.prefixes)
		c.prefixes = append(c.prefixes, string([]byte(id[:at])))
	}
	return uint64(number+1)<<digitBits | packed, true
}

func (c *code) unpack(packed uint64) string {
	var id [maxPrefix + digits]byte
	n := copy(id[:], c.prefixes[packed>>digitBits-1]) + digits
	for i := n - 1; i >= n-digits; i-- {
		id[i], packed = hexDigits[packed&15], packed>>4
	}
	return string(id[:n])
}

// A List is a list of different ids, some of which may be cleared. Its zero value is empty. Concurrent
// reading is safe while nobody writes.
type List struct {
	code
	usual   []uint64 // zero for an id of another form, or a cleared one
	others  map[int]string
	otherAt map[string]int
	cleared int

	// slots is a hash table with linear probing: positions in usual, plus 1. A cleared id keeps its slot
	// until the table grows.
	slots []uint32
	used  int
}

// NewList returns an empty List with room for n ids.
func NewList(n int) List {
	l := List{usual: make([]uint64, 0, n)}
	l.resize(n)
	return l
}

// Append adds id, which must not be in the list, to the end and returns its position.
func (l *List) Append(id string) int {
	at := len(l.usual)
	packed, ok := l.pack(id, true)
	l.usual = append(l.usual, packed)
	if !ok {
		if l.others == nil {
			l.others, l.otherAt = map[int]string{}, map[string]int{}
		}
		l.others[at], l.otherAt[id] = id, at
		return at
	}
	if 4*(l.used+1) > 3*len(l.slots) {
		l.resize(l.Count() + l.Count()/4 + 1) // this also enters the new one
		return at
	}
	l.enter(at)
	return at
}

// resize makes room for n ids in slots, and enters the ids that are in use.
func (l *List) resize(n int) {
	size := 8
	for 4*n > 3*size {
		size *= 2
	}
	l.slots, l.used = make([]uint32, size), 0
	for at, packed := range l.usual {
		if packed != 0 {
			l.enter(at)
		}
	}
}

func (l *List) enter(at int) {
	i := l.slot(l.usual[at])
	for l.slots[i] != 0 {
		i = (i + 1) & (len(l.slots) - 1)
	}
	l.slots[i] = uint32(at + 1)
	l.used++
}

// slot returns where the search for an id begins. Its hash is random, because others may choose the ids.
func (l *List) slot(packed uint64) int {
	return int(maphash.Comparable(seed, packed) & uint64(len(l.slots)-1))
}

var seed = maphash.MakeSeed()

// Find returns the position of id, or false if it is not in the list.
func (l *List) Find(id string) (int, bool) {
	packed, ok := l.pack(id, false)
	if !ok {
		at, ok := l.otherAt[id]
		return at, ok
	}
	for i := l.slot(packed); l.slots[i] != 0; i = (i + 1) & (len(l.slots) - 1) {
		if at := int(l.slots[i] - 1); l.usual[at] == packed {
			return at, true
		}
	}
	return 0, false
}

// At returns the id at position i, or "" if it was cleared.
func (l *List) At(i int) string {
	if packed := l.usual[i]; packed != 0 {
		return l.unpack(packed)
	}
	return l.others[i]
}

// Compare compares the ids at two positions as text.
func (l *List) Compare(i, j int) int {
	x, y := l.usual[i], l.usual[j]
	if x != 0 && x>>digitBits == y>>digitBits {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(l.At(i), l.At(j))
}

// Clear clears the id at position i. The position remains.
func (l *List) Clear(i int) {
	id, other := l.others[i]
	if !other && l.usual[i] == 0 {
		return
	}
	l.usual[i] = 0
	delete(l.others, i)
	if other {
		delete(l.otherAt, id)
	}
	l.cleared++
}

// Len returns the number of positions.
func (l *List) Len() int { return len(l.usual) }

// Count returns the number of ids.
func (l *List) Count() int { return len(l.usual) - l.cleared }

// All returns the ids with their positions, in order.
func (l *List) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, packed := range l.usual {
			id, ok := l.others[i]
			if packed != 0 {
				id, ok = l.unpack(packed), true
			}
			if ok && !yield(i, id) {
				return
			}
		}
	}
}

// A Map is a map by id, to which ids can only be added. Its zero value is empty. Concurrent reading is
// safe while nobody writes.
type Map[V any] struct {
	ids    List
	values []V
}

// NewMap returns a Map with room for n ids.
func NewMap[V any](n int) Map[V] {
	return Map[V]{ids: NewList(n), values: make([]V, 0, n)}
}

// Get returns the value for id, or false if there is none.
func (m *Map[V]) Get(id string) (v V, ok bool) {
	if at, ok := m.ids.Find(id); ok {
		return m.values[at], true
	}
	return v, false
}

// Set sets the value for id, and returns the position of id, which never changes.
func (m *Map[V]) Set(id string, v V) int {
	if at, ok := m.ids.Find(id); ok {
		m.values[at] = v
		return at
	}
	return m.Add(id, v)
}

// Add sets the value for id, which must not be in the map, and returns its position.
func (m *Map[V]) Add(id string, v V) int {
	m.values = append(m.values, v)
	return m.ids.Append(id)
}

// At returns the id at position i and its value.
func (m *Map[V]) At(i int) (string, V) { return m.ids.At(i), m.values[i] }

// Len returns the number of ids.
func (m *Map[V]) Len() int { return len(m.values) }

// All returns the ids with their values, in the order in which they were added.
func (m *Map[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for i, id := range m.ids.All() {
			if !yield(id, m.values[i]) {
				return
			}
		}
	}
}

// Values returns the values, in the order in which they were added.
func (m *Map[V]) Values() iter.Seq[V] { return slices.Values(m.values) }
