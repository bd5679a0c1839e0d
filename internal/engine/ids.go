package engine

import (
	"context"
	"errors"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// IDs returns the memories, or the sessions that have some, whose ids begin with a text.
func (e *Engine) IDs(ctx context.Context, in api.Beginning) (api.Titles, error) {
	out := api.Titles{Titles: []api.Title{}}
	limit := bound(in.Limit)
	seen := map[string]bool{}
	for _, id := range e.Store.IDs() {
		name := id
		if in.Sessions {
			at, _ := e.Store.Where(id)
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
		m, err := e.Store.Get(id)
		switch {
		case errors.Is(err, store.ErrNotFound): // deleted meanwhile
			out.Total--
		case err != nil:
			return api.Titles{}, err
		default:
			out.Titles = append(out.Titles, titleOf(&m, name))
		}
	}
	return out, ctx.Err()
}

// titleOf returns the title of a memory under a name.
func titleOf(m *memory.Memory, name string) api.Title {
	return api.Title{ID: name, Source: m.Source, Project: m.Project, Title: m.Title, At: m.When()}
}
