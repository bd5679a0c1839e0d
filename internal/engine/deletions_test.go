package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/share/machines"
)

// plant writes a segment of a stranger into a target.
func plant(t *testing.T, dir string, records ...memory.Memory) {
	t.Helper()
	var content []byte
	for _, m := range records {
		line, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		content = append(append(content, line...), '\n')
	}
	sum := sha256.Sum256(content)
	folder := filepath.Join(dir, "recollect", strings.Repeat("f", 16))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, hex.EncodeToString(sum[:])+".jsonl"), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tombstones say that memories were deleted.
func tombstones(clock uint64, life uint32, ids ...string) (out []memory.Memory) {
	for _, id := range ids {
		m := memory.Memory{V: memory.Version, ID: id, Deleted: true, Source: memory.Inbox, RecordedAt: time.Now().UTC()}
		m.Writer, m.Clock, m.Life = strings.Repeat("f", 16), clock, life
		out = append(out, m)
	}
	return out
}

func (r *running) syncs(in api.Sync) api.Synced {
	r.t.Helper()
	done, err := r.Machines.Sync(r.t.Context(), in)
	if err != nil {
		r.t.Fatal(err)
	}
	return done
}

// rememberMany stores so many memories, and returns their ids.
func (r *running) rememberMany(n int) []string {
	r.t.Helper()
	var titles []string
	for i := range n {
		titles = append(titles, fmt.Sprintf("fact %d of the pumps", i))
	}
	return r.remember(titles...)
}

// What a stranger deletes in a mass waits until the user accepts it, and can be undone, on all
// machines. A few go as ever, but no more of them in a day.
func TestMassDeletionAsks(t *testing.T) {
	tests := []struct {
		name string
		lost [][]int // numbers of the memories that each sync finds deleted
		held []int   // how many wait then
		left int
	}{
		{"half at once", [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, []int{10}, 20},
		{"all at once", [][]int{seq(0, 20)}, []int{20}, 20},
		{"a few", [][]int{{0, 1}}, []int{0}, 18},
		{"a few, again and again", [][]int{{0, 1}, {2, 3}, {4, 5}}, []int{0, 2, 4}, 18},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			a := start(t, newHome(t))
			ids := a.rememberMany(20)
			a.meet(dir)
			for i, numbers := range tt.lost {
				var gone []string
				for _, n := range numbers {
					gone = append(gone, ids[n])
				}
				plant(t, dir, tombstones(uint64(9000+i), 0, gone...)...)
				if done := a.meet(dir); done.Held != tt.held[i] {
					t.Errorf("sync %d holds %d, want %d", i, done.Held, tt.held[i])
				}
			}
			if got := len(a.titles()); got != tt.left {
				t.Errorf("%d are left, want %d", got, tt.left)
			}
			var h api.Health
			a.Health(&h)
			if held := slices.ContainsFunc(h.Details, func(p api.Problem) bool { return p.Cause == api.DeletionsHeld }); held != (tt.held[len(tt.held)-1] > 0) {
				t.Errorf("problems: %s", h.Problems)
			}
		})
	}
}

