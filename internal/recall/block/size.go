package block

import "unicode/utf16"

const (
	// MaxUnits is the size of the largest block, in UTF-16 units. Claude Code
	// replaces a text of more than 10,000 by the name of a file.
	MaxUnits = 9500
	// MaxTokens is the same in tokens.
	MaxTokens = MaxUnits / unitsPerToken

	// unitsPerToken is the usual estimate for English text and code.
	unitsPerToken = 4
)

// Units counts text as Claude Code does.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Tokens estimates what text costs in Claude's context.
func Tokens(text string) int { return tokensOf(Units(text)) }

func tokensOf(units int) int { return (units + unitsPerToken - 1) / unitsPerToken }

// cutTo returns the beginning of text, of at most limit units, with an
// ellipsis where something was left out.
func cutTo(text string, limit int) string {
	if Units(text) <= limit {
		return text
	}
	left := limit - 1 // for the ellipsis
	for i, r := range text {
		if left -= utf16.RuneLen(r); left < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
