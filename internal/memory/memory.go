// Package memory defines memories: the Memory record as it is stored and sent between processes, the
// sources that sort memories by kind, and the projects that they belong to.
//
// It imports the standard library only, because every hook links it.
package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Version is the record format, which every line has as "v". Lines of pending memories have
// pendingVersion instead, so that a version that does not know them leaves them alone instead of
// injecting them.
const (
	Version        = 1
	pendingVersion = 2
)

// Limits of a record, in bytes of UTF-8 unless said otherwise. Normalize cuts longer text at a rune
// boundary.
const (
	MaxTitle    = 120 // runes
	MaxText     = 16 << 10
	MaxEvidence = 1200
	maxField    = 4 << 10
	maxPath     = 4 << 10
	maxList     = 64
	maxEntry    = 500 // of each word of a list, a name, and the id of a session or turn
)

// idDigits is the number of digits of the content hash in an id.
const idDigits = 12

// Origins: who said the content of a memory.
const (
	OriginUser      = "user"
	OriginAssistant = "assistant"
	OriginTool      = "tool"
	OriginWeb       = "web"
	OriginTeam      = "team" // a file that somebody put into the repository
)

// Importance levels.
const (
	Low    = "low"
	Normal = "normal"
	High   = "high"
)

// A Memory is one stored record. The order of the fields is the order on
// disk; the store's scan relies on v and id coming first and on source
// following id directly in every line that neither deletes nor supersedes nor is pending.
type Memory struct {
	V          int      `json:"v"`
	ID         string   `json:"id"`
	Deleted    bool     `json:"deleted,omitempty"`
	Supersedes []string `json:"supersedes,omitempty"`
	Pending    bool     `json:"pending,omitempty"`   // it waits for the user's review or is a candidate, and is not recalled until then
	Candidate  float64  `json:"candidate,omitempty"` // probability that a candidate stands, in (0, 1); else 0
	Stands     string   `json:"stands,omitempty"`    // why it is no longer a candidate, or is refused as one, in words

	Source        Source `json:"source"`
	Project       string `json:"project,omitempty"`
	ProjectPath   string `json:"project_path,omitempty"`
	ProjectRemote string `json:"project_remote,omitempty"`

	Title     string            `json:"title,omitempty"`
	Text      string            `json:"text,omitempty"`
	Fields    map[string]string `json:"fields,omitempty"`
	Keywords  []string          `json:"keywords,omitempty"`
	Files     []string          `json:"files,omitempty"`
	Tags      []string          `json:"tags,omitempty"`
	AppliesTo string            `json:"applies_to,omitempty"`

	OccurredAt time.Time `json:"occurred_at,omitzero"`
	LastSeen   time.Time `json:"last_seen,omitzero"`
	RecordedAt time.Time `json:"recorded_at,omitzero"`

	Importance string  `json:"importance,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`

	Session     string   `json:"session,omitempty"`
	Turn        string   `json:"turn,omitempty"`
	ConfirmedBy []string `json:"confirmed_by,omitempty"` // later turns that said the same
	Agent       string   `json:"agent,omitempty"`        // sub-agent that said it
	Client      string   `json:"client,omitempty"`       // coding agent whose session it was, "" for Claude Code

	Stamp

	// Statements are what the memory states, a sentence each: causes, decisions, rules, fixes, results, numbers.
	Statements []string `json:"statements,omitempty"`

	Origin      string `json:"origin,omitempty"`
	Evidence    string `json:"evidence,omitempty"`
	ContentHash string `json:"content_hash,omitempty"`
}

// Global is the value of AppliesTo for a memory that holds in every project.
const Global = "global"

// Everywhere reports whether m holds in every project.
func (m *Memory) Everywhere() bool { return m.AppliesTo == Global || m.Home().Zero() }

// Home returns the project that m belongs to.
func (m *Memory) Home() Project {
	return Project{Name: m.Project, Path: m.ProjectPath, Remote: m.ProjectRemote}
}

// SetHome records that m belongs to p.
func (m *Memory) SetHome(p Project) {
	m.Project, m.ProjectPath, m.ProjectRemote = p.Name, p.Path, p.Remote
}

// SetPending records whether m waits for the user's review. A memory that does not wait is not a
// candidate either.
func (m *Memory) SetPending(pending bool) {
	m.Pending, m.V = pending, Version
	if pending {
		m.V = pendingVersion
	} else {
		m.Candidate = 0
	}
}

// IsCandidate reports whether m is a candidate: so far only one sentence suggests it, and it waits for
// evidence or for the user.
func (m *Memory) IsCandidate() bool { return m.Pending && m.Candidate > 0 }

// Stand turns a candidate into a memory, for a reason in words. The reason tells what its probability was.
func (m *Memory) Stand(why string) {
	if m.Candidate > 0 {
		why = fmt.Sprintf("%s; until then a candidate of %.2f", why, m.Candidate)
	}
	m.SetPending(false)
	m.Stands = why
}

// Refuse records why a candidate does not stand, in words. It still waits for the user, who may approve it.
func (m *Memory) Refuse(why string) { m.Stands = why }

// IsRefused reports whether m is a candidate that was refused: that it is said again does not speak for it.
func (m *Memory) IsRefused() bool { return m.IsCandidate() && m.Stands != "" }

// Newer reports whether a newer version wrote m.
func (m *Memory) Newer() bool {
	return m.V > Version && !(m.Pending && m.V == pendingVersion)
}

