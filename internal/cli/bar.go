package cli

import (
	"fmt"
	"io"
	"strings"
)

const (
	widestBar  = 40 // columns
	besidesBar = 30 // columns of the text beside a bar
)

// A Bar is a progress bar on a terminal. It disappears when everything is done.
type Bar struct {
	to    io.Writer
	what  string
	shown int // columns of the line on the terminal
}

// NewBar returns a progress bar on a terminal, labelled what.
func NewBar(w io.Writer, what string) *Bar {
	if p, ok := w.(*Plain); ok {
		w = p.to // Plain leaves out the carriage returns that the bar needs
	}
	return &Bar{to: w, what: what}
}

// Show shows that done of all are done.
func (b *Bar) Show(done, all int) {
	line, end := "", "\r"
	if done < all {
		end = ""
		columns := max(min(widestBar, Width(b.to)-besidesBar), 0)
		full := columns * done / all
		line = fmt.Sprintf("%s %3d%% |%s%s| %d/%d", b.what, 100*done/all, strings.Repeat("█", full), strings.Repeat(" ", columns-full), done, all)
	}
	left := max(b.shown-Columns(line), 0) // columns of the previous line to clear
	fmt.Fprint(b.to, "\r", line, strings.Repeat(" ", left), end)
	b.shown = Columns(line)
}
