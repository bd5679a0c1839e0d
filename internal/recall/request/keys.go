package request

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/recall/brief"
)

// What is injected into a session is recorded by keys, so that it is not injected again: each of an id and a key
// of the words, which another memory may have too.

// headingKey returns what stands for the heading of a memory among what was injected.
func headingKey(m *memory.Memory) (id, key string) {
	heading := memory.Memory{Title: m.Title}
	if title, ok := TitleWithoutError(m.Title); ok {
		heading.Title = title
	}
	return m.ID + "#heading", heading.ContentKey()
}

// TitleWithoutError returns the title of a failure without its error; ok is false for another
// title.
func TitleWithoutError(title string) (string, bool) {
	call, rest, ok := strings.Cut(title, memory.TitleFails)
	fix := strings.LastIndex(rest, memory.TitleFix)
	if !ok || fix < 0 {
		return "", false
	}
	return call + strings.TrimSuffix(memory.TitleFails, ": ") + rest[fix:], true
}

// HasLine reports whether a line of a brief was injected into the session.
func (s *Session) HasLine(line brief.Line) bool {
	id, key := lineKey(line)
	return IsInjected(s.Injected, id, key)
}

// lineKey returns what stands for a line among what was injected. The lines of a handoff
// stand each for itself: of a long one only some are injected at a time.
func lineKey(line brief.Line) (id, key string) {
	if line.Memory.Source != memory.Handoffs {
		return line.Memory.ID, line.Memory.ContentKey()
	}
	return textKey(line.Memory, line.Bare())
}

// textKey returns what stands for a part of a memory among what was injected.
func textKey(m *memory.Memory, text string) (id, key string) {
	part := memory.Memory{Title: strings.TrimRight(text, ". ")}
	return m.ID + "#" + part.ContentKey(), part.ContentKey()
}

// HasAnyOf reports whether m, or a part of it, is among what these keys stand for.
func HasAnyOf(keys map[string]string, m *memory.Memory) bool {
	if keys[m.ID] != "" {
		return true
	}
	for id := range keys {
		if strings.HasPrefix(id, m.ID+"#") {
			return true
		}
	}
	return false
}

// HasText reports whether a part of a memory was injected into the session.
func (s *Session) HasText(m *memory.Memory, text string) bool {
	if len(s.Injected) == 0 {
		return false
	}
	id, key := textKey(m, text)
	return IsInjected(s.Injected, id, key)
}

// HasHeading reports whether the heading of m was injected into the session.
func (s *Session) HasHeading(m *memory.Memory) bool {
	id, key := headingKey(m)
	return s.Injected[id] == key
}

// IsInjected reports whether these words were injected into the session, under this id
// or another.
func IsInjected(keys map[string]string, id, key string) bool {
	if keys[id] == key {
		return true
	}
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}
