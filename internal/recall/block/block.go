// Package block writes the text in which Claude reads memories, the same for a
// prompt, a session's start, a tool call, a sub-agent and the tools of the MCP
// server.
//
// A block is a frame with entries in it. The frame is a pair of tags with a
// note about what stands between them. An entry is one memory: a heading
// and, in its whole form, the memory's body on indented lines. Every text that
// comes from a memory is made neutral on its way: it can neither close the
// frame, nor imitate a tag that means something to Claude, nor stand outside
// its entry. The size of a block is counted in units, as Claude Code counts
// it, and in tokens, which are estimated.
package block

import (
	"fmt"
	"strings"

	"recollect/internal/memory"
)

const (
	frameEnd = "</" + memory.FrameTag + ">"
	note     = "Notes from earlier sessions, true when written; check before relying on them."
)

func frameStart(entries int) string {
	return fmt.Sprintf("<%s source=\"recollect\" items=\"%d\" note=\"%s\">", memory.FrameTag, entries, note)
}

// frameUnits is what the frame around that many entries costs, with the line
// breaks that set it off.
func frameUnits(entries int) int { return Units(frameStart(entries)) + Units(frameEnd) + 2 }

// Frame joins entries to a block. Without entries it is empty.
func Frame(entries []string) string {
	if len(entries) == 0 {
		return ""
	}
	return frameStart(len(entries)) + "\n" + strings.Join(entries, "\n") + "\n" + frameEnd
}

// Fit makes a block of at most limit units from as many of the first entries
// as it can hold, and returns how many those are. The very first is cut where
// it is too long by itself.
func Fit(entries []string, limit int) (text string, held int, cut bool) {
	left := limit - frameUnits(len(entries))
	for held < len(entries) {
		n := Units(entries[held]) + 1
		if n > left {
			break
		}
		left -= n
		held++
	}
	if held > 0 || len(entries) == 0 {
		return Frame(entries[:held]), held, false
	}
	return Frame([]string{cutTo(entries[0], max(left, 1))}), 1, true
}
