package embedding

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"testing"
)

func random(n int, rng *rand.Rand) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(rng.NormFloat64())
	}
	return out
}

func TestMultiply(t *testing.T) {
	const m, k, n = 8, 5, 32
	rng := rand.New(rand.NewPCG(1, 1))
	a, b := random(m*k, rng), random(k*n, rng)
	flipped := make([]float32, n*k)
	want := make([]float32, m*n)
	for i := range m {
		for j := range n {
			for x := range k {
				flipped[j*k+x] = b[x*n+j]
				want[i*n+j] += float32(a[i*k+x] * b[x*n+j])
			}
		}
	}
	panel := make([]float32, k*panelWidth)
	plain, transposed := make([]float32, m*n), make([]float32, m*n)
	multiply(plain, a, b, panel, m, k, n)
	multiplyTransposed(transposed, a, flipped, panel, m, k, n)
	for i, w := range want {
		if plain[i] != w || transposed[i] != w {
			t.Fatalf("number %d is %v, transposed %v, want %v", i, plain[i], transposed[i], w)
		}
	}
}

// The vectorised build must give the same model as the plain one, to the bit:
// the sums are those of both builds.
func TestKernelsGiveTheSameBits(t *testing.T) {
	const m, k, n = 8, 48, 64
	rng := rand.New(rand.NewPCG(9, 9))
	uniform := func(n int) []float32 { // NormFloat64 is not the same everywhere
		out := make([]float32, n)
		for i := range out {
			out[i] = 2*rng.Float32() - 1
		}
		return out
	}
	product := make([]float32, m*n)
	multiply(product, uniform(m*k), uniform(k*n), make([]float32, k*panelWidth), m, k, n)
	sum := uniform(n)
	addScaled(sum, uniform(n), 0.3)
	gathered := make([]float32, n)
	gather(gathered, uniform(5*n), []uint32{4, 1, 1, 0})
	exponential := uniform(n)
	exponentials(exponential, 20, 22)
	row, mean, square := uniform(n), uniform(n), exponential
	adamStep(row, mean, square, uniform(n), stepSizes{0.9, 0.1, 0.99, 0.01, 0.02, adamFloor})
	for _, tt := range []struct {
		name string
		got  []float32
		want uint32
	}{
		{"multiply", product, 0xeda90cba},
		{"addScaled", sum, 0x1ea85f0e},
		{"gather", gathered, 0xd0a7fca9},
		{"exponentials and squares", square, 0x56fbfc36},
		{"adamStep", row, 0xd8ea01e3},
	} {
		if got := checksum(tt.got); got != tt.want {
			t.Errorf("%s: checksum %#x, want %#x", tt.name, got, tt.want)
		}
	}
}

func checksum(numbers []float32) uint32 {
	var bits []byte
	for _, x := range numbers {
		bits = binary.LittleEndian.AppendUint32(bits, math.Float32bits(x))
	}
	return crc32.ChecksumIEEE(bits)
}

func TestTranspose(t *testing.T) {
	const n = 24
	src, dst := random(n*n, rand.New(rand.NewPCG(1, 1))), make([]float32, n*n)
	transpose(dst, src, n)
	for i := range n {
		for j := range n {
			if dst[j*n+i] != src[i*n+j] {
				t.Fatalf("row %d, column %d was not moved", i, j)
			}
		}
	}
}

func TestGather(t *testing.T) {
	const dims = 2 * rowBlock
	table, got := random(5*dims, rand.New(rand.NewPCG(1, 1))), random(dims, rand.New(rand.NewPCG(1, 2)))
	for _, rows := range [][]uint32{{}, {3}, {4, 0, 4, 1}} {
		want := make([]float32, dims)
		for _, r := range rows {
			addScaled(want, table[int(r)*dims:][:dims], 1)
		}
		gather(got, table, rows)
		for i, w := range want {
			if got[i] != w {
				t.Fatalf("rows %v: number %d is %v, want %v", rows, i, got[i], w)
			}
		}
	}
}

func TestExponentials(t *testing.T) {
	for x := -1.0; x <= 1; x += 0.013 {
		row := make([]float32, 8)
		row[5] = float32(x)
		exponentials(row, 20, 22)
		if want := math.Exp(float64(row5(x))); math.Abs(float64(row[5])/want-1) > 1e-5 {
			t.Errorf("e^(20·%v - 22) = %v, want %v", x, row[5], want)
		}
	}
	row := []float32{-100, -100, -100, -100, -100, -100, -100, -100}
	exponentials(row, 20, 22)
	if row[0] < 0 || row[0] > 1e-30 {
		t.Errorf("e^-2022 = %v, want about 0", row[0])
	}
}

// row5 is 20x - 22 as the kernel rounds it.
func row5(x float64) float32 { return float32(float32(x)*20) - 22 }

func TestAdamStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	a := newAdam(1, 16, 1, rng)
	row := append([]float32{}, a.rows...)
	mean, square := make([]float64, 16), make([]float64, 16)
	for step := 1; step <= 5; step++ {
		g := random(16, rng)
		copy(a.gradient(0), g)
		a.step(0.1)
		for i, x := range g {
			mean[i] = 0.9*mean[i] + 0.1*float64(x)
			square[i] = 0.99*square[i] + 0.01*float64(x)*float64(x)
			m, q := mean[i]/(1-math.Pow(0.9, float64(step))), square[i]/(1-math.Pow(0.99, float64(step)))
			row[i] -= float32(0.1 * m / math.Sqrt(q))
		}
	}
	for i, want := range row {
		if math.Abs(float64(a.rows[i]-want)) > 1e-4 {
			t.Errorf("number %d is %v, want %v", i, a.rows[i], want)
		}
	}
}
