package dot

import (
	"fmt"
	"math"
)

// Largest absolute values of a row's numbers and of a query's. That of a query is larger because
// more precision costs nothing there. The largest product of a few thousand columns,
// 4,096 × MaxRow × MaxQuery = 1.07e9, fits into 32 bits.
const (
	MaxRow   = 127
	MaxQuery = 2047
)

// Quantize scales vector so that its largest number becomes limit, rounds it and writes it to out;
// numbers of out beyond its end stay as they are. It returns 1 / the length of the rounded vector,
// so that cosines refer to what is stored: rounding changes the direction of a vector, but not its
// length. For a vector of zeros it returns 0; a number that is not finite is an error.
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
