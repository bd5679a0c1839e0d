package embedding

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// someRows are rows for the village with a seed of their own.
func someRows(t *testing.T, seed uint64) *rows {
	t.Helper()
	lib, shares := village(t)
	return newRows(lib, shares, rowBlock, seed)
}

func (r *rows) equal(other *rows) bool {
	return slices.Equal(r.own.rows, other.own.rows) && slices.Equal(r.gram.rows, other.gram.rows)
}

func TestCheckpoint(t *testing.T) {
	saved, loaded := someRows(t, 1), someRows(t, 2)
	saved.own.rows[0], saved.gram.rows[0] = -1e-38, math.MaxFloat32
	if saved.equal(loaded) {
		t.Fatal("two seeds give the same rows")
	}
	path := filepath.Join(t.TempDir(), "checkpoint")
	if err := saved.save(path); err != nil {
		t.Fatal(err)
	}
	if err := loaded.load(path); err != nil || !saved.equal(loaded) {
		t.Errorf("load gives other rows than were saved (error %v)", err)
	}
}

func TestCheckpointErrors(t *testing.T) {
	r := someRows(t, 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "checkpoint")
	if err := r.load(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("load of no file: %v", err)
	}
	if err := r.save(filepath.Join(dir, "missing", "checkpoint")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("save into no folder: %v", err)
	}
	if err := r.save(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"cut":                  whole[:len(whole)-1],
		"empty":                nil,
		"of a larger model":    append(slices.Clone(whole), 0, 0, 0, 0),
		"of words alone":       whole[:4*len(r.own.rows)],
		"not even a whole row": whole[:3],
	} {
		write(t, dir, "checkpoint", data)
		if err := someRows(t, 2).load(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("load of a file that is %s: %v, want an error with its path", name, err)
		}
	}
}

func TestSnapshot(t *testing.T) {
	r := someRows(t, 1)
	start := r.snapshot()
	want := someRows(t, 1)
	fill(r, 8)
	if start.own[0] != want.own.rows[0] || start.gram[0] != want.gram.rows[0] {
		t.Error("a snapshot changes with the rows")
	}
	r.restore(start)
	if !r.equal(want) {
		t.Error("restore gives other rows than the snapshot had")
	}
}

func TestMeanOfSnapshots(t *testing.T) {
	r := someRows(t, 1)
	fill(r, 1)
	mean := r.snapshot()
	for _, x := range []float32{3, 8} {
		fill(r, x)
		mean.add(r)
	}
	mean.divide(3)
	for _, part := range [][]float32{mean.own, mean.gram} {
		if slices.Min(part) != slices.Max(part) || math.Abs(float64(part[0])-4) > 1e-6 {
			t.Errorf("the mean of 1, 3 and 8 is %v to %v", slices.Min(part), slices.Max(part))
		}
	}
}

// fill sets all numbers of all rows.
func fill(r *rows, x float32) {
	for _, part := range [][]float32{r.own.rows, r.gram.rows} {
		for i := range part {
			part[i] = x
		}
	}
}

// A run that is resumed does not take the moments of the first stage along.
func TestResetMoments(t *testing.T) {
	fresh := newAdam(2, rowBlock, 1, rand.New(rand.NewPCG(1, 1)))
	used := newAdam(2, rowBlock, 1, rand.New(rand.NewPCG(1, 1)))
	used.gradient(1)[0] = 5
	used.step(0.1)
	used.resetMoments()
	copy(used.rows, fresh.rows)
	for _, a := range []*adam{&fresh, &used} {
		a.gradient(1)[0] = 1
		a.step(0.1)
	}
	if !slices.Equal(fresh.rows, used.rows) {
		t.Error("after rest a step differs from the first one")
	}
}
