package claudecode

import (
	"bytes"

	"recollect/internal/system/nesting"
)

// byteOrderMark is what some editors and exports put before the first line.
var byteOrderMark = []byte("\ufeff")

// maxTries bounds how often the beginning of a record is looked for in a line that was broken off.
const maxTries = 64

// trimLine returns a line without what surrounds its records.
func trimLine(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), byteOrderMark))
}

// objects divides a line into its JSON objects, nearly always one. Clients that were killed while
// they wrote, or two that wrote at once, left two in one line, or half of one before another; what
// is no object is counted in broken.
func objects(line []byte) (whole [][]byte, broken int) {
	if !mayHoldTwo(line) {
		return [][]byte{line}, 0
	}
	for len(line) > 0 {
		end := objectEnd(line)
		if end > 0 && nesting.ValidJSONBytes(line[:end]) {
			whole, line = append(whole, line[:end]), bytes.TrimSpace(line[end:])
			continue
		}
		broken++
		line = nextObject(line)
	}
	return whole, broken
}

// mayHoldTwo reports whether a line may hold more than one object. Source code has the same
// letters, so it may also hold only one.
func mayHoldTwo(line []byte) bool {
	if line[len(line)-1] != '}' {
		return true
	}
	for _, mark := range [...]string{"}{", "} {", `{"parentUuid":`} {
		if bytes.Contains(line[1:], []byte(mark)) {
			return true
		}
	}
	return false
}

// recordStarts are how records begin.
var recordStarts = [...][]byte{[]byte(`{"parentUuid":`), []byte(`{"type":"`)}

// objectEnd returns where the object ends that a line begins with, 0 if it does not end.
func objectEnd(line []byte) int {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			if i = stringEnd(line, i+1); i < 0 {
				return 0
			}
		}
	}
	return 0
}

// stringEnd returns where the string ends that begins at from, −1 if it does not.
func stringEnd(line []byte, from int) int {
	for i := from; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// nextObject returns what stands in a line behind what was broken off: from the first beginning of
// a record on that is followed by whole objects only.
func nextObject(line []byte) []byte {
	for range maxTries {
		at := -1
		for _, begin := range recordStarts {
			if i := bytes.Index(line[1:], begin); i >= 0 && (at < 0 || i+1 < at) {
				at = i + 1
			}
		}
		if at < 0 {
			return nil
		}
		line = line[at:]
		if end := objectEnd(line); end > 0 && nesting.ValidJSONBytes(line[:end]) && startsObject(line[end:]) {
			return line
		}
	}
	return nil
}

// startsObject reports whether the rest of a line is empty or begins with an object.
func startsObject(rest []byte) bool {
	rest = bytes.TrimSpace(rest)
	return len(rest) == 0 || rest[0] == '{'
}

// whole reports whether a line that has no end yet consists of whole objects.
func whole(line []byte) bool {
	line = trimLine(line)
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	all, broken := objects(line)
	return broken == 0 && len(all) > 0 && nesting.ValidJSONBytes(all[len(all)-1])
}
