package engine

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
func (e *Engine) List(ctx context.Context, in api.List) (api.Listing, error) {
	src, err := memory.ParseSource(in.Source)
	if err != nil {
		return api.Listing{}, &api.BadRequest{Err: err}
	}
	in.Where.Project = e.Projects.Root(in.Where.Project)
	within, newest := recall.Scope(in.Where, e.Projects.Adopt(in.Where.Cwd)), lists.NewNewest(bound(in.Limit))
	for m, err := range e.Store.Source(src) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return api.Listing{}, err
		}
		if within(&m) {
			newest.Add(m)
		}
	}
	out := api.Listing{Memories: []api.Shown{}, Total: newest.Seen}
	for _, m := range newest.List() {
		out.Memories = append(out.Memories, e.shown(m))
	}
	return out, nil
}

// Graph returns what is known around a file, a command, a symbol or an error.
func (e *Engine) Graph(ctx context.Context, in api.Around) (api.Graph, error) {
	if strings.TrimSpace(in.Entity) == "" {
		return api.Graph{}, &api.BadRequest{Err: errors.New("entity: must not be empty")}
	}
	in.Where.Project = e.Projects.Root(in.Where.Project)
	return lists.Graph(ctx, e.Store, in.Entity, bound(in.Limit), recall.Scope(in.Where, e.Projects.Adopt(in.Where.Cwd)))
}
