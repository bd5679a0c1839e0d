package vectors

import "golang.org/x/sys/cpu"

// dotsAVX2 computes the same as dotsPlain. query points to stride numbers, where
// stride is a positive multiple of align; rows points to n rows of stride bytes,
// where n is positive.
//
//go:noescape
func dotsAVX2(out *int32, query *int16, rows *byte, stride, n int)

func dots(out []int32, query []int16, rows []byte) {
	if !cpu.X86.HasAVX2 || len(out) == 0 {
		dotsPlain(out, query, rows)
		return
	}
	_ = rows[:len(out)*len(query)] // because the assembly code checks no bounds
	dotsAVX2(&out[0], &query[0], &rows[0], len(query), len(out))
}
