// Package dot computes dot products of whole numbers: exactly, and equally on
// every processor. A query of 16-bit numbers is multiplied with rows of 8-bit
// numbers, as for the comparison of a prompt with all memories, and for the
// layers of an embedding model.
package dot

// Align is what the number of columns must be a multiple of; rows are filled
// up with zeros.
const Align = 32

// Products sets out to the dot products of query with the consecutive rows in
// rows, which are bytes of two's complement, len(query) a row. len(query) must
// be a positive multiple of Align, and rows have at least len(out) rows. The
// caller sees to it that no product needs more than 32 bits.
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
