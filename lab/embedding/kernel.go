package embedding

// The kernels below add up in the same order as their plain forms, so that the vectorised build gives the
// same model.

// panelWidth is the number of columns of the right matrix that are multiplied at once.
const panelWidth = 16

// rowBlock is the number of elements of a row that are added up at once.
const rowBlock = 64

// multiply sets c (m×n) to a (m×k) times b (k×n), all row-major. n must be a multiple of panelWidth and m
// of 4. panel must have room for k×panelWidth numbers.
func multiply(c, a, b, panel []float32, m, k, n int) {
	for j := 0; j < n; j += panelWidth {
		for i := range k {
			copy(panel[i*panelWidth:][:panelWidth], b[i*n+j:])
		}
		multiplyPanel(c[j:], a, panel, m, k, n)
	}
}

// multiplyTransposed is multiply with b given as its transpose (n×k).
func multiplyTransposed(c, a, b, panel []float32, m, k, n int) {
	for j := 0; j < n; j += panelWidth {
		for col := range panelWidth {
			for i, x := range b[(j+col)*k:][:k] {
				panel[i*panelWidth+col] = x
			}
		}
		multiplyPanel(c[j:], a, panel, m, k, n)
	}
}

func multiplyPanel(c, a, panel []float32, m, k, n int) {
	for i := 0; i < m; i += 4 {
		multiply4(c[i*n:], n, a[i*k:][:k], a[(i+1)*k:][:k], a[(i+2)*k:][:k], a[(i+3)*k:][:k], panel)
	}
}

// transpose sets dst (n×n) to the transpose of src, in blocks that fit the cache.
func transpose(dst, src []float32, n int) {
	const block = 8
	for i := 0; i < n; i += block {
		for j := 0; j < n; j += block {
			for y := i; y < i+block; y++ {
				for x := j; x < j+block; x++ {
					dst[x*n+y] = src[y*n+x]
				}
			}
		}
	}
}

// Constants of exponentials: x = n·ln 2 + r with |r| below ln 2 / 2. There the Taylor series needs six
// terms for the precision of a float32. ln 2 is in two parts so that r loses no digits.
const (
	log2e   = 1.44269504
	ln2High = 0.693359375
	ln2Low  = -2.12194440e-4
	// leastExponent bounds x from below, because e^-80 is practically zero.
	leastExponent = -80
)
