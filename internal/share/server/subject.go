package server

import (
	"fmt"
	"net/url"
	"strings"
)

// root is the first token of every subject.
const root = "recollect"

// Token encodes the name of a project or a member for a subject. It escapes everything but letters,
// digits, "-", "_" and, so that people can read it, "/".
func Token(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '/':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

func subjectOf(project, member, id string) string {
	return root + "." + Token(project) + "." + Token(member) + "." + Token(id)
}

// Filter returns the subject that matches all memories of a project.
func Filter(project string) string { return root + "." + Token(project) + ".>" }

// parseSubject returns the parts of a subject; ok is false if it is not one of ours.
func parseSubject(subject string) (project, member, id string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 || parts[0] != root {
		return "", "", "", false
	}
	var names [3]string
	for i, part := range parts[1:] {
		name, err := url.PathUnescape(part)
		if err != nil || name == "" || Token(name) != part {
			return "", "", "", false
		}
		names[i] = name
	}
	return names[0], names[1], names[2], true
}
