package capture

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// maxBelow is how many entries of a folder are looked at for repositories.
const maxBelow = 500

// below finds the repositories in a folder that a session works in.
type below struct {
	root  string
	names []string        // of those right below the root
	is    map[string]bool // by path: whether it is one
}

func newBelow(root string) *below {
	b := &below{root: root, is: map[string]bool{}}
	if root == "" {
		return b
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return b
	}
	for _, e := range entries[:min(len(entries), maxBelow)] {
		if e.IsDir() && b.repository(filepath.Join(root, e.Name())) {
			b.names = append(b.names, e.Name())
		}
	}
	return b
}

func (b *below) repository(dir string) bool {
	is, known := b.is[dir]
	if !known {
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		is = err == nil
		b.is[dir] = is
	}
	return is
}

// parts returns which of the repositories a turn is about, relative to the
// folder: those that its prompt names, else those in which all of its files lie.
func (b *below) parts(t *claudecode.Turn) []string {
	var parts []string
	prompt := strings.ToLower(t.Prompt)
	for _, name := range b.names {
		if hasName(prompt, strings.ToLower(name)) {
			parts = append(parts, name)
		}
	}
	if len(parts) > 0 {
		return parts
	}
	for _, a := range t.Actions {
		if a.File == "" {
			continue
		}
		part := b.holding(a.File)
		if part == "" {
			return nil
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return parts
}

// holding returns the repository below the folder in which a file lies, or "".
func (b *below) holding(file string) string {
	rel, err := filepath.Rel(b.root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	dir := b.root
	steps := strings.Split(filepath.ToSlash(rel), "/")
	for i, step := range steps[:len(steps)-1] {
		if dir = filepath.Join(dir, step); b.repository(dir) {
			return strings.Join(steps[:i+1], "/")
		}
	}
	return ""
}

// hasName reports whether a text has a name that is not part of a longer one.
func hasName(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(name)
		if !inName(text, begin-1) && !inName(text, end) {
			return true
		}
		at = end
	}
}

// inName reports whether the byte at i belongs to the name beside it.
func inName(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	return text[i] >= utf8.RuneSelf || strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789-_", text[i]) >= 0
}

// narrow says of a draft which repositories below the folder of its session it
// is about.
func (r *reading) narrow(d *memory.Draft, t *claudecode.Turn) {
	project := d.Home()
	if project.Path == "" || d.Everywhere() {
		return
	}
	if r.below == nil || r.below.root != project.Path {
		r.below = newBelow(project.Path)
	}
	d.Narrow(r.below.parts(t))
}
