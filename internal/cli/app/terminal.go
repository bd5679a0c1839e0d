package app

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"recollect/internal/cli"
)

// IsTerminal reports whether a reader or writer is a terminal.
func IsTerminal(stream any) bool {
	if w, ok := stream.(io.Writer); ok {
		stream = Unfiltered(w)
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Unfiltered returns the writer behind a Plain, for drawing on a terminal without foreign text.
func Unfiltered(w io.Writer) io.Writer {
	if p, ok := w.(*cli.Plain); ok {
		return p.To()
	}
	return w
}

// CanAsk reports whether a user can see a question and answer it.
func (a *App) CanAsk() bool {
	in, ok := a.In.(*os.File)
	return ok && IsTerminal(in) && IsTerminal(a.Err)
}

// Confirm asks a question, and reports whether the user answered "y" or "yes".
func (a *App) Confirm(question string) bool {
	fmt.Fprintf(a.Err, "%s [y/N] ", question)
	answer, err := bufio.NewReader(io.LimitReader(a.In, 1<<10)).ReadString('\n')
	if err != nil {
		fmt.Fprintln(a.Err)
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
