//go:build !amd64 && !arm64

package dot

func products(out []int32, query []int16, rows []byte) { plain(out, query, rows) }
