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

// A Memory is one that is fit to be stored: cleaned, bounded, with its id and
// content hash. Draft makes it of whatever somebody wants remembered.
type Memory struct{ record memory.Memory }

// Memory returns the record, whose lists and fields are not to be changed.
func (c Memory) Memory() memory.Memory { return c.record }

// Recorded returns c as recorded at a time, unless it was before.
func (c Memory) Recorded(at time.Time) Memory {
	if c.record.RecordedAt.IsZero() {
		c.record.RecordedAt = at.UTC().Truncate(time.Second)
	}
	return c
}

// Ended returns what remains of a goal that is reached or was given up: a tombstone that
// says when, so that the same can be a goal again later.
func (c Memory) Ended() Memory {
	m := c.record
	return Memory{memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, Tags: []string{memory.TagDone}, OccurredAt: m.When()}}
}

// Withdrawn returns what remains of a memory that only a turn taught which the user took back: a
// tombstone that does not keep the same from being learned again.
func (c Memory) Withdrawn() Memory {
	m := c.record
	return Memory{memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, Tags: []string{memory.TagWithdrawn}}}
}

// Draft makes a memory of a draft. The draft of a memory that was made here
// gives that memory again. If d cannot be stored, the error names the field.
func Draft(d memory.Draft) (Memory, error) {
	if d.Deleted {
		return Memory{}, errors.New("deleted: must not be set")
	}
	for range maxRounds {
		cleanWords(&d)
		cleaned := d.Memory
		// The hash and the id are made of cleaned text, so that neither comes of
		// what is removed.
		if err := d.Normalize(); err != nil {
			return Memory{}, err
		}
		if sameWords(&cleaned, &d.Memory) {
			break
		}
		// White space that was collapsed may have joined what is a secret.
	}
	return Memory{d.Memory}, nil
}

var (
	idForm     = regexp.MustCompile(`^[!-.0-[\]-~]{1,100}$`) // no path
	hashForm   = regexp.MustCompile(`^[!-~]{1,100}$`)
	writerForm = regexp.MustCompile(`^([0-9a-f]{16})?$`) // "4c0fb1e2a9d37856"
)

// Received makes a memory of one that another machine wrote, or what remains of one that was
// deleted there. What the other machine says is not trusted: it is cleaned and checked like a draft.
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
		if !hashForm.MatchString(m.ContentHash) { // not always a SHA-256: other programs' memories bring their own
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
	grave := memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, RecordedAt: m.RecordedAt, Stamp: m.Stamp}
	switch {
	case m.Done():
		grave.Tags, grave.OccurredAt = []string{memory.TagDone}, m.OccurredAt
	case m.Withdrawn():
		grave.Tags = []string{memory.TagWithdrawn}
	}
	return Memory{grave}, nil
}

// Buried returns what remains of a memory that arrived although the user had forgotten the like.
func (c Memory) Buried() Memory {
	m := c.record
	return Memory{memory.Memory{V: memory.Version, ID: m.ID, Deleted: true, Source: m.Source, RecordedAt: m.RecordedAt, Stamp: m.Stamp}}
}

// Drafts makes memories of drafts, of all or of none.
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

// Project returns p by the names that its memories have in the store.
func Project(p memory.Project) memory.Project {
	return memory.Project{Name: cleanName(p.Name), Path: cleanName(p.Path), Remote: cleanName(p.Remote)}
}

// ID returns the id of a session as its memories have it in the store.
func ID(id string) string { return cleanName(id) }

// cleanWords cleans all that d says, but for its subject, of which only a checksum
// remains. What d was made from stays as it is.
func cleanWords(d *memory.Draft) {
	for _, text := range []*string{&d.Title, &d.Text, &d.Evidence} {
		*text = Text(*text)
	}
	for _, s := range []*string{
		&d.ID, &d.Project, &d.ProjectPath, &d.ProjectRemote, &d.AppliesTo, &d.Session, &d.Turn, &d.Agent, &d.Client, &d.Origin, &d.ContentHash,
	} {
		*s = cleanName(*s)
	}
	for _, list := range []*[]string{&d.Supersedes, &d.Keywords, &d.Files, &d.Tags, &d.ConfirmedBy} {
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

// cleanName cleans what stands on one line: a name, a path, a word of a list.
func cleanName(s string) string {
	return Text(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, toPlain(s)))
}

// sameWords reports whether two memories say the same in the same words.
func sameWords(a, b *memory.Memory) bool {
	switch {
	case a.Title != b.Title, a.Text != b.Text, a.Evidence != b.Evidence, a.AppliesTo != b.AppliesTo, !maps.Equal(a.Fields, b.Fields):
		return false
	}
	return slices.Equal(a.Keywords, b.Keywords) && slices.Equal(a.Files, b.Files) && slices.Equal(a.Tags, b.Tags)
}
