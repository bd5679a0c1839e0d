package repo

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"strings"
	"time"

	"recollect/internal/memory"
)

// receivedPrefix begins the evidence of a received memory, which came over the team's server.
const receivedPrefix = "server:"

// ParseReceived parses a message of the team's server. Its content must be that of a file, with this
// id. After an error nothing of it may be used.
func ParseReceived(id string, b []byte, now time.Time) (Shared, error) {
	if len(b) > maxFile {
		return Shared{}, errors.New("has more than 16 KiB")
	}
	s, err := Parse(id, b, now)
	if err == nil && (s.ID == "" || s.ID != id) {
		err = errors.New("id: is not the one that it was sent as")
	}
	return s, err
}

// ReceivedID returns the id here of a memory that a member shares over the team's server. id is its id
// in the store of the member.
func ReceivedID(remote, member, id string) string {
	sum := sha256.Sum256([]byte(remote + "\x00" + member + "\x00" + id))
	return memory.Team.Prefix() + hex.EncodeToString(sum[:6])
}

// ReceivedDraft returns a received memory for the store. It belongs to all checkouts with this remote.
func (s *Shared) ReceivedDraft(remote, member string, content []byte) memory.Draft {
	f := File{Shared: *s}
	d := f.Draft(memory.Project{Name: path.Base(remote), Remote: remote})
	d.ID, d.Evidence = ReceivedID(remote, member, s.ID), receivedPrefix+s.ID+"@"+digest(content)
	return d
}

// IsReceived reports whether a memory came over the team's server.
func IsReceived(m *memory.Memory) bool {
	return m.Source == memory.Team && strings.HasPrefix(m.Evidence, receivedPrefix)
}

// SaidBy returns the kind and the author of a team's memory.
func SaidBy(m *memory.Memory) (kind, author string) {
	for _, tag := range m.Tags {
		if k, ok := strings.CutPrefix(tag, memory.TagKind); ok {
			kind = k
		} else if a, ok := strings.CutPrefix(tag, memory.TagBy); ok {
			author = a
		}
	}
	return kind, author
}

// Version identifies a received memory with its content.
func Version(m *memory.Memory) string { return m.ID + "@" + DigestOf(m) }

// VersionOf returns the Version of the memory that ReceivedDraft would return.
func VersionOf(remote, member, id string, content []byte) string {
	return ReceivedID(remote, member, id) + "@" + digest(content)
}

// DigestOf returns the checksum of the message that a received memory was made from.
func DigestOf(m *memory.Memory) string {
	_, sum, _ := strings.Cut(m.Evidence, "@")
	return sum
}
