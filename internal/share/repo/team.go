// Package repo reads and writes the memories that people share through their repository:
// one Markdown file each, in a folder at its root, which git carries and merges.
//
// A Shared is such a memory. Of makes one from a memory of the user, and removes what
// belongs to this machine. Parse reads one from a file, which anybody may have written.
// Draft turns one into a memory for the store. A Shared lists the paths, symbols and
// commits in it that existed when it was shared, so that a reader can find out which of
// them are gone.
package repo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"recollect/internal/memory"
	"recollect/internal/memory/markdown"
)

// Folder is the folder of the files, relative to the root of a repository.
const Folder = ".recollect"

// Limits of what is read. Larger files were not written for people.
const (
	MaxFiles  = 500
	maxFile   = 16 << 10 // bytes
	maxText   = 6 << 10  // bytes of title, text and fields
	maxAuthor = 60       // runes
	maxNames  = 16       // each of files, symbols and commits
	maxName   = 200      // bytes
)

// kinds are the words in a file for the sources that may be shared.
var kinds = map[memory.Source]string{
	memory.Journal: "decision", memory.Patterns: "pattern", memory.Failures: "failure",
	memory.Registry: "fact", memory.Preferences: "preference",
}

// fields are the fields of a memory that are shared, in the order of a file.
var fields = []string{"topic", "context", "problem", "solution", "rationale", "alternatives", "tool", "error", "fix"}

// A Shared is a memory in the form of its file.
type Shared struct {
	Kind   string // one of kinds
	Author string
	Date   time.Time // day on which it happened
	ID     string    // its id in the store of the author
	Title  string
	Text   string
	Fields map[string]string

	Files, Symbols, Commits []string // those in the text that existed when it was shared
}

// Markdown returns the content of the file of s.
func (s *Shared) Markdown() string {
	var b strings.Builder
	b.WriteString("---\n")
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + markdown.Quote(value) + "\n")
		}
	}
	list := func(key string, words []string) {
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, markdown.Quote(w))
		}
		if len(quoted) > 0 {
			b.WriteString(key + ": [" + strings.Join(quoted, ", ") + "]\n")
		}
	}
	line("kind", s.Kind)
	line("by", s.Author)
	b.WriteString("date: " + s.Date.Format(time.DateOnly) + "\n")
	line("id", s.ID)
	list("files", s.Files)
	list("symbols", s.Symbols)
	list("commits", s.Commits)
	fmt.Fprintf(&b, "---\n# %s\n", s.Title)
	if s.Text != "" {
		b.WriteString("\n" + s.Text + "\n")
	}
	for _, key := range fields {
		if value := s.Fields[key]; value != "" {
			b.WriteString("\n## " + heading(key) + "\n\n" + value + "\n")
		}
	}
	return b.String()
}

func heading(field string) string { return strings.ToUpper(field[:1]) + field[1:] }

// Name returns the name of the file of s. It depends on the content, so that two people
// never write to the same file unless they share the same content.
func (s *Shared) Name() string { return s.Kind + "-" + digest([]byte(s.Markdown())) + ".md" }

// digest returns the first 6 bytes of a checksum, in hexadecimal.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6])
}

// Draft returns the memory of a file for the store. It belongs to the project and to the
// origin team, and is worth less if some of its names are gone.
func (f *File) Draft(project memory.Project) memory.Draft {
	s := &f.Shared
	m := memory.Memory{
		Source: memory.Team, Origin: memory.OriginTeam, Title: s.Title, Text: s.Text, Fields: s.Fields, Files: s.Files,
		OccurredAt: s.Date, Turn: s.ID, Evidence: Folder + "/" + f.Name, Confidence: trusted,
		Tags: []string{memory.TagKind + s.Kind, memory.TagBy + s.Author},
	}
	if len(f.Gone) > 0 {
		m.Confidence, m.Importance = doubted, memory.Low
	}
	for _, name := range f.Gone {
		m.Tags = append(m.Tags, memory.TagGone+name)
	}
	m.SetHome(project)
	return memory.Draft{Memory: m}
}

// Words identifies what a memory of a team says, whatever its file, kind, author and id.
// Only letters and digits count, in lower case.
func Words(m *memory.Memory) string {
	said := m.Title + m.Text
	for _, key := range fields {
		said += m.Fields[key]
	}
	said = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, said)
	return wordsPrefix + digest([]byte(said))
}

// wordsPrefix distinguishes Words from the checksum of a file.
const wordsPrefix = "words:"

// The confidence in memories of others: less than in those of the user, and little if names
// in them are gone.
const (
	trusted = 0.7
	doubted = 0.4
)

// Shareable reports whether memories of a source may be shared.
func Shareable(src memory.Source) bool { return kinds[src] != "" }

func isKind(kind string) bool {
	for _, k := range kinds {
		if k == kind {
			return true
		}
	}
	return false
}

// OwnID returns the id of m in the store of its author.
func OwnID(m *memory.Memory) string { return m.Turn }

// FileOf returns the name of the file that m comes from, or for a received memory
// "server:" and its id.
func FileOf(m *memory.Memory) string {
	if IsReceived(m) {
		name, _, _ := strings.Cut(m.Evidence, "@")
		return name
	}
	return strings.TrimPrefix(m.Evidence, Folder+"/")
}

// addOnce adds a name to a list, unless the list has it or is full.
func addOnce(names *[]string, name string) {
	fits := name != "" && len(name) <= maxName
	if fits && len(*names) < maxNames && !slices.Contains(*names, name) {
		*names = append(*names, name)
	}
}
