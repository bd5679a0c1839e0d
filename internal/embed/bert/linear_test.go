package bert

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// However many rows and outputs there are, and however they are shared out,
// they are what the plain sums are.
func TestLinear(t *testing.T) {
	tests := []struct{ n, in, out int }{
		{1, 1, 1}, {1, 3, 2}, {3, 5, 7}, {4, 16, 2}, {5, 17, 9}, {8, 384, 383}, {9, 100, 1001}, {13, 64, 513},
	}
	for _, tt := range tests {
		x, l := random(tt.n*tt.in), linear{random(tt.out * tt.in), random(tt.out)}
		got, want := make([]float32, tt.n*tt.out), make([]float32, tt.n*tt.out)
		l.apply(got, x)
		for i := range tt.n {
			for o := range tt.out {
				sum := float64(l.bias[o])
				for k := range tt.in {
					sum += float64(x[i*tt.in+k]) * float64(l.weight[o*tt.in+k])
				}
				want[i*tt.out+o] = float32(sum)
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-3)); diff != "" {
			t.Errorf("%v:\n%s", tt, diff)
		}
	}
}

func random(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// A number of 16 bits widens to the same number.
func TestHalf(t *testing.T) {
	tests := []struct {
		bits uint16
		want float32
	}{
		{0x0000, 0}, {0x3c00, 1}, {0xc000, -2}, {0x3555, 0.33325195}, {0x7bff, 65504}, {0x0001, 5.9604645e-08}, {0x0400, 6.1035156e-05},
	}
	for _, tt := range tests {
		if got := half(tt.bits); got != tt.want {
			t.Errorf("half(%#x) = %v, want %v", tt.bits, got, tt.want)
		}
	}
	if inf, nan := half(0x7c00), half(0x7e00); !notFinite(inf) || nan == nan {
		t.Errorf("infinity is %v, not a number is %v", inf, nan)
	}
}