// Check returns an error if m cannot be stored. The error names the field.
func (m *Memory) Check() error {
	if !m.Source.Valid() {
		return fmt.Errorf("source %q: must be one of %s", m.Source, SourceNames())
	}
	if strings.TrimSpace(m.Title) == "" && strings.TrimSpace(m.Body()) == "" {
		return fmt.Errorf("text: must not be empty")
	}
	switch m.Importance {
	case "", Low, Normal, High:
	default:
		return fmt.Errorf("importance %q: must be low, normal or high", m.Importance)
	}
	if !(m.Confidence >= 0 && m.Confidence <= 1) { // NaN is out of range too
		return fmt.Errorf("confidence %v: must be between 0 and 1", m.Confidence)
	}
	if !(m.Candidate >= 0 && m.Candidate < 1) {
		return fmt.Errorf("candidate %v: must be at least 0 and below 1", m.Candidate)
	}
	return nil
}

// Normalize brings m into the form that is stored: valid UTF-8 of bounded size, with a title and
// lower-case keywords. It adds the version, the content hash and the id if they are missing. If m cannot
// be stored, the error names the field.
func (m *Memory) Normalize() error {
	if err := m.Check(); err != nil {
		return err
	}
	m.Text = strings.TrimSpace(Clip(strings.TrimSpace(m.Text), MaxText))
	if m.Title = oneLine(m.Title); m.Title == "" {
		m.Title = oneLine(m.Body())
	}
	m.Evidence = Clip(m.Evidence, MaxEvidence)
	for _, name := range []*string{&m.Project, &m.Session, &m.Turn, &m.Agent, &m.Client, &m.Origin} {
		*name = Clip(*name, maxEntry)
	}
	for _, path := range []*string{&m.ProjectPath, &m.ProjectRemote, &m.AppliesTo} {
		*path = Clip(*path, maxPath)
	}
	m.Fields = clipFields(m.Fields)
	m.Keywords = cleanList(m.Keywords, strings.ToLower)
	m.Files = cleanList(m.Files, strings.TrimSpace)
	m.Tags = cleanList(m.Tags, strings.TrimSpace)
	m.ConfirmedBy = cleanList(m.ConfirmedBy, strings.TrimSpace)
	m.Statements = cleanList(m.Statements, strings.TrimSpace)
	m.SetPending(m.Pending)
	if m.ContentHash == "" || m.ID == "" && len(m.ContentHash) < idDigits {
		m.ContentHash = m.hash()
	}
	if m.ID == "" {
		m.ID = m.Source.Prefix() + m.ContentHash[:idDigits]
	}
	return nil
}

// hash returns the SHA-256 of the fields that identify m. An episode is identified by its turn and prompt
// (title) alone, so that the complete one replaces an episode captured before the end of its turn.
func (m *Memory) hash() string {
	h := sha256.New()
	write := func(parts ...string) {
		for _, s := range parts {
			fmt.Fprintf(h, "%d:%s", len(s), s)
		}
	}
	write(string(m.Source), m.Turn, m.Title)
	if m.Source != Episodes || m.Turn == "" {
		write(m.ProjectRemote, m.ProjectPath, m.Agent, m.Text)
		if m.Home().nameOnly() {
			write(m.Project)
		}
		for _, k := range sortedKeys(m.Fields) {
			write(k, m.Fields[k])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ContentKey identifies the content of m regardless of its id: memories with the same words have the same
// key.
func (m *Memory) ContentKey() string {
	sum := sha256.Sum256([]byte(m.Title + "\x00" + m.Body()))
	return hex.EncodeToString(sum[:8])
}

// Occurrences returns the number of turns that said what m says, at least 1.
func (m *Memory) Occurrences() int { return 1 + len(m.ConfirmedBy) }

// When returns the time from which m's age is counted: when it last happened, or else when it was
// recorded. It may be zero.
func (m *Memory) When() time.Time {
	if m.LastSeen.After(m.OccurredAt) {
		return m.LastSeen
	}
	if m.OccurredAt.IsZero() {
		return m.RecordedAt
	}
	return m.OccurredAt
}

// Body returns the text and the named fields of m as they are shown and indexed, one field a line.
func (m *Memory) Body() string {
	var b strings.Builder
	b.WriteString(m.Text)
	for _, k := range m.fieldOrder() {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		_, n := utf8.DecodeRuneInString(k)
		b.WriteString(strings.ToUpper(k[:n]) + k[n:] + ": " + m.Fields[k])
	}
	return b.String()
}

// fieldOrder lists the keys of the named fields: those of the source in their natural order, then the
// others by name.
func (m *Memory) fieldOrder() []string {
	var keys []string
	for _, k := range sources[m.Source].fields {
		if m.Fields[k] != "" {
			keys = append(keys, k)
		}
	}
	known := len(keys)
	for _, k := range sortedKeys(m.Fields) {
		if m.Fields[k] != "" && k != "" && !containsPath(keys[:known], k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// Clip returns s as valid UTF-8 of at most n bytes, cut at a rune boundary.
func Clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// ClipMiddle returns s as valid UTF-8 of at most n bytes. It cuts the middle of a longer text, in whole
// lines if possible, because people ask at the beginning or the end of what they paste.
func ClipMiddle(s string, n int) string {
	if len(s) <= n {
		return Clip(s, n)
	}
	head, tail := s[:n/2], s[len(s)-n/2:]
	if at := strings.LastIndexByte(head, '\n'); at > n/4 {
		head = head[:at+1]
	}
	if at := strings.IndexByte(tail, '\n'); at >= 0 && at < n/4 {
		tail = tail[at+1:]
	}
	return Clip(strings.ToValidUTF8(head, "")+strings.ToValidUTF8(tail, ""), n)
}
