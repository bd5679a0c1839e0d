package recall

import (
	"unicode/utf16"

	"recollect/internal/config"
	"recollect/internal/memory"
)

// maxUnits is the size of the largest injection, in UTF-16 units. Claude Code
// replaces a text of more than 10,000 by the name of a file.
const maxUnits = 9500

// charsPerToken is the usual estimate for English text and code.
const charsPerToken = 4

// units counts text as Claude Code does.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// tokens estimates what text costs in Claude's context.
func tokens(text string) int { return (units(text) + charsPerToken - 1) / charsPerToken }

// A purse holds what may still be told.
type purse struct {
	items   int
	tokens  int
	units   int
	sources map[memory.Source]int
}

// newPurse opens a purse for the frame and n memories.
func newPurse(c *config.Config, limit, items int) purse {
	cost := units(frameStart(items)) + units(frameEnd) + 2
	p := purse{
		items:   items,
		tokens:  limit - (cost+charsPerToken-1)/charsPerToken,
		units:   maxUnits - cost,
		sources: map[memory.Source]int{},
	}
	for _, src := range memory.Sources {
		p.sources[src] = c.Sources.Of(src).Tokens
	}
	return p
}

// pay takes an entry's cost out of the purse, if it has that much.
func (p *purse) pay(src memory.Source, entry string) bool {
	line := entry + "\n"
	t, u := tokens(line), units(line)
	if p.items < 1 || t > p.tokens || u > p.units || t > p.sources[src] {
		return false
	}
	p.items--
	p.tokens -= t
	p.units -= u
	p.sources[src] -= t
	return true
}
