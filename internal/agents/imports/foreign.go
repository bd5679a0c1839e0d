// Package imports reads the records of other memory programs as memories of
// ours.
//
// Each record becomes one memory. Its source follows from the kind of the
// record, its time is that of the record, and its project is determined by the
// folder if it is known, otherwise by the name. Nothing is invented; data for
// which a memory has no field is added to its text or its tags. Internal data
// of the programs (checksums, sync states, counters, vectors, raw tool output)
// is left out, and so are deleted records.
//
// Databases are read by recollect-import, see package record.
//
// A memory's identity is derived from the program's own id: the same record
// always gives the same id, even when its text has changed.
package imports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// programs are the supported programs, in the order in which they are listed
// to users.
var programs = []struct {
	name string
	read func(*reader, context.Context) error
}{
	{"claude-mem", (*reader).database},
	{"engram", (*reader).database},
	{"local-recall", (*reader).localRecall},
	{"episodic-memory", (*reader).episodicMemory},
	{"memory-md", (*reader).autoMemory},
}

// Names lists the programs.
func Names() []string {
	var names []string
	for _, p := range programs {
		names = append(names, p.name)
	}
	return names
}

// Read passes the memories that a program stores at path to yield, and what it
// cannot read of them as an error that says what and why. path is a file or the
// folder that contains it. project returns the project of a folder. An error of
// yield ends Read.
func Read(ctx context.Context, program, path string, project func(dir string) memory.Project, yield func(memory.Draft, error) error) error {
	for _, p := range programs {
		if p.name == program {
			return p.read(&reader{program: program, path: path, project: project, yield: yield}, ctx)
		}
	}
	return fmt.Errorf("program %q: must be one of %s", program, strings.Join(Names(), ", "))
}

// A reader reads the records of one program.
type reader struct {
	program string
	path    string
	project func(dir string) memory.Project
	yield   func(memory.Draft, error) error
}

// skip passes on that something cannot be read.
func (r *reader) skip(why error) error { return r.yield(memory.Draft{}, why) }

// emit passes m on, a record of this kind that is identified by parts; the
// last part is the id that the program displays.
func (r *reader) emit(m memory.Draft, kind string, parts ...string) error {
	id := slices.Concat([]string{r.program, kind}, parts)
	m.Turn = r.program + "/" + kind + "/" + parts[len(parts)-1]
	moveOverflow(&m)
	pieces := split(m.Text, memory.MaxText)
	for i, text := range pieces {
		piece := m
		piece.Text = text
		if len(pieces) > 1 {
			piece.Title = fmt.Sprintf("%s (part %d of %d)", memory.Clip(m.Title, memory.MaxTitle-20), i+1, len(pieces))
		}
		if i > 0 {
			id = append(id[:len(parts)+2], strconv.Itoa(i))
		}
		sum := sha256.Sum256([]byte(strings.Join(id, "\x00")))
		piece.ContentHash = hex.EncodeToString(sum[:])
		if err := r.yield(piece, nil); err != nil {
			return err
		}
	}
	return nil
}

// Limits of a memory that decide where words go.
const (
	maxField = 4 << 10 // bytes of a named field
	maxList  = 64      // entries of a list
)

// moveOverflow moves into the text what would otherwise be cut off: a long
// title, long fields, and excess entries of a list. What is to be cut is cleaned
// before, because half a secret is not recognised.
func moveOverflow(m *memory.Draft) {
	m.Title, m.Text = clean.Text(m.Title), clean.Text(m.Text)
	title := strings.Join(strings.Fields(m.Title), " ")
	if len([]rune(title)) > memory.MaxTitle {
		m.Text = record.Join("\n\n", strings.TrimSpace(m.Title), m.Text)
	}
	for _, key := range []string{"done", "next", "fix", "error"} {
		if value := clean.Text(m.Fields[key]); len(value) > maxField {
			m.Text = record.Join("\n\n", m.Text, key+": "+value)
			delete(m.Fields, key)
		}
	}
	for _, list := range []*[]string{&m.Files, &m.Tags} {
		if len(*list) > maxList {
			m.Text = record.Join("\n\n", m.Text, clean.Text(strings.Join((*list)[maxList:], "\n")))
			*list = (*list)[:maxList]
		}
	}
}

// split divides a text into pieces of at most size bytes, between lines if
// possible. There is always at least one.
func split(text string, size int) []string {
	var out []string
	for len(text) > size {
		piece := memory.Clip(text, size)
		if line := strings.LastIndexByte(piece, '\n'); line > size/2 {
			piece = piece[:line]
		}
		out = append(out, piece)
		text = text[len(piece):]
	}
	return append(out, text)
}
