// Package spelling finds the name that somebody meant but mistyped: of a setting, a command, or a flag.
package spelling

// Nearest returns the one of names that needs the fewest edits to become name: at most one, and one more
// for every four letters. It returns "" if there is none.
func Nearest(name string, names []string) string {
	best, found := 2+len(name)/4, ""
	for _, candidate := range names {
		if n := Edits(name, candidate); n < best && n < len(candidate) {
			best, found = n, candidate
		}
	}
	return found
}

// Edits counts the letters to insert, delete, replace or swap with the next one to turn a into b.
func Edits(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if swapped := i > 1 && j > 1 && a[i-2:i] == string([]byte{b[j-1], b[j-2]}); swapped {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
