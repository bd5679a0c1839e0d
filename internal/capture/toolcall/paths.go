package toolcall

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// Paths makes paths relative: to the root of a project, else to the folder that
// Claude worked in, which is another one in a linked work tree.
type Paths struct{ roots []string }

// NewPaths returns the Paths of a turn in the folder cwd of a project.
func NewPaths(p memory.Project, cwd string) Paths {
	var out Paths
	for _, root := range []string{p.Path, cwd} {
		if root = strings.TrimSuffix(withSlashes(root), "/"); root != "" {
			out.roots = append(out.roots, root+"/")
		}
	}
	return out
}

// maxPath is the longest path that is taken for one, in bytes. A memory names
// whole paths or none.
const maxPath = 500

// Relative returns a path as memories name it, "" for what is too long for one.
func (p Paths) Relative(path string) string {
	if path = withSlashes(prose.OneLine(path)); len(path) > maxPath {
		return ""
	}
	for _, root := range p.roots {
		if rest, ok := strings.CutPrefix(path, root); ok {
			return withoutWorktree(rest)
		}
	}
	return path
}

// withoutWorktree names a file alike in the main work tree and in those that
// are commonly kept in a folder within it.
func withoutWorktree(path string) string {
	for _, folder := range []string{".worktrees/", ".claude/worktrees/"} {
		if rest, ok := strings.CutPrefix(path, folder); ok {
			if _, file, ok := strings.Cut(rest, "/"); ok {
				return file
			}
		}
	}
	return path
}

// withSlashes gives a Windows path the form that memories use everywhere.
func withSlashes(path string) string {
	hasDrive := len(path) > 2 && path[1:3] == `:\`
	if hasDrive || strings.HasPrefix(path, `\\`) {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return path
}

// Within makes the project's paths in a text relative.
func (p Paths) Within(text string) string {
	for _, root := range p.roots {
		text = strings.ReplaceAll(text, root, "")
	}
	return text
}
