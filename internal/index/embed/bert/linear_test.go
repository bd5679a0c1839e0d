package bert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// However many rows and outputs there are, and however they are shared out,
// they are what the plain sums are, as far as rounding goes.
func TestLinear(t *testing.T) {
	tests := []struct{ n, in, out int }{
		{1, 1, 1}, {1, 3, 2}, {3, 5, 7}, {4, 16, 2}, {5, 17, 9}, {8, 384, 383}, {9, 100, 1001}, {13, 64, 513}, {2, 4096, 65},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			x, weight := random(tt.n*tt.in), random(tt.out*tt.in + 1)[1:]
			l := linear{newMatrix(tt.out, tt.in), random(tt.out)}
			for o := range tt.out {
				l.set(o, weight[o*tt.in:][:tt.in])
			}
			var in rounded
			in.set(random(7*max(tt.in, 40)), max(tt.in, 40)) // what was there before makes no difference
			in.set(x, tt.in)
			got := make([]float32, tt.n*tt.out)
			l.apply(got, &in)
			var wrong, size float64
			for i := range tt.n {
				for o := range tt.out {
					sum := float64(l.bias[o])
					for k := range tt.in {
						sum += float64(x[i*tt.in+k]) * float64(weight[o*tt.in+k])
					}
					wrong += math.Pow(sum-float64(got[i*tt.out+o]), 2)
					size += sum * sum
				}
			}
			if share := math.Sqrt(wrong / size); share > 0.015 {
				t.Errorf("wrong by %v of the length", share)
			}
		})
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

// The largest numbers there are do not exceed the 32 bits of a sum.
func TestLinearAtItsLimits(t *testing.T) {
	for _, columns := range []int{1, 32, 33, 384, 516, 517, 4096, 16384} {
		l := linear{newMatrix(1, columns), []float32{0}}
		x := make([]float32, columns)
		for i := range x {
			x[i] = -3
		}
		l.set(0, x)
		var in rounded
		in.set(x, columns)
		out := make([]float32, 1)
		if l.apply(out, &in); math.Abs(float64(out[0])/float64(9*columns)-1) > 1e-4 {
			t.Errorf("%d products of 9: %v", columns, out[0])
		}
	}
}

// Rows of zeros, of the smallest numbers and of numbers that are none do not
// end the process.
func TestRoundAnything(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, x := range [][]float32{{0, 0}, {1e-45, -1e-45}, {nan, 1}, {inf, -inf}, {math.MaxFloat32, -math.MaxFloat32}} {
		m := newMatrix(1, 2)
		m.set(0, x)
		var q rounded
		q.set(x, 2)
		softmax(x)
		newTable(-8, 8, gelu).activate(x)
	}
}

// The tables give what the functions give.
func TestTables(t *testing.T) {
	check := func(name string, x float32, got float32, want float64) {
		if math.Abs(float64(got)-want) > 3e-6 {
			t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
		}
	}
	for name, f := range activations {
		table := newTable(-8, 8, f)
		for x := float32(-20); x < 20; x += 0.00137 {
			got := []float32{x}
			table.activate(got)
			check(name, x, got[0], f(float64(x)))
		}
		below8 := math.Nextafter32(8, 0)
		got := []float32{below8, -8, math.Nextafter32(-8, -9)}
		table.activate(got)
		check(name, below8, got[0], 8)
	}
	for x := float32(-30); x <= 0; x += 0.00137 {
		check("exp", x, exponential.at(x), math.Exp(float64(x)))
	}
	check("exp", 0, exponential.at(0), 1)
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
