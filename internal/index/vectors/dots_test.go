package vectors

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The assembly finds what the plain code finds, for every length of a row,
// number of rows and place in memory, and with numbers at their limits.
func TestDots(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for stride := align; stride <= MaxDims; stride += align {
		for _, n := range []int{0, 1, 2, 5, 17} {
			query, rows := randomNumbers(r, stride, n)
			checkDots(t, fmt.Sprintf("%d rows of %d", n, stride), query, rows, n)
		}
	}
	for _, sign := range []int16{1, -1} {
		query, rows := make([]int16, MaxDims), make([]byte, 2*MaxDims)
		for i := range query {
			query[i] = sign * maxQuery
		}
		for i := range rows {
			rows[i] = maxByte
		}
		checkDots(t, "numbers at their limits", query, rows, 2)
		if got, want := plainDots(query, rows, 2)[1], int32(sign)*MaxDims*maxByte*maxQuery; got != want {
			t.Errorf("dotsPlain() = %d at the limits, want %d", got, want)
		}
	}
}

func randomNumbers(r *rand.Rand, stride, n int) ([]int16, []byte) {
	query := make([]int16, stride)
	for i := range query {
		query[i] = int16(r.IntN(2*maxQuery+1) - maxQuery)
	}
	at := r.IntN(align) // rows begin anywhere
	rows := make([]byte, at+n*stride)[at:]
	for i := range rows {
		rows[i] = byte(r.IntN(2*maxByte+1) - maxByte)
	}
	return query, rows
}

func checkDots(t *testing.T, name string, query []int16, rows []byte, n int) {
	t.Helper()
	out := make([]int32, n+1)
	out[n] = 77
	dots(out[:n], query, rows)
	if diff := cmp.Diff(append(plainDots(query, rows, n), 77), out); diff != "" {
		t.Errorf("%s: dots(), -plain +fast:\n%s", name, diff)
	}
}

func plainDots(query []int16, rows []byte, n int) []int32 {
	out := make([]int32, n)
	dotsPlain(out, query, rows)
	return out
}

// The plain code finds what the definition says.
func TestDotsPlain(t *testing.T) {
	query, rows := randomNumbers(rand.New(rand.NewPCG(3, 4)), 96, 3)
	want := make([]int32, 3)
	for i := range want {
		for j, q := range query {
			want[i] += int32(q) * int32(int8(rows[i*96+j]))
		}
	}
	if diff := cmp.Diff(want, plainDots(query, rows, 3)); diff != "" {
		t.Errorf("dotsPlain(), -want +got:\n%s", diff)
	}
}
