package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A Draft is a memory as it arrives: neither cleaned nor bounded. It has an id and a content hash only if
// it was a memory before, of this store or another. Package clean makes a memory from it.
type Draft struct {
	Memory

	// Subject is what the memory is about, if that identifies it. Drafts of one source, project and
	// subject become one memory, whatever turn they come from and however they are worded. Nil means that
	// the content identifies it.
	Subject []string `json:"-"`
}

// Drafts returns the drafts of memories.
func Drafts(ms ...Memory) []Draft {
	out := make([]Draft, len(ms))
	for i, m := range ms {
		out[i].Memory = m
	}
	return out
}

// SameSubject reports whether two drafts with a subject become one memory. It compares without a hash,
// because there may be thousands of drafts.
func (d *Draft) SameSubject(o *Draft) bool {
	return slices.EqualFunc(d.Subject, o.Subject, strings.EqualFold) && d.Source == o.Source && strings.EqualFold(d.place(), o.place())
}

// Normalize brings d into the form that is stored, see Memory.Normalize. It makes the content hash from
// the subject.
func (d *Draft) Normalize() error {
	if d.Subject != nil {
		d.ContentHash, d.Subject = d.subjectHash(), nil
	}
	return d.Memory.Normalize()
}

// subjectHash returns a checksum of source, project and subject, regardless of case.
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

// wordsHash returns the checksum of an episode or a thought. Its subject consists of its turn, its first
// title and, for a thought, its text, so that it keeps its id however it is reworded.
func (d *Draft) wordsHash() string {
	as := d.Memory
	as.Turn, as.Title = d.Subject[0], oneLine(d.Subject[1])
	if len(d.Subject) > 2 {
		as.Text = d.Subject[2]
	}
	return as.hash()
}

// place returns the best known identity of the project.
func (d *Draft) place() string { return cmp.Or(d.ProjectRemote, d.ProjectPath, d.Project) }
