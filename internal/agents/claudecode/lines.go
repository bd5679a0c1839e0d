package claudecode

import (
	"bytes"

	"recollect/internal/system/nesting"
)

// byteOrderMark is what some editors and exports write before the first line.
var byteOrderMark = []byte("\ufeff")

// maxTries limits the search for the next record in a broken line.
const maxTries = 64

// trimLine removes white space and a byte order mark around the records of a line.
func trimLine(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), byteOrderMark))
}

// objects divides a line into its JSON objects, nearly always one. A line may hold two, or half of one
// before another, if a client was killed while writing or two wrote at once. It counts the broken parts.
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

// mayHoldTwo reports whether a line may hold more than one object. It may be wrong, because source code
// contains the same characters.
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

// recordStarts are the beginnings of records.
var recordStarts = [...][]byte{[]byte(`{"parentUuid":`), []byte(`{"type":"`)}

// objectEnd returns the end of the object at the start of a line, or 0 if it has no end.
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

// stringEnd returns the offset of the quote that ends the string at from, or −1.
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

// nextObject returns the part of a line after a broken record: from the first beginning of a record that
// is whole and followed by an object or nothing.
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

// whole reports whether a line without a newline consists of whole objects.
func whole(line []byte) bool {
	line = trimLine(line)
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	all, broken := objects(line)
	return broken == 0 && len(all) > 0 && nesting.ValidJSONBytes(all[len(all)-1])
}
