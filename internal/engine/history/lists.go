package history

import (
	"context"
	"errors"
	"strings"

	"recollect/internal/api"
	"recollect/internal/engine/lists"
	"recollect/internal/memory"
	"recollect/internal/recall"
)

// List returns the newest memories of a source.
func (h *History) List(ctx context.Context, in api.List) (api.Listing, error) {
	src, err := memory.ParseSource(in.Source)
	if err != nil {
		return api.Listing{}, &api.BadRequest{Err: err}
	}
	in.Where.Project = h.projects.Root(in.Where.Project)
	within, newest := recall.Scope(in.Where, h.projects.Adopt(in.Where.Cwd)), lists.NewNewest(lists.Bound(in.Limit))
	for m, err := range h.store.Source(src) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return api.Listing{}, err
		}
		if within(&m) {
			newest.Add(m)
		}
	}
	out := api.Listing{Memories: []api.Shown{}, Total: newest.Seen}
	for _, m := range newest.List() {
		out.Memories = append(out.Memories, lists.Show(h.store, m))
	}
	return out, nil
}

// Graph returns what is known around a file, a command, a symbol or an error.
func (h *History) Graph(ctx context.Context, in api.Around) (api.Graph, error) {
	if strings.TrimSpace(in.Entity) == "" {
		return api.Graph{}, &api.BadRequest{Err: errors.New("entity: must not be empty")}
	}
	in.Where.Project = h.projects.Root(in.Where.Project)
	return lists.Graph(ctx, h.store, in.Entity, lists.Bound(in.Limit), recall.Scope(in.Where, h.projects.Adopt(in.Where.Cwd)))
}
