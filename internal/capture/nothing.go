package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"recollect/internal/agents/claudecode"
	"recollect/internal/system/regular"
)

// maxShown is the most that is read of a line to say what it is, in bytes.
const maxShown = 1 << 20

// whyNothing says why nothing came of a file that was read as a transcript.
func whyNothing(f *os.File, scan claudecode.Scan, turns int) string {
	if turns > 0 {
		return fmt.Sprintf("none of its turns (%d) has anything to remember", turns)
	}
	if scan.Lines > scan.Skipped && isTranscript(f) {
		return fmt.Sprintf("it is a transcript, but none of its lines (%d) is a prompt that somebody typed", scan.Lines)
	}
	content, err := regular.From(f, 0)
	if err != nil || content.Size() == 0 {
		return "the file is empty"
	}
	const none = "it is no transcript and no export: "
	for lines := regular.NewLines(content, maxShown); ; {
		line, err := lines.Next()
		text := bytes.TrimSpace(bytes.TrimPrefix(line.Text, []byte(byteOrderMark)))
		switch {
		case err == io.EOF:
			return none + "it has only empty lines"
		case err != nil:
			return none + err.Error()
		case line.TooLong:
			return none + fmt.Sprintf("line %d has more than %d MiB", line.Number, maxShown>>20)
		case len(text) > 0:
			return none + fmt.Sprintf("line %d %s", line.Number, whatIsLacking(text))
		}
	}
}

// whatIsLacking says what a line lacks to be one of a transcript or an export.
func whatIsLacking(line []byte) string {
	var members map[string]json.RawMessage
	switch err := json.Unmarshal(line, &members); {
	case bytes.HasPrefix(line, []byte("\xff\xfe")), bytes.HasPrefix(line, []byte("\xfe\xff")):
		return "is UTF-16; save the file as UTF-8"
	case err != nil:
		return "is no JSON object"
	case members["source"] == nil:
		return `has no "type", as in a transcript, and no "source", as in an export`
	}
	return `has no "id", as in an export`
}

// isTranscript reports whether one of the first lines of a file is of a
// transcript: its lines have a type.
func isTranscript(f *os.File) bool {
	content, err := regular.From(f, 0)
	if err != nil {
		return false
	}
	lines := regular.NewLines(content, maxRecord)
	for range sniffed {
		line, err := lines.Next()
		if err != nil {
			return false
		}
		var record struct{ Type string }
		if json.Unmarshal(line.Text, &record) == nil && record.Type != "" {
			return true
		}
	}
	return false
}
