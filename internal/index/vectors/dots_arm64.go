package vectors

// dotsNEON is dotsPlain. query points to stride numbers, a multiple of align
// above 0; rows to n rows of stride bytes, n above 0.
//
//go:noescape
func dotsNEON(out *int32, query *int16, rows *byte, stride, n int)

// Every arm64 processor has NEON.
func dots(out []int32, query []int16, rows []byte) {
	if len(out) == 0 {
		return
	}
	_ = rows[:len(out)*len(query)] // the assembly checks nothing
	dotsNEON(&out[0], &query[0], &rows[0], len(query), len(out))
}
