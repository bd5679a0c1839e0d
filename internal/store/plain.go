package store

import (
	"bytes"
	"hash/crc32"
	"strconv"
	"time"
	"unicode/utf8"

	"recollect/internal/memory"
)

// The beginning and end of a plain line; memory.Memory fixes the order of the fields. hashLen is the
// length of a SHA-256 in hex.
const (
	plainHead = `{"v":1,"id":"`
	plainNext = `","source":"`
	plainTail = `,"content_hash":"`
	plainEnd  = `"}`
	hashLen   = 64
)

// plainEntry reads a line that has exactly the form in which the store writes a memory that supersedes
// nothing. Nearly all lines have it, and parsing the JSON of each would take most of the time of a start.
// It leaves all other lines to encoding/json. last is the entry of the previous line, which mostly has
// the same session and project.
func plainEntry(line []byte, src memory.Source, last entry) (entry, bool) {
	id, rest, ok := plainID(line, src)
	if !ok {
		return entry{}, false
	}
	f, ok := plainFields(rest)
	if !ok {
		return entry{}, false
	}
	e := entry{id: string(id), session: last.session, project: last.project, agent: string(f.agent)}
	if string(f.session) != last.session {
		e.session = string(f.session)
	}
	if string(f.appliesTo) == memory.Global {
		e.project = memory.Project{}
	} else if p := last.project; string(f.project) != p.Name || string(f.path) != p.Path || string(f.remote) != p.Remote {
		e.project = memory.Project{Name: string(f.project), Path: string(f.path), Remote: string(f.remote)}
	}
	if f.occurred != nil {
		t, err := time.Parse(time.RFC3339Nano, string(f.occurred))
		if err != nil {
			return entry{}, false
		}
		e.occurred = t.UnixMicro()
	} else {
		e.occurred = time.Time{}.UnixMicro()
	}
	if f.clock != nil {
		var err error
		if e.clock, err = strconv.ParseUint(string(f.clock), 10, 64); err != nil {
			return entry{}, false
		}
	}
	if e.session != "" && f.turn != nil {
		e.turn = turnHash(f.turn)
	} else if e.session != "" {
		e.turn = turnHash(id) // the memory is its own turn
	}
	return e, true
}

// turnHash returns the checksum that identifies a turn.
func turnHash(turn []byte) uint32 { return crc32.Checksum(turn, castagnoli) }

// plainID returns the id of a plain line, and the rest of the line after its source.
func plainID(line []byte, src memory.Source) (id, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(line, []byte(plainHead))
	n := bytes.IndexByte(rest, '"')
	if !ok || n <= 0 || !printable(rest[:n]) {
		return nil, nil, false
	}
	id, rest = rest[:n], rest[n:]
	rest, ok = bytes.CutPrefix(rest, []byte(plainNext))
	if !ok {
		return nil, nil, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(string(src)+`"`)); !ok {
		return nil, nil, false
	}
	return id, rest, hashAtEnd(rest)
}

// printable reports whether every byte of b stands for itself in a JSON string.
func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// hashAtEnd reports whether a line ends with its content hash, as every line does that the store wrote
// and nobody extended.
func hashAtEnd(line []byte) bool {
	rest, ok := bytes.CutSuffix(line, []byte(plainEnd))
	if !ok || len(rest) < hashLen {
		return false
	}
	rest, hash := rest[:len(rest)-hashLen], rest[len(rest)-hashLen:]
	return bytes.IndexByte(hash, '"') < 0 && bytes.HasSuffix(rest, []byte(plainTail))
}

// lineFields are the values of some fields of a plain line; nil means that it lacks the field.
type lineFields struct{ occurred, session, turn, agent, project, path, remote, appliesTo, clock []byte }

