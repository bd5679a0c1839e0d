package dot

// neon computes the same as plain. query points to stride numbers, where
// stride is a positive multiple of Align; rows points to n rows of stride bytes,
// where n is positive.
//
//go:noescape
func neon(out *int32, query *int16, rows *byte, stride, n int)

// Every arm64 processor has NEON.
func products(out []int32, query []int16, rows []byte) {
	if len(out) == 0 {
		return
	}
	_ = rows[:len(out)*len(query)] // because the assembly code checks no bounds
	neon(&out[0], &query[0], &rows[0], len(query), len(out))
}
