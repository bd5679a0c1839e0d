package vectors

// dotsPlain sets out to the dot products of query with the consecutive rows in
// rows, each of len(query) bytes. They cannot overflow, see maxQuery.
func dotsPlain(out []int32, query []int16, rows []byte) {
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
