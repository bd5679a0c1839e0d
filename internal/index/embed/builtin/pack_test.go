package builtin

import (
	"math"
	"math/rand/v2"
	"testing"
)

// unpacked is what pack's bytes stand for.
func unpacked(packed []byte, step float32) []float32 {
	var out []float32
	for _, b := range packed {
		out = append(out, step*float32(int(b&15)-zero), step*float32(int(b>>4)-zero))
	}
	return out
}

func peakOf(row []float32) float32 {
	var peak float32
	for _, x := range row {
		peak = max(peak, x, -x)
	}
	return peak
}

// What is not cut off is within half a step; a cut peak goes to the end of the
// range.
func TestPackRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	packed := make([]byte, 24)
	for range 200 {
		row := make([]float32, 48)
		for i := range row {
			row[i] = float32(rng.NormFloat64() * 1e-3)
		}
		step := pack(packed, row)
		if peak := peakOf(row); step < peak*0.5/level || step > peak/level {
			t.Fatalf("step %v for a peak of %v", step, peak)
		}
		for i, got := range unpacked(packed, step) {
			want := max(-level*step, min(level*step, row[i]))
			if math.Abs(float64(got-want)) > float64(step)*0.501 {
				t.Fatalf("%v comes back as %v with steps of %v", row[i], got, step)
			}
		}
	}
}

func TestPackChoosesTheBestRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	row := make([]float32, 64)
	for i := range row {
		row[i] = float32(rng.NormFloat64())
	}
	step := pack(make([]byte, 32), row)
	for _, clip := range clips {
		if other := clip * peakOf(row) / level; packLoss(row, other) < packLoss(row, step) {
			t.Errorf("steps of %v lose %v, those of %v only %v", step, packLoss(row, step), other, packLoss(row, other))
		}
	}
	if whole := peakOf(row) / level; step == whole {
		t.Errorf("the peaks of a normal distribution are not cut")
	}
}

func TestPackRows(t *testing.T) {
	for _, tt := range []struct {
		name string
		row  []float32
		step float32
		want []float32
	}{
		{"zeros", []float32{0, 0}, 0, []float32{0, 0}},
		{"both ends", []float32{7, -7}, 1, []float32{7, -7}},
		{"every level", []float32{-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 0}, 1,
			[]float32{-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 0}},
		{"small", []float32{14e-20, 2e-20}, 2e-20, []float32{14e-20, 2e-20}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			packed := make([]byte, len(tt.row)/2)
			step := pack(packed, tt.row)
			if math.Abs(float64(step-tt.step)) > 1e-6*float64(tt.step) {
				t.Errorf("step %v, want %v", step, tt.step)
			}
			for i, got := range unpacked(packed, step) {
				if math.Abs(float64(got-tt.want[i])) > 1e-6*float64(tt.step) {
					t.Errorf("number %d comes back as %v, want %v", i, got, tt.want[i])
				}
			}
		})
	}
}

// The integers of the accumulator must give what plain sums give, exactly.
func TestAccumulator(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 6))
	for _, dims := range []int{16, 48, maxDims} {
		var sum accumulator
		want := make([]float64, dims)
		for range 100 {
			packed := make([]byte, dims/2)
			for i := range packed {
				packed[i] = byte(rng.UintN(256))
			}
			weight := rng.Uint64N(fullWeight + 1)
			sum.add(packed, weight)
			for i, x := range unpacked(packed, 1) {
				want[i] += float64(x) * float64(weight)
			}
		}
		got := make([]float32, dims)
		sum.write(got)
		for i, w := range want {
			if got[i] != float32(w) {
				t.Fatalf("%d dimensions: number %d is %v, want %v", dims, i, got[i], w)
			}
		}
		if sum.rows != 100 {
			t.Errorf("%d rows, want 100", sum.rows)
		}
	}
}
