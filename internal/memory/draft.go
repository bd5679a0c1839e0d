package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A Draft is what somebody wants remembered, as it came: neither cleaned nor
// bounded. Only what was a memory before, of this store or of another, brings
// its id and content hash along. Package clean makes a memory of a draft.
type Draft struct {
	Memory

	// Subject is what the memory is about, where that identifies it: drafts of
	// one source, project and subject become one memory, whatever turn they come
	// from and in which words they are. Nil stands for the content itself.
	Subject []string `json:"-"`
}

// Drafts returns drafts that say what memories do.
func Drafts(ms ...Memory) []Draft {
	out := make([]Draft, len(ms))
	for i, m := range ms {
		out[i].Memory = m
	}
	return out
}

// SameSubject reports whether two drafts with a subject become one memory.
// There may be thousands to compare, so it does without a hash.
func (d *Draft) SameSubject(o *Draft) bool {
	return slices.EqualFunc(d.Subject, o.Subject, strings.EqualFold) && d.Source == o.Source && strings.EqualFold(d.place(), o.place())
}

// Normalize brings d into the form that is stored, see Memory.Normalize. A
// subject becomes the content hash.
func (d *Draft) Normalize() error {
	if d.Subject != nil {
		d.ContentHash, d.Subject = d.subjectHash(), nil
	}
	return d.Memory.Normalize()
}

// subjectHash is a checksum of source, place and subject, in whichever case
// they are written.
func (d *Draft) subjectHash() string {
	if d.Source == Episodes || d.Source == Thinking {
		return d.wordsHash()
	}
	h := sha256.New()
	for _, part := range append([]string{string(d.Source), d.place()}, d.Subject...) {
		fmt.Fprintf(h, "%d:%s", len(part), strings.ToLower(part))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// wordsHash is the checksum of an episode or a thought, whose subject is its
// turn, the title that it once had and, of a thought, its text: so it keeps
// its id in whichever words it is written.
func (d *Draft) wordsHash() string {
	as := d.Memory
	as.Turn, as.Title = d.Subject[0], oneLine(d.Subject[1])
	if len(d.Subject) > 2 {
		as.Text = d.Subject[2]
	}
	return as.hash()
}

// place is what identifies the project, as far as that is known.
func (d *Draft) place() string { return cmp.Or(d.ProjectRemote, d.ProjectPath, d.Project) }
