package dot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxColumns is the most that are used: maxColumns * MaxRow * MaxQuery needs nearly 31 bits.
const maxColumns = 4096

// The assembly finds what the plain code finds, for every length of a row,
// number of rows and place in memory, and with numbers at their limits.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for columns := Align; columns <= maxColumns; columns += Align {
		for _, n := range []int{0, 1, 2, 5, 17} {
			query, rows := randomNumbers(r, columns, n)
			check(t, fmt.Sprintf("%d rows of %d", n, columns), query, rows, n)
		}
	}
	for _, sign := range []int16{1, -1} {
		query, rows := make([]int16, maxColumns), make([]byte, 2*maxColumns)
		for i := range query {
			query[i] = sign * MaxQuery
		}
		for i := range rows {
			rows[i] = MaxRow
		}
		check(t, "numbers at their limits", query, rows, 2)
		if got, want := plainly(query, rows, 2)[1], int32(sign)*maxColumns*MaxRow*MaxQuery; got != want {
			t.Errorf("plain() = %d at the limits, want %d", got, want)
		}
	}
}

func randomNumbers(r *rand.Rand, columns, n int) ([]int16, []byte) {
	query := make([]int16, columns)
	for i := range query {
		query[i] = int16(r.IntN(2*MaxQuery+1) - MaxQuery)
	}
	at := r.IntN(Align) // rows begin anywhere
	rows := make([]byte, at+n*columns)[at:]
	for i := range rows {
		rows[i] = byte(r.IntN(2*MaxRow+1) - MaxRow)
	}
	return query, rows
}

func check(t *testing.T, name string, query []int16, rows []byte, n int) {
	t.Helper()
	out := make([]int32, n+1)
	out[n] = 77
	Products(out[:n], query, rows)
	if diff := cmp.Diff(append(plainly(query, rows, n), 77), out); diff != "" {
		t.Errorf("%s: Products(), -plain +fast:\n%s", name, diff)
	}
}

func plainly(query []int16, rows []byte, n int) []int32 {
	out := make([]int32, n)
	plain(out, query, rows)
	return out
}

// The plain code finds what the definition says.
func TestPlain(t *testing.T) {
	query, rows := randomNumbers(rand.New(rand.NewPCG(3, 4)), 96, 3)
	want := make([]int32, 3)
	for i := range want {
		for j, q := range query {
			want[i] += int32(q) * int32(int8(rows[i*96+j]))
		}
	}
	if diff := cmp.Diff(want, plainly(query, rows, 3)); diff != "" {
		t.Errorf("plain(), -want +got:\n%s", diff)
	}
}

func TestQuantize(t *testing.T) {
	out := make([]int8, 4)
	inverse, err := Quantize(out, []float32{0.5, -1, 0.25}, MaxRow)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int8{64, -127, 32, 0}, out); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	if want := float32(1 / math.Sqrt(64*64+127*127+32*32)); inverse != want {
		t.Errorf("1 / length = %v, want %v", inverse, want)
	}
	if inverse, err := Quantize(out, make([]float32, 3), MaxRow); inverse != 0 || err != nil {
		t.Errorf("of zeros: %v, %v", inverse, err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := Quantize(out, []float32{1, float32(bad)}, MaxRow); err == nil {
			t.Errorf("no error with %v", bad)
		}
	}
}
