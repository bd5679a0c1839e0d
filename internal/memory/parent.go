package memory

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Parents lists the folders above p's root, the nearest first. It ends before the user's own folder or
// the root of the file system, which contain everything and so mean nothing.
func (p Project) Parents() []string {
	if !filepath.IsAbs(p.Path) {
		return nil
	}
	user, err := os.UserHomeDir()
	var out []string
	for dir := filepath.Dir(p.Path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if err == nil && isBelow(dir, user) {
			break
		}
		out = append(out, dir)
	}
	return out
}

// isBelow reports whether path is folder or is in it.
func isBelow(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// Above reports whether q is in p's root folder.
func (p Project) Above(q Project) bool {
	rest, ok := strings.CutPrefix(q.Path, p.Path)
	if !ok || p.Path == "" || rest == "" {
		return false
	}
	return os.IsPathSeparator(rest[0]) && slices.Contains(q.Parents(), p.Path)
}

// HoldsIn reports whether m holds in p: it belongs to p or to all projects, or to a folder above that it
// narrows to p among others. A handoff holds only in its own project.
func (m *Memory) HoldsIn(p Project) bool {
	home := m.Home()
	switch {
	case m.Everywhere() || home.Same(p):
		return true
	case m.Source == Handoffs || !home.Above(p):
		return false
	}
	parts, narrowed := strings.CutSuffix(m.AppliesTo, inAll)
	if !narrowed {
		return true
	}
	below, _ := filepath.Rel(home.Path, p.Path)
	return slices.ContainsFunc(strings.Split(strings.Trim(parts, "{}"), ","), func(part string) bool {
		return isBelow(filepath.FromSlash(part), below)
	})
}

// IsNarrowedTo reports whether m was said in a folder above p of p, and at most a few beside it.
func (m *Memory) IsNarrowedTo(p Project) bool {
	return strings.HasSuffix(m.AppliesTo, inAll) && !m.Home().Same(p) && m.HoldsIn(p)
}

// inAll ends a glob for everything in a folder.
const inAll = "/**"

// maxParts is the largest number of folders to which a memory can be narrowed.
const maxParts = 4

// Narrow restricts m to some of the projects below its folder. parts are folders relative to it. It does
// nothing if a part contains a special character or there are too many.
func (m *Memory) Narrow(parts []string) {
	odd := slices.ContainsFunc(parts, func(part string) bool { return strings.ContainsAny(part, "{},*?[]") })
	if odd || len(parts) == 0 || len(parts) > maxParts {
		return
	}
	if m.Everywhere() {
		return
	}
	m.AppliesTo = parts[0] + inAll
	if len(parts) > 1 {
		m.AppliesTo = "{" + strings.Join(parts, ",") + "}" + inAll
	}
}
