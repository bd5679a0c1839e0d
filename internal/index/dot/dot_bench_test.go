package dot

import (
	"fmt"
	"testing"
)

// BenchmarkProducts compares the assembly with the plain code on 100,000 rows,
// a few at a time.
func BenchmarkProducts(b *testing.B) {
	ways := []struct {
		name     string
		products func([]int32, []int16, []byte)
	}{{"assembly", Products}, {"plain", plain}}
	const rows, few = 100_000, 512
	for _, columns := range []int{128, 256} {
		query, data, out := make([]int16, columns), make([]byte, rows*columns), make([]int32, few)
		for _, way := range ways {
			b.Run(fmt.Sprintf("%s×%d", way.name, columns), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					for first := 0; first < rows; first += few {
						n := min(few, rows-first)
						way.products(out[:n], query, data[first*columns:(first+n)*columns])
					}
				}
			})
		}
	}
}
