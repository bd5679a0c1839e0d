// Package survey describes a project by the files that lie at its root: what
// it is for, how it is built and tested, what it depends on.
package survey

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// Bounds of the description of a project, in bytes where not said otherwise.
const (
	maxRegistry    = 500
	maxPurpose     = 160
	maxCommandLine = 100 // of a command
	maxManifest    = 64 << 10
	maxEntries     = 200 // files and folders that are read
	maxDeps        = 6   // dependencies
	maxLanguages   = 4
	maxParts       = 6
	maxRun         = 8 // commands
)

// facts are what a project's own files say of it.
type facts struct {
	name      string
	purpose   string
	languages []string
	commands  []command
	depends   []string
	parts     []string // sub-folders that are projects of their own
	from      []string // files that were read
}

// Describe makes the memory of the project whose files lie in root: what it is for, how
// it is built and tested, what it depends on. It reports false where no file
// says anything. It reads a bounded number of files, never more than 64 KiB of
// one, follows no link that leads out of root, and runs nothing.
func Describe(root string, project memory.Project) (memory.Draft, bool) {
	f, err := readFacts(root)
	if err != nil || f.purpose == "" && len(f.commands)+len(f.depends)+len(f.parts) == 0 {
		return memory.Draft{}, false
	}
	if project.Name != "" {
		f.name = project.Name
	}
	m := memory.Draft{Memory: memory.Memory{Source: memory.Registry, Origin: memory.OriginTool, Confidence: 0.9}}
	m.SetHome(project)
	m.Title, m.Text = "Project "+f.name, prose.WholeLines(f.String(), maxRegistry)
	if f.purpose != "" {
		m.Title += ": " + f.purpose
	}
	m.Files, m.Keywords = f.from, prose.Keywords(f.depends...)
	sum := sha256.Sum256([]byte(m.Title + "\x00" + m.Text))
	m.Evidence = strings.Join(f.from, ", ") + " (" + hex.EncodeToString(sum[:4]) + ")"
	m.Subject = []string{"project"}
	return m, true
}

// String returns the facts, one kind a line.
func (f *facts) String() string {
	var lines []string
	add := func(label string, words []string, most int) {
		if len(words) > most {
			words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", len(words)-most))
		}
		if len(words) > 0 {
			lines = append(lines, label+": "+strings.Join(words, ", "))
		}
	}
	if f.purpose != "" {
		lines = append(lines, f.purpose)
	}
	add("Languages", f.languages, maxLanguages)
	add("Commands", f.commandList(), maxRun)
	add("Depends on", f.depends, maxDeps)
	add("Parts", f.parts, maxParts)
	return strings.Join(lines, "\n")
}
