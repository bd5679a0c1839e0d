package recall

import (
	"os"
	"path/filepath"

	"recollect/internal/memory"
	"recollect/internal/team"
)

// apart says why what a team shared is not injected: the user has the very memory, or has
// forgotten it, or the file was deleted since it was read. It is "" for all else.
func (r *Recall) apart(m *memory.Memory) string {
	if m.Source != memory.Team {
		return ""
	}
	if own := team.OwnID(m); own != "" && r.Store.Known(own) {
		return "it is a copy of your own " + own
	}
	if fi, err := os.Lstat(filepath.Join(m.ProjectPath, team.Folder, team.FileOf(m))); err != nil || !fi.Mode().IsRegular() {
		return "its file is gone"
	}
	return ""
}

const otherTeam = "shared by the team of another folder, which this one does not read"

// otherTeam reports whether c comes from the files of another folder, a clone of this
// repository included, and nobody asked for that. Whoever can write to one repository has
// nothing to say in another.
func (t *retrieval) otherTeam(c *candidate) bool {
	return c.memory.Source == memory.Team && c.memory.ProjectPath != t.req.Project.Path && t.req.Filter.Project == ""
}
