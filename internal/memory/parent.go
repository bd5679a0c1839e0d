package memory

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Parents lists the folders above p's root, the nearest first, up to the user's
// own folder or the root of the file system, which hold everything and tell
// nothing of it.
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

// isBelow reports whether path is folder or lies in it.
func isBelow(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// Above reports whether p's root is a folder in which q lies.
func (p Project) Above(q Project) bool {
	rest, ok := strings.CutPrefix(q.Path, p.Path)
	if !ok || p.Path == "" || rest == "" {
		return false
	}
	return os.IsPathSeparator(rest[0]) && slices.Contains(q.Parents(), p.Path)
}

// HoldsIn reports whether m holds in p: it belongs to p or to all projects, or
// was said in a folder above, of p among others. How far a session came holds
// only where it was.
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

// inAll ends a glob of all that lies in a folder.
const inAll = "/**"

// maxParts is how many folders a memory may be of.
const maxParts = 4

// Narrow has m hold, in the projects below the folder that it belongs to, only
// in some: folders relative to it.
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
