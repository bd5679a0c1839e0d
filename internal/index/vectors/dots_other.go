//go:build !amd64 && !arm64

package vectors

func dots(out []int32, query []int16, rows []byte) { dotsPlain(out, query, rows) }