func seq(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

func TestAcceptAndUndoDeletions(t *testing.T) {
	dir := t.TempDir()
	a, b := start(t, newHome(t)), start(t, newHome(t))
	ids := a.rememberMany(20)
	a.meet(dir)
	b.meet(dir)
	before := a.titles()
	plant(t, dir, tombstones(9000, 0, ids[:12]...)...)
	a.meet(dir)
	b.meet(dir)
	if done := a.syncs(api.Sync{Target: dir, Accept: true}); done.Deleted != 12 || done.Held != 0 || len(a.titles()) != 8 {
		t.Fatalf("accepted: %+v, %d left", done, len(a.titles()))
	}
	if done := a.syncs(api.Sync{Target: dir, Undo: true}); done.Restored != 12 {
		t.Errorf("undone: %+v", done)
	}
	b.meet(dir)
	for name, r := range map[string]*running{"a": a, "b": b} {
		got := r.titles()
		slices.Sort(got)
		want := slices.Sorted(slices.Values(before))
		if !slices.Equal(got, want) {
			t.Errorf("%s has %d memories, want %d", name, len(got), len(want))
		}
	}
	if _, err := os.Stat(filepath.Join(a.home, machines.Folder, "deleted.jsonl")); err == nil {
		t.Error("the copies are still there")
	}
}

// What was taken back elsewhere is deleted here as what was forgotten there, and asks as that does.
func TestMassWithdrawalAsks(t *testing.T) {
	for lost, held := range map[int]int{2: 0, 10: 10} {
		dir := t.TempDir()
		a := start(t, newHome(t))
		ids := a.rememberMany(20)
		a.meet(dir)
		graves := tombstones(9000, 0, ids[:lost]...)
		for i := range graves {
			graves[i].Tags = []string{memory.TagWithdrawn}
		}
		plant(t, dir, graves...)
		if done := a.meet(dir); done.Held != held || len(a.titles()) != 20-lost+held {
			t.Errorf("%d were taken back: %+v, %d are left", lost, done, len(a.titles()))
		}
	}
}

// What is forgotten by its words is gone from the copies, too, which could bring it back.
func TestForgottenInCopies(t *testing.T) {
	dir := t.TempDir()
	a := start(t, newHome(t))
	ids := a.rememberMany(20)
	a.meet(dir)
	plant(t, dir, tombstones(9000, 0, ids[:12]...)...)
	a.meet(dir)
	a.syncs(api.Sync{Target: dir, Accept: true})
	copies := filepath.Join(a.home, machines.Folder, "deleted.jsonl")
	b, err := os.ReadFile(copies)
	if err != nil {
		t.Fatal(err)
	}
	var first memory.Memory
	if err := json.Unmarshal(b[:bytes.IndexByte(b, '\n')], &first); err != nil {
		t.Fatal(err)
	}
	done, err := a.ForgetAll(t.Context(), api.Forget{Matching: first.Title})
	if err != nil || len(done.Left) > 0 {
		t.Errorf("%v, left in %q", err, done.Left)
	}
	if b, err = os.ReadFile(copies); err != nil || bytes.Contains(b, []byte(first.ID)) {
		t.Errorf("it is among the copies: %v", err)
	}
	if done := a.syncs(api.Sync{Target: dir, Undo: true}); done.Restored != 11 {
		t.Errorf("undone: %+v", done)
	}
}

// Refused at once, without being accepted first, deletions are gone for good on all machines.
func TestRefuseDeletions(t *testing.T) {
	dir := t.TempDir()
	a, b := start(t, newHome(t)), start(t, newHome(t))
	ids := a.rememberMany(15)
	a.meet(dir)
	b.meet(dir)
	plant(t, dir, tombstones(9000, 5, ids...)...)
	if done := a.meet(dir); done.Held != 15 {
		t.Fatalf("held %d", done.Held)
	}
	a.syncs(api.Sync{Target: dir, Undo: true})
	for _, r := range []*running{b, a, b} {
		if done := r.meet(dir); done.Held != 0 || len(r.titles()) != 15 {
			t.Errorf("%+v, %d memories", done, len(r.titles()))
		}
	}
}

// With a key, only who has it can delete, and nobody is asked.
func TestKeyNeedNotAsk(t *testing.T) {
	dir := t.TempDir()
	a, b := start(t, newHome(t)), start(t, newHome(t))
	key, err := machines.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*running{a, b} {
		if err := key.Save(r.home); err != nil {
			t.Fatal(err)
		}
	}
	ids := a.rememberMany(20)
	a.meet(dir)
	b.meet(dir)
	for _, id := range ids {
		if _, err := a.Forget(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	a.meet(dir)
	if done := b.meet(dir); done.Deleted != 20 || done.Held != 0 {
		t.Errorf("%+v", done)
	}
}

// Nothing that is planted wins for ever: clocks, lives and dates beyond what a machine can have.
func TestPlantedForEver(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	tests := []struct {
		name   string
		change func(*memory.Memory)
	}{
		{"the largest clock", func(m *memory.Memory) { m.Clock = 1 << 52 }},
		{"one above", func(m *memory.Memory) { m.Clock = 1<<52 + 1 }},
		{"the largest that counts", func(m *memory.Memory) { m.Clock = memory.MaxClock }},
		{"of next month", func(m *memory.Memory) { m.Clock = uint64(now.AddDate(0, 1, 0).UnixMilli()) }},
		{"of today", func(m *memory.Memory) { m.Clock = uint64(now.UnixMilli()) }},
		{"settled", func(m *memory.Memory) { m.Clock, m.Settled, m.Base = 1<<40, 1<<40, 1<<40 }},
		{"many lives", func(m *memory.Memory) { m.Clock, m.Life = 9000, 1<<20 }},
		{"all lives", func(m *memory.Memory) { m.Clock, m.Life = 9000, 1<<32-1 }},
		{"waiting in a later life", func(m *memory.Memory) { m.Clock, m.Life = 9000, 7; m.SetPending(true) }},
		{"deleted in a later life", func(m *memory.Memory) {
			*m = tombstones(9000, 1<<20, m.ID)[0]
		}},
		{"seen in 2099", func(m *memory.Memory) { m.Clock, m.LastSeen = 9000, now.AddDate(73, 0, 0) }},
		{"of the year 9999", func(m *memory.Memory) {
			m.Clock, m.OccurredAt = 9000, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
		}},
		{"recorded in 2099", func(m *memory.Memory) { m.Clock, m.RecordedAt = 9000, now.AddDate(73, 0, 0) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			a, b := start(t, newHome(t)), start(t, newHome(t))
			id := a.remember("boron is hard")[0]
			a.meet(dir)
			b.meet(dir)
			m, err := a.Store.Get(id)
			if err != nil {
				t.Fatal(err)
			}
			mine := m
			m.Title, m.Text, m.Writer = "boron is soft", "planted", strings.Repeat("f", 16)
			tt.change(&m)
			plant(t, dir, m)
			a.meet(dir)
			b.meet(dir)
			mine.Text = "corrected"
			if _, err := a.Remember(t.Context(), api.Remember{Memories: memory.Drafts(mine), Restore: true}); err != nil {
				t.Fatal(err)
			}
			for _, r := range []*running{a, b, a, b} {
				r.meet(dir)
			}
			for name, r := range map[string]*running{"a": a, "b": b} {
				got, err := r.Store.Get(id)
				if err != nil || got.Text != "corrected" || got.When().After(now.AddDate(1, 0, 0)) {
					t.Errorf("%s has %q of %s, %v", name, got.Text, got.When(), err)
				}
			}
		})
	}
}
