package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"recollect/internal/recall/block"
)

const (
	usualWidth    = 80 // columns of a terminal of unknown width
	narrowest     = 20 // least columns of a line: an id has 17
	cutMark       = "…"
	columnSpacing = 2
)

// Width returns how many columns a line on w may have: the width of the terminal, else $COLUMNS. If
// both are unknown it is 80 on a terminal, and 0 elsewhere, which means any number.
func Width(w io.Writer) int {
	f := fileOf(w)
	terminal := f != nil && term.IsTerminal(int(f.Fd()))
	if terminal {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return max(columns, narrowest)
		}
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return max(columns, narrowest)
	}
	if terminal {
		return usualWidth
	}
	return 0
}

// fileOf returns the file that w writes to, or nil.
func fileOf(w io.Writer) *os.File {
	if p, ok := w.(*Plain); ok {
		w = p.to
	}
	f, _ := w.(*os.File)
	return f
}

// A Style is the parameter of an escape sequence, "" for plain text.
type Style string

// The styles.
const (
	Heading Style = "1"
	Faint   Style = "2"
	Good    Style = "32"
	Doubt   Style = "33"
	Bad     Style = "31"
	Name    Style = "36"
)

// A Span is a text in one style.
type Span struct {
	Style Style
	Text  string
}

// Text returns a plain span.
func Text(format string, args ...any) Span { return Span{Text: fmt.Sprintf(format, args...)} }

// A ColorMode is the value of a flag: color on a terminal, always, or never.
type ColorMode string

// The modes. The zero value is ColorAuto.
const (
	ColorAuto   ColorMode = "auto"
	ColorAlways ColorMode = "always"
	ColorNever  ColorMode = "never"
)

// Print writes spans to w. Only a Plain colors them, after it has removed escape sequences from their
// texts.
func Print(w io.Writer, spans ...Span) error {
	if p, ok := w.(*Plain); ok {
		return p.printSpans(spans)
	}
	for _, s := range spans {
		if _, err := io.WriteString(w, s.Text); err != nil {
			return err
		}
	}
	return nil
}

func isColored(w io.Writer, mode ColorMode) bool {
	switch mode {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	}
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	f := fileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd())) && enableColor(f)
}

// Columns returns how many columns a text takes: wide characters take two, combining marks none.
func Columns(text string) int { return uniseg.StringWidth(text) }

// Clip cuts a text to at most columns columns, between two words if three quarters of that are left.
func Clip(text string, columns int) string {
	if Columns(text) <= columns {
		return text
	}
	var b strings.Builder
	room, state := columns-Columns(cutMark), -1
	var next string
	for text != "" {
		var width int
		next, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		if room -= width; room < 0 {
			break
		}
		b.WriteString(next)
	}
	cut := b.String()
	if at := strings.LastIndexByte(cut, ' '); next != " " && at > len(cut)*3/4 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ") + cutMark
}

// Line returns a text on one line, cut to the width of w.
func Line(w io.Writer, text string) string {
	text = oneLine(text)
	if width := Width(w); width > 0 {
		return Clip(text, width)
	}
	return text
}

// oneLine returns a text on one line, without the characters that Plain leaves out.
func oneLine(text string) string {
	text = block.Plain(text)
	if !strings.ContainsAny(text, "\n\t") {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// Fold writes a text after lead, on as many lines as it needs. All lines but the first are indented
// by the width of lead. A word that is too long for a line gets one of its own.
func Fold(w io.Writer, lead Span, text string) error {
	return Print(w, lead, Text("%s\n", Wrap(text, Columns(lead.Text), Width(w))))
}

// FoldLines writes a text of several lines. It wraps lines that are too long for w, and keeps their
// indentation.
func FoldLines(w io.Writer, text string) error {
	width := Width(w)
	var out strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if width > 0 && Columns(line) > width {
			words := strings.TrimLeft(line, " -")
			lead := line[:len(line)-len(words)]
			line = lead + Wrap(words, Columns(lead), width)
		}
		out.WriteString(line + "\n")
	}
	return Print(w, Text("%s", out.String()))
}

// Wrap breaks a text into lines of at most width columns, all but the first with indent spaces before
// them; the first begins at that column. A width of 0 changes nothing.
func Wrap(text string, indent, width int) string {
	if width == 0 {
		return text
	}
	at := indent
	if indent > width/2 {
		indent = narrowest / 2
	}
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		n := Columns(word)
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// Count returns a number and a noun: one for 1, many for other numbers.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
