package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// A model is what a store should hold, and beside it what somebody has who
// follows the store by its marks.
type model struct {
	t     *testing.T
	rnd   *rand.Rand
	lock  *Lock
	store *Store

	live  map[string]string // id -> text
	known map[string]bool

	marks    Marks
	followed map[string]string
}

// TestModel does random things to a store and compares it with the model
// after each.
func TestModel(t *testing.T) {
	hintAll(t)
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			lock := own(t)
			m := &model{
				t: t, rnd: rand.New(rand.NewPCG(seed, 1)), lock: lock, store: open(t, lock),
				live: map[string]string{}, known: map[string]bool{}, followed: map[string]string{},
			}
			for range 120 {
				m.step()
				m.compare()
			}
		})
	}
}

func (m *model) step() {
	steps := []func(){
		m.append, m.append, m.append, m.append, m.delete, m.delete, m.follow, m.follow,
		m.compact, m.reopen, m.damage, m.tear,
	}
	steps[m.rnd.IntN(len(steps))]()
}

// append stores up to five memories, of which some replace older ones.
func (m *model) append() {
	var ms []memory.Memory
	for range 1 + m.rnd.IntN(5) {
		n := m.rnd.IntN(40)
		ms = append(ms, memory.Memory{
			Source: memory.Episodes, Turn: fmt.Sprint(n), Title: fmt.Sprintf("turn %d", n),
			Text: fmt.Sprintf("text \"%d\" <b>\n", m.rnd.IntN(1000)),
		}, memory.Memory{Source: memory.Sources[n%9], Text: strings.Repeat("w ", n) + fmt.Sprint(n)})
	}
	add(m.t, m.store, ms...)
	for _, one := range ms {
		m.live[one.ID], m.known[one.ID] = one.Text, true
	}
}

func (m *model) delete() {
	ids := slices.Sorted(maps.Keys(m.known))
	m.rnd.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	ids = ids[:min(len(ids), m.rnd.IntN(4))]
	want := map[string]string{}
	for _, id := range ids {
		if text, ok := m.live[id]; ok {
			want[id] = text
			delete(m.live, id)
		}
	}
	deleted, err := m.store.Delete(time.Time{}, ids...)
	got := map[string]string{}
	for _, one := range deleted {
		got[one.ID] = one.Text
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		m.t.Fatalf("Delete() = %v, -want +got:\n%s", err, diff)
	}
}

// follow does what an index does: take up some changes, or all when it cannot.
func (m *model) follow() {
	ch, err := m.store.Since(m.marks, 1+m.rnd.IntN(30))
	if errors.Is(err, ErrRewritten) {
		m.marks, m.followed = m.store.Marks(), m.all()
		return
	}
	if err != nil {
		m.t.Fatal(err)
	}
	for _, one := range ch.Put {
		m.followed[one.ID] = one.Text
	}
	for _, id := range ch.Deleted {
		delete(m.followed, id)
	}
	m.marks = ch.Marks
}

func (m *model) compact() {
	src := memory.Sources[m.rnd.IntN(len(memory.Sources))]
	if err := m.store.Compact(src); err != nil {
		m.t.Fatal(err)
	}
}

func (m *model) reopen() {
	shut(m.t, m.store)
	m.store = open(m.t, m.lock)
}

// damage adds a line that cannot be read.
func (m *model) damage() { m.addRaw("\x00 garbage\n") }

// tear leaves half a line, as a power loss does.
func (m *model) tear() {
	m.addRaw(`{"v":1,"id":"ep-torn","source":"epi`)
	m.reopen()
}

func (m *model) addRaw(text string) {
	f, err := os.OpenFile(logPath(m.lock, memory.Episodes), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		m.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		m.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		m.t.Fatal(err)
	}
}

func (m *model) all() map[string]string {
	all := map[string]string{}
	for one, err := range m.store.All() {
		if err != nil {
			m.t.Fatal(err)
		}
		all[one.ID] = one.Text
	}
	return all
}

func (m *model) compare() {
	m.t.Helper()
	if diff := cmp.Diff(m.live, m.all()); diff != "" {
		m.t.Fatalf("All(), -want +got:\n%s", diff)
	}
	if m.store.Len() != len(m.live) || len(m.store.IDs()) != len(m.live) {
		m.t.Fatalf("Len() = %d, IDs() has %d, want %d", m.store.Len(), len(m.store.IDs()), len(m.live))
	}
	for id := range m.known {
		if !m.store.Known(id) {
			m.t.Fatalf("Known(%s) = false", id)
		}
	}
	if diff := cmp.Diff(m.marks, m.store.Marks()); diff == "" && !maps.Equal(m.followed, m.live) {
		m.t.Fatalf("followed to the end, -want +got:\n%s", cmp.Diff(m.live, m.followed))
	}
}

// TestConcurrentUse is for the race detector: readers while one appends,
// deletes and compacts.
func TestConcurrentUse(t *testing.T) {
	s := open(t, own(t))
	first := add(t, s, note("first"))[0]
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if m, err := s.Get(first); err != nil || m.Text != "first" {
					t.Errorf("Get() = %q, %v", m.Text, err)
				}
				for _, err := range s.All() {
					if err != nil {
						t.Errorf("All() = %v", err)
					}
				}
				s.SupersededBy(first)
				s.Marks()
				s.Problems()
				s.Garbage()
			}
		})
	}
	for i := range 40 {
		ids := add(t, s, note(fmt.Sprint("text ", i)), note(fmt.Sprint("more ", i)))
		if _, err := s.Delete(time.Time{}, ids[0]); err != nil {
			t.Error(err)
		}
		if i%10 == 9 {
			if err := s.Compact(memory.Inbox); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	readers.Wait()
	if s.Len() != 41 {
		t.Errorf("Len() = %d, want 41", s.Len())
	}
}
