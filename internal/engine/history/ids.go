package history

import (
	"context"
	"errors"
	"strings"

	"recollect/internal/api"
	"recollect/internal/engine/lists"
	"recollect/internal/store"
)

// IDs returns the memories, or the sessions that have some, whose ids begin with a text.
func (h *History) IDs(ctx context.Context, in api.Beginning) (api.Titles, error) {
	out := api.Titles{Titles: []api.Title{}}
	limit := lists.Bound(in.Limit)
	seen := map[string]bool{}
	for _, id := range h.store.IDs() {
		name := id
		if in.Sessions {
			at, _ := h.store.Where(id)
			name = at.Session
		}
		if name == "" || seen[name] || !strings.HasPrefix(name, in.Prefix) {
			continue
		}
		if in.Sessions {
			seen[name] = true
		}
		if out.Total++; len(out.Titles) == limit {
			continue
		}
		m, err := h.store.Get(id)
		switch {
		case errors.Is(err, store.ErrNotFound): // deleted meanwhile
			out.Total--
		case err != nil:
			return api.Titles{}, err
		default:
			out.Titles = append(out.Titles, lists.TitleOf(&m, name))
		}
	}
	return out, ctx.Err()
}
