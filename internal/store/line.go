package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"recollect/internal/memory"
)

// maxLine is the largest length of a line in bytes, without its newline. The
// largest memory that Normalize accepts in practice takes a fifth of it.
const maxLine = 1 << 20

// What a plain line begins and ends with: see memory.Memory for the order of
// the fields. hashLen is the length of a SHA-256 in hex.
const (
	plainHead = `{"v":1,"id":"`
	plainNext = `","source":"`
	plainTail = `,"content_hash":"`
	plainEnd  = `"}`
	hashLen   = 64
)

var errTooLong = fmt.Errorf("longer than %d bytes", maxLine)

// An entry is what a scan has to know of one line.
type entry struct {
	id         string
	tombstone  bool
	holdsText  bool // a tombstone that still contains the deleted text
	reached    bool // a tombstone of a goal that was reached, not forgotten
	supersedes []string
	recorded   time.Time
	stated     memory.Source // the source that the line names, if it is not that of its log
}

// parse reads a line of the log of src, without the white space around it. Of
// a plain line only the two ends are read, unless strict is set.
func parse(line []byte, src memory.Source, strict bool) (entry, error) {
	if id, ok := plainID(line, src); ok && !strict {
		return entry{id: string(id)}, nil
	}
	m, err := unmarshal(line)
	if err != nil {
		return entry{}, err
	}
	e := entry{tombstone: m.Deleted, supersedes: m.Supersedes, recorded: m.RecordedAt, reached: m.Deleted && m.Done()}
	if m.Source != src {
		e.stated = m.Source
	}
	e.holdsText = m.Deleted && m.Title+m.Text+m.Evidence != "" || m.Deleted && len(m.Fields) > 0
	err = restoreImplied(&m, src)
	e.id = m.ID
	return e, err
}

// plainID returns the id of a line in exactly the form in which the store
// itself writes a memory that supersedes nothing. Nearly all lines have this
// form, and parsing the JSON of each would take most of the time of a start.
// Lines that differ in a single byte are left to encoding/json.
func plainID(line []byte, src memory.Source) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(plainHead))
	n := bytes.IndexByte(rest, '"')
	if !ok || n <= 0 || !printable(rest[:n]) {
		return nil, false
	}
	id, rest := rest[:n], rest[n:]
	rest, ok = bytes.CutPrefix(rest, []byte(plainNext))
	if !ok || len(rest) <= len(src) || string(rest[:len(src)]) != string(src) || rest[len(src)] != '"' {
		return nil, false
	}
	if !hashAtEnd(rest[len(src):]) || amended(rest) {
		return nil, false
	}
	return id, true
}

// printable reports whether every byte of b stands for itself in a JSON
// string.
func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// hashAtEnd reports whether a line ends with its content hash, as does every
// line that the store wrote and nobody extended.
func hashAtEnd(line []byte) bool {
	rest, ok := bytes.CutSuffix(line, []byte(plainEnd))
	if !ok || len(rest) < hashLen {
		return false
	}
	rest, hash := rest[:len(rest)-hashLen], rest[len(rest)-hashLen:]
	return bytes.IndexByte(hash, '"') < 0 && bytes.HasSuffix(rest, []byte(plainTail))
}

// amended reports whether line contains one of the two keys by which a user
// could have changed the meaning of a plain line. It looks at each colon, of
// which there are few; that is about twice as fast as a search for the keys.
func amended(line []byte) bool {
	for {
		i := bytes.IndexByte(line, ':')
		if i < 0 {
			return false
		}
		key := line[:i]
		if i > 0 && key[i-1] <= ' ' { // prose contains this too, especially French
			key = bytes.TrimRight(key, " \t\r")
		}
		if bytes.HasSuffix(key, []byte(`d"`)) && bytes.HasSuffix(key, []byte(`"deleted"`)) ||
			bytes.HasSuffix(key, []byte(`s"`)) && bytes.HasSuffix(key, []byte(`"supersedes"`)) {
			return true
		}
		line = line[i+1:]
	}
}

// decode reads a line of the log of src as a memory, in full.
func decode(line []byte, src memory.Source) (memory.Memory, error) {
	m, err := unmarshal(line)
	if err != nil {
		return m, err
	}
	return m, restoreImplied(&m, src)
}

func unmarshal(line []byte) (memory.Memory, error) {
	var m memory.Memory
	if err := json.Unmarshal(line, &m); err != nil {
		return m, err
	}
	if m.V > memory.Version {
		return m, fmt.Errorf("version %d: written by a newer recollect", m.V)
	}
	return m, nil
}

// restoreImplied sets the fields of m that a line only implies: its source is
// that of the log, and a memory that a user wrote by hand gets the fields that
// the user left out.
func restoreImplied(m *memory.Memory, src memory.Source) error {
	m.Source = src
	if m.Deleted && m.ID == "" {
		return errors.New("deleted: id missing")
	}
	if m.Deleted {
		return nil
	}
	if m.ID == "" {
		m.ContentHash = "" // whoever removes the id from a copied line makes a new memory
	}
	return m.Normalize()
}

// encode appends m to b as one line. Angle brackets are not escaped, so that
// the logs can be searched with grep.
func encode(b *bytes.Buffer, m *memory.Memory) error {
	start := b.Len()
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return err
	}
	if b.Len()-start-1 > maxLine {
		return errTooLong
	}
	return nil
}

// tombstone returns the line that remains of a deleted memory.
func tombstone(id string, src memory.Source, at time.Time) *memory.Memory {
	return &memory.Memory{V: memory.Version, ID: id, Deleted: true, Source: src, RecordedAt: at}
}
