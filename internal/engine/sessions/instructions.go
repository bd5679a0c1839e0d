package sessions

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/system/regular"
)

const (
	// maxInstructions is how much of one file of instructions is read, in
	// bytes.
	maxInstructions = 64 << 10
	// maxAbove is how many folders above a session's own are read.
	maxAbove = 8
	// maxSlug is the length above which Claude Code shortens the names of its
	// folders in its own way.
	maxSlug = 200
)

// Instructions reads what Claude Code itself gives Claude at the start of a session:
// the instructions of the project and of the user, and its own memory. The user's are
// found from the path of the session's transcript, which may be empty.
func Instructions(project memory.Project, cwd, transcript string) recall.Instructions {
	var texts []string
	for _, dir := range above(project.Path, cwd) {
		texts = append(texts, projectInstructions(dir)...)
	}
	folder := filepath.Dir(transcript) // <config>/projects/<slug>
	if projects := filepath.Dir(folder); filepath.Base(projects) == "projects" {
		config := filepath.Dir(projects)
		texts = append(texts, readInstructions(filepath.Join(config, "CLAUDE.md")))
		for _, dir := range []string{filepath.Join(folder, "memory"), filepath.Join(projects, slug(project.Path), "memory"), movedMemory(config)} {
			if dir != "" {
				texts = append(texts, readInstructions(filepath.Join(dir, "MEMORY.md")))
			}
		}
	}
	return recall.NewInstructions(texts...)
}

// movedMemory returns the folder to which the user has moved Claude Code's own memory, or "". A project's settings
// have no say in that.
func movedMemory(config string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return claudecode.AutoMemoryDirectory(readInstructions(filepath.Join(config, "settings.json")), home)
}

// projectInstructions reads the instructions in a folder, with AGENTS.md where there is
// no CLAUDE.md or where that imports it.
func projectInstructions(dir string) []string {
	main := readInstructions(filepath.Join(dir, "CLAUDE.md"))
	texts := []string{
		main,
		readInstructions(filepath.Join(dir, "CLAUDE.local.md")),
		readInstructions(filepath.Join(dir, ".claude", "CLAUDE.md")),
	}
	if main == "" || strings.Contains(main, "@AGENTS.md") {
		texts = append(texts, readInstructions(filepath.Join(dir, "AGENTS.md")))
	}
	return texts
}

// above lists a project's root, a folder, and those above it, each once.
func above(root, dir string) []string {
	var dirs []string
	if filepath.IsAbs(root) {
		dirs = append(dirs, root)
	}
	for n := 0; n < maxAbove && filepath.IsAbs(dir) && dir != filepath.Dir(dir); n++ {
		if dir != root {
			dirs = append(dirs, dir)
		}
		dir = filepath.Dir(dir)
	}
	return dirs
}

// slug returns the name that Claude Code gives the folder of a project.
func slug(path string) string {
	return memory.Clip(strings.Map(func(r rune) rune {
		if r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, path), maxSlug)
}

// readInstructions returns the text of a file, "" where there is none.
func readInstructions(path string) string {
	f, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxInstructions))
	if err != nil {
		return ""
	}
	return string(b)
}
