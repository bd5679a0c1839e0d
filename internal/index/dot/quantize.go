package dot

import (
	"fmt"
	"math"
)

// Largest absolute values of the numbers in a row and in a query. The query's is larger because its
// precision costs nothing. The largest product of a few thousand columns, 4,096 × MaxRow × MaxQuery =
// 1.07e9, fits into 32 bits.
const (
	MaxRow   = 127
	MaxQuery = 2047
)

// Quantize scales vector so that its largest number becomes limit, rounds it and writes it to out,
// leaving the rest of out unchanged. It returns 1 / the length of the rounded vector, because rounding
// changes the length and cosines refer to the stored numbers. It returns 0 for a vector of zeros, and an
// error for numbers that are not finite.
func Quantize[T int8 | int16](out []T, vector []float32, limit float64) (float32, error) {
	largest := 0.0
	for _, x := range vector {
		size := math.Abs(float64(x))
		if math.IsNaN(size) || math.IsInf(size, 0) {
			return 0, fmt.Errorf("a number is %v", x)
		}
		largest = max(largest, size)
	}
	if largest == 0 {
		return 0, nil
	}
	sum := 0
	for i, x := range vector {
		n := int(math.Round(float64(x) / largest * limit))
		out[i] = T(n)
		sum += n * n
	}
	return float32(1 / math.Sqrt(float64(sum))), nil
}
