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

// A Plain is a writer for people. It leaves out escape sequences, other control characters and
// direction marks, so that no text can control the terminal, or hide or turn other text. It is safe
// for concurrent writes.
type Plain struct {
	to    io.Writer
	color func() bool // reports whether to color; called once

	mu   sync.Mutex
	rest []byte // the first bytes of a character that is not complete yet
	bar  *Bar   // the last one that was shown; nil for none
}

// NewPlain returns a writer for people that writes to w.
func NewPlain(w io.Writer) *Plain {
	p := &Plain{to: w}
	p.SetColor(ColorAuto)
	return p
}

// SetColor sets whether to color. It must not be called during a write.
func (p *Plain) SetColor(mode ColorMode) {
	p.color = sync.OnceValue(func() bool { return isColored(p.to, mode) })
}

// To returns the writer that p writes to.
func (p *Plain) To() io.Writer { return p.to }

// Write writes text without characters that control a terminal. Bytes that are not UTF-8 become U+FFFD,
// because some terminals take them for control characters.
func (p *Plain) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.writePlain(text)
}

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
	if p.bar != nil && p.bar.shown > 0 {
		p.bar.draw("")
	}
	all := append(p.rest, text...)
	whole := wholeRunes(all)
	p.rest = bytes.Clone(all[whole:])
	if _, err := io.WriteString(p.to, block.Plain(string(all[:whole]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// wholeRunes returns the length of b without an incomplete character at its end.
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

// PrintJSON writes v as indented JSON. It escapes the characters that Plain leaves out.
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

// escapeUnshown escapes the characters that Plain leaves out. In JSON they occur only in strings.
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
