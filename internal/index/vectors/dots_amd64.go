package vectors

import "golang.org/x/sys/cpu"

// dotsAVX2 is dotsPlain. query points to stride numbers, a multiple of align
// above 0; rows to n rows of stride bytes, n above 0.
//
//go:noescape
func dotsAVX2(out *int32, query *int16, rows *byte, stride, n int)

func dots(out []int32, query []int16, rows []byte) {
	if !cpu.X86.HasAVX2 || len(out) == 0 {
		dotsPlain(out, query, rows)
		return
	}
	_ = rows[:len(out)*len(query)] // the assembly checks nothing
	dotsAVX2(&out[0], &query[0], &rows[0], len(query), len(out))
}
