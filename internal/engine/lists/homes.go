package lists

import (
	"cmp"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// Homes lists the projects that have memories, those with the most first.
func Homes(s *store.Store) []api.ProjectHome {
	all := map[memory.Project]*api.ProjectHome{}
	for _, id := range s.IDs() {
		w, ok := s.Where(id)
		if !ok || w.Project.Zero() {
			continue
		}
		h := all[w.Project]
		if h == nil {
			h = &api.ProjectHome{Project: w.Project}
			all[w.Project] = h
		}
		h.Memories++
		if w.OccurredAt.After(h.Last) {
			h.Last = w.OccurredAt
		}
	}
	out := make([]api.ProjectHome, 0, len(all))
	for _, h := range all {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b api.ProjectHome) int {
		return cmp.Or(b.Memories-a.Memories, cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Remote, b.Remote))
	})
	return out
}
