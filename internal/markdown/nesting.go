package markdown

import (
	"errors"
	"fmt"
	"strings"
)

// Bounds of front matter. The YAML parser's time grows with the square of
// the depth, and front matter has no need of any.
const (
	maxFront  = 1 << 20 // bytes
	maxDepth  = 20
	maxIndent = 100
)

// checkNesting refuses front matter that would keep the parser busy for long.
// It returns the offending line, counted from 1.
func checkNesting(front []string) (int, error) {
	depth, size := 0, 0
	for i, line := range front {
		if size += len(line) + 1; size > maxFront {
			return i + 1, fmt.Errorf("more than %d bytes", maxFront)
		}
		text := strings.TrimLeft(line, " ")
		depth = max(0, depth+flowDepth(text))
		if depth > maxDepth || len(line)-len(text) > maxIndent || blockDepth(text) > maxDepth {
			return i + 1, errors.New("nested too deeply")
		}
	}
	return 0, nil
}

// flowDepth counts the brackets that a line opens and does not close, those
// in quotes left out; the deepest point counts when it is beyond maxDepth.
func flowDepth(line string) int {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '[', '{':
			if depth++; depth > maxDepth {
				return depth
			}
		case ']', '}':
			depth--
		case '"', '\'':
			if i == 0 || strings.IndexByte(" [{,", line[i-1]) >= 0 {
				i = quoteEnd(line, i)
			}
		}
	}
	return depth
}

// quoteEnd returns the index of the quote that ends the one at start.
func quoteEnd(line string, start int) int {
	for i := start + 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && line[start] == '"':
			i++
		case line[i] != line[start]:
		case line[i] == '\'' && i+1 < len(line) && line[i+1] == '\'': // a quote within
			i++
		default:
			return i
		}
	}
	return len(line)
}

// blockDepth counts the marks "- ", "? " and "&x " that a line begins with.
func blockDepth(line string) int {
	n := 0
	for {
		mark, rest, ok := strings.Cut(line, " ")
		if !ok || mark != "-" && mark != "?" && !strings.HasPrefix(mark, "&") && !strings.HasPrefix(mark, "!") {
			return n
		}
		n, line = n+1, strings.TrimLeft(rest, " ")
	}
}
