// Package dot computes dot products of whole numbers, exactly and with the same result on every
// processor. It multiplies a query of 16-bit numbers with rows of 8-bit numbers, to compare a prompt with
// all memories and to compute the layers of an embedding model.
package dot

// Align divides the number of columns. Callers pad rows with zeros.
const Align = 32

// Products sets out to the dot products of query with consecutive rows, each len(query) bytes of two's
// complement. len(query) must be a positive multiple of Align, and there must be at least len(out) rows.
// The caller ensures that every product fits into 32 bits.
func Products(out []int32, query []int16, rows []byte) { products(out, query, rows) }

// plain is Products without assembly.
func plain(out []int32, query []int16, rows []byte) {
	n := len(query)
	for i := range out {
		row := rows[i*n : i*n+n : i*n+n]
		var a, b, c, d int32
		for j := 0; j+4 <= len(row) && j+4 <= len(query); j += 4 {
			a += int32(query[j]) * int32(int8(row[j]))
			b += int32(query[j+1]) * int32(int8(row[j+1]))
			c += int32(query[j+2]) * int32(int8(row[j+2]))
			d += int32(query[j+3]) * int32(int8(row[j+3]))
		}
		out[i] = a + b + c + d
	}
}
