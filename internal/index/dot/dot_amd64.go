package dot

import "golang.org/x/sys/cpu"

// avx2 computes the same as plain. query points to stride numbers, where
// stride is a positive multiple of Align; rows points to n rows of stride bytes,
// where n is positive.
//
//go:noescape
func avx2(out *int32, query *int16, rows *byte, stride, n int)

func products(out []int32, query []int16, rows []byte) {
	if !cpu.X86.HasAVX2 || len(out) == 0 {
		plain(out, query, rows)
		return
	}
	_ = rows[:len(out)*len(query)] // because the assembly code checks no bounds
	avx2(&out[0], &query[0], &rows[0], len(query), len(out))
}
