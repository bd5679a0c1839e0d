package recall

import (
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/share/repo"
)

// whyNotOurs says why what a team shared is not injected: the user has the very memory, or has
// forgotten it, or the file was deleted since it was read. It is "" for all else.
func (r *Recall) whyNotOurs(m *memory.Memory) string {
	if m.Source != memory.Team {
		return ""
	}
	if own := repo.OwnID(m); own != "" && r.Store.Known(own) {
		return "it is a copy of your own " + own
	}
	if repo.IsReceived(m) {
		return ""
	}
	if !hasFile(m) {
		return "its file is gone"
	}
	return ""
}

// hasFile reports whether the file from which a team's memory was read is still there.
func hasFile(m *memory.Memory) bool {
	if !filepath.IsAbs(m.ProjectPath) {
		return false
	}
	fi, err := os.Lstat(filepath.Join(m.ProjectPath, repo.Folder, repo.FileOf(m)))
	return err == nil && fi.Mode().IsRegular()
}

// teamPart is the part of the places in a budget that a team's memories may take. Whoever
// can write many files with the words of a prompt could have all of them otherwise.
const teamPart = 2

// noTeamPlace is the outcome of a candidate for which the team's part has no room.
const noTeamPlace = "the team has its part of the places already"

// reasonToYield says why a memory of the team gives way, "" if it does not, and for all else: to
// what the user knows that says nearly the same, of which a changed copy may rank better,
// and to everything once the team has its part of the places.
func (t *injection) reasonToYield(c *candidate, beside []said) string {
	if c.memory.Source != memory.Team {
		return ""
	}
	var own []said
	for _, o := range t.ranked {
		if o.memory.Source != memory.Team && slices.Contains([]string{"", api.OutcomeAlready, api.OutcomeInjected}, o.outcome) {
			own = append(own, said{of: o})
		}
	}
	if similar := t.duplicateOf(c, own); similar != "" {
		return "says nearly what your own " + similar + " says"
	}
	n := 0
	for _, i := range t.res.Injected {
		if i.Source == memory.Team {
			n++
		}
	}
	for _, s := range beside {
		if s.of.memory.Source == memory.Team && s.of != c {
			n++
		}
	}
	if n >= max(1, t.req.Settings.Budget.Items/teamPart) {
		return noTeamPlace
	}
	return ""
}
