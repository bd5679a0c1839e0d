package repo

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/instruction"
)

// maxHosts is how many hosts a Sharer looks for in the repository.
const maxHosts = 40

// A Sharer makes shared memories for one repository. NewSharer is the only way to make one.
type Sharer struct {
	root    string
	author  string
	machine Machine
	hosts   map[string]bool // whether the repository names each
}

// NewSharer returns a Sharer for the repository at root, in the name of an author.
func NewSharer(root, author string, machine Machine) (*Sharer, error) {
	name, err := Author(author)
	if err != nil {
		return nil, err
	}
	s := &Sharer{root: root, author: name, machine: machine, hosts: map[string]bool{}}
	s.machine.roots, s.machine.homes = spellingsOf(root), spellingsOf(machine.Home)
	s.machine.public = s.public
	return s, nil
}

// public reports whether the repository's own files name a host.
func (s *Sharer) public(host string) bool {
	named, known := s.hosts[host]
	if known || len(s.hosts) >= maxHosts {
		return named
	}
	if r, err := os.OpenRoot(s.root); err == nil {
		walkSources(r, func(_ string, b []byte) bool {
			named = named || bytes.Contains(bytes.ToLower(b), []byte(host))
			return !named
		})
		r.Close()
	}
	s.hosts[host] = named
	return named
}

// Of returns the shared form of a memory, or an error that says why it must not be shared.
func (s *Sharer) Of(m memory.Memory, now time.Time) (Shared, error) {
	kind := kinds[m.Source]
	if kind == "" {
		return Shared{}, fmt.Errorf("of source %s, which is never shared", m.Source)
	}
	m, err := s.withoutMachine(m)
	if err != nil {
		return Shared{}, err
	}
	out := Shared{Kind: kind, Author: s.author, Date: dayOf(m.When(), now), Title: plainTitle(m.Title), Text: m.Text, Fields: map[string]string{}}
	if ownIDs.MatchString(m.ID) {
		out.ID = m.ID
	}
	for _, key := range slices.Sorted(maps.Keys(m.Fields)) {
		if slices.Contains(fields, key) {
			out.Fields[key] = m.Fields[key]
		}
	}
	if strings.TrimSpace(out.Text) == out.Title || kind == "preference" && plainTitle(out.Text) == out.Title {
		out.Text = ""
	}
	out.findNames(s.root, m.Files)
	return out, out.readable(now)
}

// withoutMachine returns the parts of m that may be shared, without what identifies this machine.
func (s *Sharer) withoutMachine(m memory.Memory) (memory.Memory, error) {
	kept := memory.Memory{Source: m.Source, ID: m.ID, OccurredAt: m.OccurredAt, LastSeen: m.LastSeen, RecordedAt: m.RecordedAt, Fields: map[string]string{}}
	kept.Title, kept.Text = s.machine.makePortable(m.Title), s.machine.makePortable(m.Text)
	for key, value := range m.Fields {
		kept.Fields[key] = s.machine.makePortable(value)
	}
	c, err := clean.Draft(memory.Draft{Memory: kept})
	if err != nil {
		return memory.Memory{}, err
	}
	kept = c.Memory()
	for _, name := range m.Files {
		if s.machine.makePortable(name) == name {
			kept.Files = append(kept.Files, name)
		}
	}
	return kept, nil
}

// readable returns an error if Parse would reject the file of s.
func (s *Shared) readable(now time.Time) error {
	if n := len(s.everything()); n > maxText {
		return fmt.Errorf("too long: %d bytes, more than %d", n, maxText)
	}
	if instruction.Disguised(s.everything()) {
		return ErrOrders
	}
	if _, err := Parse(s.Name(), []byte(s.Markdown()), now); err != nil {
		return errors.Join(errors.New("its file could not be read"), err)
	}
	return nil
}

// plainTitle returns a title without the prefix that capture put before it.
func plainTitle(title string) string {
	for _, lead := range []string{memory.TitleWants, memory.TitleSaid, memory.TitleDecided} {
		title = strings.TrimPrefix(title, lead)
	}
	return strings.TrimSpace(title)
}

// dayOf returns the day of a time, or today if the time is unknown or in the future.
func dayOf(at, now time.Time) time.Time {
	if at.IsZero() || at.After(now) {
		at = now
	}
	return at.UTC().Truncate(24 * time.Hour)
}