// plainFields finds the fields by looking at each colon, which is about twice as fast as searching for
// the keys, because colons are few. It returns false if the line has one of the three keys by which a
// user could have changed its meaning, or anything else that the store would not have written.
func plainFields(line []byte) (f lineFields, ok bool) {
	for {
		i := bytes.IndexByte(line, ':')
		if i < 0 {
			return f, true
		}
		key := line[:i]
		line = line[i+1:]
		if i > 0 && key[i-1] <= ' ' { // prose contains this too, especially French
			key = bytes.TrimRight(key, " \t\r")
		}
		if len(key) < 3 || key[len(key)-1] != '"' || key[len(key)-2] == '\\' {
			continue
		}
		if bytes.HasSuffix(key, []byte(`,"fields"`)) {
			if line, ok = afterFields(line); !ok {
				return f, false
			}
		} else if !f.note(key, line) {
			return f, false
		}
	}
}

// note records the value of a field. The value is the start of the rest of the line.
func (f *lineFields) note(key, value []byte) bool {
	if len(value) > 0 && value[0] == '{' {
		return false
	}
	var field *[]byte
	switch key[len(key)-2] {
	case 'd':
		return !bytes.HasSuffix(key, []byte(`"deleted"`))
	case 'g':
		return !bytes.HasSuffix(key, []byte(`"pending"`))
	case 's':
		return !bytes.HasSuffix(key, []byte(`"supersedes"`))
	case 't':
		if bytes.HasSuffix(key, []byte(`"occurred_at"`)) {
			field = &f.occurred
		} else if bytes.HasSuffix(key, []byte(`"agent"`)) {
			field = &f.agent
		} else if bytes.HasSuffix(key, []byte(`"project"`)) {
			field = &f.project
		}
	case 'k':
		if bytes.HasSuffix(key, []byte(`"clock"`)) {
			n := bytes.IndexByte(value, ',')
			if n <= 0 || f.clock != nil {
				return false
			}
			f.clock = value[:n]
		}
	case 'o':
		if bytes.HasSuffix(key, []byte(`"applies_to"`)) {
			field = &f.appliesTo
		}
	case 'h':
		if bytes.HasSuffix(key, []byte(`"project_path"`)) {
			field = &f.path
		}
	case 'e':
		if bytes.HasSuffix(key, []byte(`"project_remote"`)) {
			field = &f.remote
		}
	case 'n':
		if bytes.HasSuffix(key, []byte(`"session"`)) {
			field = &f.session
		} else if bytes.HasSuffix(key, []byte(`"turn"`)) {
			field = &f.turn
		}
	}
	if field == nil {
		return true
	}
	text, ok := plainString(value)
	if !ok || *field != nil {
		return false
	}
	*field = text
	return true
}

// maxPlain is the largest length of a plain string in bytes. No name of a session, turn or folder is
// longer.
const maxPlain = 500

// plainString returns the JSON string at the start of b, if each of its bytes stands for itself.
func plainString(b []byte) ([]byte, bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, false
	}
	n := bytes.IndexByte(b[1:], '"')
	if n <= 0 || n > maxPlain || !literal(b[1:1+n]) {
		return nil, false
	}
	return b[1 : 1+n], true
}

// literal reports whether b is UTF-8 without control characters and backslashes.
func literal(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c == 0x7f || c == '\\' {
			return false
		}
	}
	return utf8.Valid(b)
}

// afterFields returns the rest of b after the fields of a memory, an object of strings.
func afterFields(b []byte) ([]byte, bool) {
	if len(b) == 0 || b[0] != '{' {
		return nil, false
	}
	for {
		var ok bool
		if b, ok = afterString(b[1:]); !ok || len(b) == 0 || b[0] != ':' {
			return nil, false
		}
		if b, ok = afterString(b[1:]); !ok || len(b) == 0 {
			return nil, false
		}
		if b[0] == '}' {
			return b[1:], true
		}
		if b[0] != ',' {
			return nil, false
		}
	}
}

// afterString returns the rest of b after the JSON string at its start.
func afterString(b []byte) ([]byte, bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, false
	}
	for b = b[1:]; ; {
		n := bytes.IndexByte(b, '"')
		if n < 0 {
			return nil, false
		}
		end := b[:n]
		b = b[n+1:]
		if slashes := len(end) - len(bytes.TrimRight(end, `\`)); slashes%2 == 0 {
			return b, true
		}
	}
}
