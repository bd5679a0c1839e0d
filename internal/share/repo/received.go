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

// receivedPrefix is how the evidence of a memory begins that came over the team's server.
const receivedPrefix = "server:"

// ParseReceived reads what came over the team's server as the memory with this id, which must be what
// a file may have. What is wrong with it is the error: then nothing of it may be used.
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

// ReceivedID returns the id of the memory that a member shares of a project over the team's server.
func ReceivedID(remote, member, id string) string {
	sum := sha256.Sum256([]byte(remote + "\x00" + member + "\x00" + id))
	return memory.Team.Prefix() + hex.EncodeToString(sum[:6])
}

// ReceivedDraft makes what the store takes of what came over the team's server: a memory of all checkouts
// with this remote.
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

// SaidBy returns the kind of a team's memory, and who shared it.
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

// Version names a memory that came over the team's server, with its content.
func Version(m *memory.Memory) string { return m.ID + "@" + DigestOf(m) }

// VersionOf names what ReceivedDraft would make, see Version.
func VersionOf(remote, member, id string, content []byte) string {
	return ReceivedID(remote, member, id) + "@" + digest(content)
}

// DigestOf returns the checksum of what a memory was made of that came over the team's server.
func DigestOf(m *memory.Memory) string {
	_, sum, _ := strings.Cut(m.Evidence, "@")
	return sum
}
