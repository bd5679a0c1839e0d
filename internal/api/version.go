package api

import (
	"cmp"
	"strconv"
	"strings"
)

// Older reports whether version a is older than version b. Both have the form
// 1.2.3; a suffix after a hyphen or a plus does not count. An empty version is
// neither older nor newer.
func Older(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, y := readNumbers(a), readNumbers(b)
	return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]), cmp.Compare(x[2], y[2])) < 0
}

func readNumbers(version string) (out [3]int) {
	version, _, _ = strings.Cut(version, "-")
	version, _, _ = strings.Cut(version, "+")
	for i, part := range strings.SplitN(version, ".", 3) {
		out[i], _ = strconv.Atoi(part) // a part that is not a number counts as 0
	}
	return out
}
