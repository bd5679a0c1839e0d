package daemon

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall"
)

// A listRequest is what GET /list and GET /graph take.
type listRequest struct {
	source string
	entity string
	where  api.Where
	limit  int
}

func listQuery(r *http.Request) (listRequest, error) {
	limit, err := strconv.Atoi(r.FormValue("limit"))
	if err != nil || limit < 1 {
		limit = defaultResults
	}
	return listRequest{
		source: r.FormValue("source"),
		entity: r.FormValue("entity"),
		where:  api.Where{Cwd: r.FormValue("cwd"), Project: r.FormValue("project"), All: r.FormValue("all") == "true"},
		limit:  min(limit, maxResults),
	}, nil
}

// list returns the newest memories of a source.
func (d *Daemon) list(ctx context.Context, in listRequest) (api.Listing, error) {
	src, err := memory.ParseSource(in.source)
	if err != nil {
		return api.Listing{}, &badRequest{err}
	}
	if err := d.parts(ctx); err != nil {
		return api.Listing{}, err
	}
	within, newest := recall.Scope(in.where, d.project(in.where.Cwd)), recall.NewNewest(in.limit)
	for m, err := range d.store.Source(src) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return api.Listing{}, err
		}
		if within(&m) {
			newest.Add(m)
		}
	}
	out := api.Listing{Memories: []api.Shown{}, Total: newest.Seen}
	for _, m := range newest.List() {
		out.Memories = append(out.Memories, api.Shown{Memory: m, SupersededBy: d.store.SupersededBy(m.ID)})
	}
	return out, nil
}

// graph returns what is known around a file, a command, a symbol or an error.
func (d *Daemon) graph(ctx context.Context, in listRequest) (api.Graph, error) {
	if strings.TrimSpace(in.entity) == "" {
		return api.Graph{}, &badRequest{errors.New("entity: must not be empty")}
	}
	if err := d.parts(ctx); err != nil {
		return api.Graph{}, err
	}
	return d.recall.Graph(ctx, in.entity, in.limit, recall.Scope(in.where, d.project(in.where.Cwd)))
}
