package cli

import (
	"fmt"
	"io"
	"strings"
)

const (
	widestBar  = 40 // columns
	besidesBar = 30 // columns of what stands beside a bar
)

// A Bar is a line on a terminal that shows how far something is. It is gone when that is done.
type Bar struct {
	to    io.Writer
	what  string
	shown int // columns of the line
}

// NewBar returns a bar on a terminal that says what is done.
func NewBar(w io.Writer, what string) *Bar {
	if p, ok := w.(*Plain); ok {
		w = p.to // it moves to the beginning of the line, which is left out of all other texts
	}
	return &Bar{to: w, what: what}
}

// Show shows that so many of all are done.
func (b *Bar) Show(done, all int) {
	line, end := "", "\r"
	if done < all {
		end = ""
		columns := max(min(widestBar, Width(b.to)-besidesBar), 0)
		full := columns * done / all
		line = fmt.Sprintf("%s %3d%% |%s%s| %d/%d", b.what, 100*done/all, strings.Repeat("█", full), strings.Repeat(" ", columns-full), done, all)
	}
	left := max(b.shown-Columns(line), 0) // of the line before
	fmt.Fprint(b.to, "\r", line, strings.Repeat(" ", left), end)
	b.shown = Columns(line)
}
