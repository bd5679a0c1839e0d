package clean

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// A Memory is fit to be stored: it is cleaned and bounded, and has an id and a content hash. Draft makes
// one from any draft.
type Memory struct{ record memory.Memory }

// Memory returns the record. Callers must not change its lists and fields.
func (c Memory) Memory() memory.Memory { return c.record }

// Recorded returns c with the time of recording, unless it already has one.
func (c Memory) Recorded(at time.Time) Memory {
	if c.record.RecordedAt.IsZero() {
		c.record.RecordedAt = at.UTC().Truncate(time.Second)
	}
	return c
}

// Ended returns the tombstone of a goal that was reached or given up. It contains the time, so that the
// same can become a goal again later.
func (c Memory) Ended() Memory {
	m := c.record
	return Memory{memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, Tags: []string{memory.TagDone}, OccurredAt: m.When()}}
}

// Withdrawn returns the tombstone of a memory that only a turn taught which the user took back. It does
// not prevent the same from being learned again.
func (c Memory) Withdrawn() Memory {
	m := c.record
	return Memory{memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, Tags: []string{memory.TagWithdrawn}}}
}

// Draft makes a memory from a draft. The draft of a memory that was made here gives the same memory
// again. If d cannot be stored, the error names the field.
func Draft(d memory.Draft) (Memory, error) {
	if d.Deleted {
		return Memory{}, errors.New("deleted: must not be set")
	}
	for range maxRounds {
		cleanWords(&d)
		cleaned := d.Memory
		// The hash and the id are made from cleaned text, so that they do not depend on removed text.
		if err := d.Normalize(); err != nil {
			return Memory{}, err
		}
		if sameWords(&cleaned, &d.Memory) {
			break
		}
		// Collapsed white space may have joined the parts of a secret.
	}
	return Memory{d.Memory}, nil
}

var (
	idForm     = regexp.MustCompile(`^[!-.0-[\]-~]{1,100}$`) // not a path
	hashForm   = regexp.MustCompile(`^[!-~]{1,100}$`)
	writerForm = regexp.MustCompile(`^([0-9a-f]{16})?$`) // "4c0fb1e2a9d37856"
)

// Received makes a memory from one that another machine wrote, or the tombstone of one that was deleted
// there. It does not trust the other machine, but cleans and checks the memory like a draft.
func Received(m memory.Memory) (Memory, error) {
	switch {
	case m.Newer():
		return Memory{}, fmt.Errorf("version %d: a newer recollect wrote it", m.V)
	case !idForm.MatchString(m.ID) || !writerForm.MatchString(m.Writer):
		return Memory{}, errors.New("id or writer: not one of ours")
	case m.Clock > memory.MaxClock || m.Base > m.Clock || m.Settled > m.Clock:
		return Memory{}, errors.New("clock: out of range")
	}
	m = m.Wire()
	if !m.Deleted {
		if !hashForm.MatchString(m.ContentHash) { // not always a SHA-256: memories of other programs bring their own
			return Memory{}, errors.New("content_hash: not one of ours")
		}
		c, err := Draft(memory.Draft{Memory: m})
		if err == nil && c.record.ID != m.ID {
			err = errors.New("id: it contains a secret")
		}
		return c, err
	}
	if !m.Source.Valid() {
		return Memory{}, fmt.Errorf("source %q: must be one of %s", m.Source, memory.SourceNames())
	}
	tombstone := memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, RecordedAt: m.RecordedAt, Stamp: m.Stamp}
	switch {
	case m.Done():
		tombstone.Tags, tombstone.OccurredAt = []string{memory.TagDone}, m.OccurredAt
	case m.Withdrawn():
		tombstone.Tags = []string{memory.TagWithdrawn}
	}
	return Memory{tombstone}, nil
}

// Buried returns the tombstone of a memory that arrived although the user had forgotten its like.
func (c Memory) Buried() Memory {
	m := c.record
	return Memory{memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, RecordedAt: m.RecordedAt, Stamp: m.Stamp}}
}

// Drafts makes memories from all drafts, or returns an error.
func Drafts(drafts ...memory.Draft) ([]Memory, error) {
	out := make([]Memory, len(drafts))
	for i, d := range drafts {
		var err error
		if out[i], err = Draft(d); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Project returns p with the names that its memories have in the store.
func Project(p memory.Project) memory.Project {
	return memory.Project{Name: cleanName(p.Name), Path: cleanName(p.Path), Remote: cleanName(p.Remote)}
}

// ID returns the id of a session in the form that its memories have in the store.
func ID(id string) string { return cleanName(id) }

// cleanWords cleans all texts of d except its subject, of which only a checksum is kept. It does not
// change the lists and fields from which d was made.
func cleanWords(d *memory.Draft) {
	for _, text := range []*string{&d.Title, &d.Text, &d.Evidence} {
		*text = Text(*text)
	}
	for _, s := range []*string{
		&d.ID, &d.Project, &d.ProjectPath, &d.ProjectRemote, &d.AppliesTo, &d.Session, &d.Turn, &d.Agent, &d.Client, &d.Origin, &d.ContentHash,
	} {
		*s = cleanName(*s)
	}
	for _, list := range []*[]string{&d.Supersedes, &d.Keywords, &d.Files, &d.Tags, &d.ConfirmedBy, &d.Statements} {
		*list = slices.Clone(*list)
		for i, s := range *list {
			(*list)[i] = cleanName(s)
		}
	}
	if d.Fields == nil {
		return
	}
	fields := make(map[string]string, len(d.Fields))
	for _, key := range slices.Sorted(maps.Keys(d.Fields)) {
		fields[cleanName(key)] = Text(d.Fields[key])
	}
	d.Fields = fields
}

// cleanName cleans a text of one line: a name, a path, a word of a list.
func cleanName(s string) string {
	return Text(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, toPlain(s)))
}

// sameWords reports whether the texts and lists of two memories are equal.
func sameWords(a, b *memory.Memory) bool {
	switch {
	case a.Title != b.Title, a.Text != b.Text, a.Evidence != b.Evidence, a.AppliesTo != b.AppliesTo, !maps.Equal(a.Fields, b.Fields):
		return false
	}
	if !slices.Equal(a.Statements, b.Statements) {
		return false
	}
	return slices.Equal(a.Keywords, b.Keywords) && slices.Equal(a.Files, b.Files) && slices.Equal(a.Tags, b.Tags)
}
