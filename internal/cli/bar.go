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

// A Bar is a progress bar on a terminal. It disappears when everything is done, and before a message.
type Bar struct {
	on    *Plain
	what  string
	shown int // columns of the line on the terminal
}

// NewBar returns a progress bar on a terminal, labelled what.
func NewBar(w io.Writer, what string) *Bar {
	p, ok := w.(*Plain)
	if !ok {
		p = NewPlain(w)
	}
	return &Bar{on: p, what: what}
}

// Show shows that done of all are done.
func (b *Bar) Show(done, all int) {
	b.on.mu.Lock()
	defer b.on.mu.Unlock()
	b.on.bar = b
	line := ""
	if done < all {
		columns := max(min(widestBar, Width(b.on)-besidesBar), 0)
		full := columns * done / all
		line = fmt.Sprintf("%s %3d%% |%s%s| %d/%d", b.what, 100*done/all, strings.Repeat("█", full), strings.Repeat(" ", columns-full), done, all)
	}
	b.draw(line)
}

// draw replaces the line on the terminal. The caller holds the lock of the Plain, which leaves out the carriage
// returns that this needs.
func (b *Bar) draw(line string) {
	end := ""
	if line == "" {
		end = "\r"
	}
	left := max(b.shown-Columns(line), 0) // columns of the previous line to clear
	fmt.Fprint(b.on.to, "\r", line, strings.Repeat(" ", left), end)
	b.shown = Columns(line)
}
