package claudecode

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
	"recollect/internal/system/regular"
)

// A Speaker is who brought a text into a session's context.
type Speaker uint8

// The speakers.
const (
	ByUser    Speaker = 1 << iota // a prompt
	ByClaude                      // a reply
	ByTool                        // what Claude passed to a tool, or what that returned
	BySummary                     // of a compaction, which stands for all before it
)

// Bounds of what ReadSpoken reads, in bytes: of a call and its result only the beginning says what
// it is about.
const (
	longestSpoken = 4 << 10 // of a call or a result
	longestRecord = 1 << 20 // a longer line is skipped
)

// ReadSpoken passes what was said in a session to yield, from offset in its transcript on, and
// returns where to continue. It reads what lies before end, and at most room bytes, the last ones if there are more.
// The last line may still be being written, and is left for next time.
func ReadSpoken(path string, offset, end, room int64, yield func(Speaker, string)) (int64, error) {
	f, err := regular.Open(path)
	if err != nil {
		return offset, fmt.Errorf("read transcript: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return offset, fmt.Errorf("read transcript: %w", err)
	}
	end = min(end, fi.Size())
	skipped := end-offset > room
	if skipped {
		offset = end - room
	}
	lines := bufio.NewReaderSize(io.NewSectionReader(f, offset, max(0, end-offset)), 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return offset, nil
		}
		if err != nil {
			return offset, fmt.Errorf("read transcript: %w", err)
		}
		offset += int64(len(line))
		if !skipped && len(line) <= longestRecord {
			speak(trimLine(line), yield)
		}
		skipped = false // of the first line only the end may have been read
	}
}

// speak passes on what a line of a transcript says.
func speak(line []byte, yield func(Speaker, string)) {
	if !bytes.Contains(line, []byte(`"message"`)) || !nesting.ValidJSONBytes(line) {
		return
	}
	rec := gjson.ParseBytes(line)
	kind, content := rec.Get("type").Str, rec.Get("message.content")
	if rec.Get("isSidechain").Bool() || kind != "user" && kind != "assistant" {
		return
	}
	by := ByClaude
	switch {
	case rec.Get("isCompactSummary").Bool():
		by = BySummary
	case kind == "user":
		by = ByUser
	}
	if content.Type == gjson.String {
		yield(by, content.Str)
		return
	}
	content.ForEach(func(_, part gjson.Result) bool {
		speakPart(part, by, yield)
		return true
	})
}

func speakPart(part gjson.Result, by Speaker, yield func(Speaker, string)) {
	switch part.Get("type").Str {
	case "text":
		yield(by, part.Get("text").Str)
	case "tool_use":
		part.Get("input").ForEach(func(_, value gjson.Result) bool {
			yield(ByTool, beginningOf(value.String()))
			return true
		})
	case "tool_result":
		content := part.Get("content")
		if content.Type == gjson.String {
			yield(ByTool, beginningOf(content.Str))
			return
		}
		content.ForEach(func(_, block gjson.Result) bool {
			yield(ByTool, beginningOf(block.Get("text").Str))
			return true
		})
	}
}

func beginningOf(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), longestSpoken)], "")
}
