package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"recollect/internal/recall/block"
)

// A Plain is a writer for people. What passes through it can neither steer the terminal nor
// hide or turn what is read: escapes, other control characters and direction marks are left out,
// whatever they came from. Several goroutines may write to it.
type Plain struct {
	to    io.Writer
	color func() bool // whether to color, asked once

	mu   sync.Mutex
	rest []byte // the beginning of a character of which the end is yet to be written
}

// NewPlain returns a writer for people that writes to w.
func NewPlain(w io.Writer) *Plain {
	p := &Plain{to: w}
	p.SetColor(ColorAuto)
	return p
}

// SetColor says whether to color. It must not be called while others write.
func (p *Plain) SetColor(mode ColorMode) {
	p.color = sync.OnceValue(func() bool { return isColored(p.to, mode) })
}

// To returns the writer that p writes to.
func (p *Plain) To() io.Writer { return p.to }

// Write writes text without what steers a terminal. Bytes that are no UTF-8, which some terminals
// take for control characters, become U+FFFD.
func (p *Plain) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.writePlain(text)
}

// printSpans writes spans in their styles.
func (p *Plain) printSpans(spans []Span) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range spans {
		styled := s.Style != "" && s.Text != "" && p.color()
		if styled {
			if _, err := fmt.Fprintf(p.to, "\x1b[%sm", s.Style); err != nil {
				return err
			}
		}
		if _, err := p.writePlain([]byte(s.Text)); err != nil {
			return err
		}
		if styled {
			if _, err := io.WriteString(p.to, "\x1b[0m"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Plain) writePlain(text []byte) (int, error) {
	all := append(p.rest, text...)
	whole := wholeRunes(all)
	p.rest = bytes.Clone(all[whole:])
	if _, err := io.WriteString(p.to, block.Plain(string(all[:whole]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// wholeRunes returns the length of b without a character at its end that is not complete.
func wholeRunes(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return len(b) - n
			}
			break
		}
	}
	return len(b)
}

// PrintJSON writes v as indented JSON, in which what Plain leaves out is escaped.
func PrintJSON(w io.Writer, v any) error { return printJSON(w, v, "  ") }

// PrintLine is PrintJSON on one line.
func PrintLine(w io.Writer, v any) error { return printJSON(w, v, "") }

func printJSON(w io.Writer, v any, indent string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeUnshown(text.String()))
	return err
}

// escapeUnshown escapes what Plain would leave out of JSON, which has it in strings only.
func escapeUnshown(text string) string {
	var b bytes.Buffer
	for _, r := range text {
		switch {
		case block.Shown(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
