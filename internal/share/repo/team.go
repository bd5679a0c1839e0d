// Package repo reads and writes the memories that people share through their repository:
// one Markdown file each, in a folder at its root, which git carries and merges.
//
// A Shared is such a memory. Of makes one of a memory of the user's, without what is of
// this machine alone; Parse reads one from a file, which anybody may have written; Draft
// makes the memory of it that the store takes. What a Shared names (paths, symbols,
// commits) is what was there when it was shared, so that a reader can tell what is gone.
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

// Folder is where the files lie, below the root of a repository.
const Folder = ".recollect"

// Limits of what is read. What is larger was not made to be read.
const (
	MaxFiles  = 500
	maxFile   = 16 << 10 // bytes
	maxText   = 6 << 10  // bytes of title, text and fields
	maxAuthor = 60       // runes
	maxNames  = 16       // of files, symbols and commits, each
	maxName   = 200      // bytes of one of them
)

// kinds are what may be shared, by the source of the memory, with the word for it in a file.
var kinds = map[memory.Source]string{
	memory.Journal: "decision", memory.Patterns: "pattern", memory.Failures: "failure",
	memory.Registry: "fact", memory.Preferences: "preference",
}

// fields are the named parts of a memory that are shared, in their order in a file.
var fields = []string{"topic", "context", "problem", "solution", "rationale", "alternatives", "tool", "error", "fix"}

// A Shared is a memory as its file has it.
type Shared struct {
	Kind   string // one of kinds
	Author string
	Date   time.Time // when it was taken down, a day
	ID     string    // that it has where it was shared
	Title  string
	Text   string
	Fields map[string]string

	Files, Symbols, Commits []string // that it names, and that were there
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

// heading returns the heading of a field.
func heading(field string) string { return strings.ToUpper(field[:1]) + field[1:] }

// Name returns the name of the file of s. It is made of the content, so that two people
// who share something never write to one file, and the same content is one file.
func (s *Shared) Name() string { return s.Kind + "-" + digest([]byte(s.Markdown())) + ".md" }

// digest returns the beginning of a checksum.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6])
}

// Draft makes what the store takes of a file: a memory of the project, by somebody, of
// which some names are gone by now. It is neither the user's nor Claude's.
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

// Words stands for what a memory of a team says, in whatever file, of whatever kind, under
// whatever name and id: letters and digits alone count, in lower case.
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

// wordsPrefix tells Words from the checksum of a file.
const wordsPrefix = "words:"

// The confidence in what others say: less than in what the user said, and little where
// what it names is gone.
const (
	trusted = 0.7
	doubted = 0.4
)

// Shareable reports whether memories of a source may be shared.
func Shareable(src memory.Source) bool { return kinds[src] != "" }

// known reports whether a file may have a kind.
func known(kind string) bool {
	for _, k := range kinds {
		if k == kind {
			return true
		}
	}
	return false
}

// OwnID returns the id that m had where it was shared.
func OwnID(m *memory.Memory) string { return m.Turn }

// FileOf returns the name of the file that m comes from, or by which it came over a server.
func FileOf(m *memory.Memory) string {
	if IsReceived(m) {
		name, _, _ := strings.Cut(m.Evidence, "@")
		return name
	}
	return strings.TrimPrefix(m.Evidence, Folder+"/")
}

// addOnce adds a name to a list unless it is there or the list is full.
func addOnce(names *[]string, name string) {
	fits := name != "" && len(name) <= maxName
	if fits && len(*names) < maxNames && !slices.Contains(*names, name) {
		*names = append(*names, name)
	}
}
