// Package imports reads the records of other memory programs as memories.
//
// Each record becomes one memory. The kind of the record determines its source, and the record's time
// becomes the memory's. The folder determines the project if it is known, otherwise the name does.
// Nothing is invented; data for which a memory has no field is added to its text or its tags. Deleted
// records and internal data of the programs (checksums, sync states, counters, vectors, raw tool output)
// are left out.
//
// The process recollect-import reads databases, see package record.
//
// The id of a memory is derived from the program's own id: the same record always gives the same id, even
// if its text has changed.
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

// programs are the supported programs, in the order in which users see them.
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

// Read passes the memories that a program stores at path to yield, and an error for each record that it
// cannot read. path is a file or the folder that contains it. project returns the project of a folder. An
// error of yield ends Read.
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

// skip reports that something cannot be read.
func (r *reader) skip(why error) error { return r.yield(memory.Draft{}, why) }

// emit passes on m, which was made from a record of this kind. parts identify the record; the last one is
// the id that the program displays.
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

// Limits of a memory. What exceeds them moves to the text.
const (
	maxField = 4 << 10 // bytes of a named field
	maxList  = 64      // entries of a list
)

// moveOverflow moves into the text what would otherwise be cut off: a long title, long fields, and excess
// entries of a list. It cleans what is to be cut first, because half a secret is not recognised.
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
