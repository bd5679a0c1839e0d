// Package record defines the lines of JSON that recollect-import, which reads the databases of other
// programs, passes to recollect, which makes memories from them.
//
// recollect-import is a process of its own, so that a malicious database does not reach the memories, and
// so that only those who import link SQLite.
package record

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// A Record is a record of another program in the fields of a memory. It lacks the fields that only
// recollect determines, such as the project.
type Record struct {
	Kind string `json:"kind"`
	// ID identifies the record among those of its kind. Its last part is the id that the program
	// displays.
	ID []string `json:"id"`
	// Folder is where the record was made, "" if unknown. Project is the program's name for its project.
	Folder  string `json:"folder,omitempty"`
	Project string `json:"project,omitempty"`

	Source     memory.Source     `json:"source"`
	Origin     string            `json:"origin"`
	Session    string            `json:"session,omitempty"`
	Agent      string            `json:"agent,omitempty"`
	Title      string            `json:"title,omitempty"`
	Text       string            `json:"text,omitempty"`
	Fields     map[string]string `json:"fields,omitempty"`
	Files      []string          `json:"files,omitempty"` // in the program's own form
	Tags       []string          `json:"tags,omitempty"`
	AppliesTo  string            `json:"applies_to,omitempty"`
	OccurredAt time.Time         `json:"occurred_at,omitzero"`
	LastSeen   time.Time         `json:"last_seen,omitzero"`
}

// Draft returns r as a memory of a project.
func (r *Record) Draft(home memory.Project) memory.Draft {
	m := memory.Memory{
		Source: r.Source, Origin: r.Origin, Session: r.Session, Agent: r.Agent, Title: r.Title, Text: r.Text, Fields: r.Fields,
		Files: r.Files, Tags: r.Tags, AppliesTo: r.AppliesTo, OccurredAt: r.OccurredAt, LastSeen: r.LastSeen,
	}
	m.SetHome(home)
	return memory.Draft{Memory: m}
}

// maxEpoch is the first time that RFC 3339 cannot represent, in milliseconds since 1970.
const maxEpoch = 253402300800000

// Time parses a time: milliseconds since 1970 if given, otherwise text as SQLite or JavaScript write it,
// in UTC unless it has a zone. It returns the zero time if it cannot read it.
func Time(epoch int64, text string) time.Time {
	if epoch > 0 && epoch < maxEpoch {
		return time.UnixMilli(epoch).UTC()
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// Tag returns "key:value", or "" if there is no value.
func Tag(key, value string) string {
	if value == "" {
		return ""
	}
	return key + ":" + value
}

// Tags returns the tags that are not empty.
func Tags(all ...string) []string {
	return slices.DeleteFunc(all, isBlank)
}

// Join joins the parts that are not empty.
func Join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, isBlank), between)
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// FirstLine divides a text into a title and the rest. There is no rest if the text fits into the title.
func FirstLine(text string) (title, rest string) {
	text = strings.TrimSpace(text)
	line, more, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "#")), strings.TrimSpace(more)
}

// sessionID matches the id of a session of OpenCode.
var sessionID = regexp.MustCompile(`^ses_\w+$`)

// IsSession reports whether id is that of a session of OpenCode. No other id may become the name of a
// file.
func IsSession(id string) bool { return sessionID.MatchString(id) }
