package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"recollect/internal/api"
	"recollect/internal/store"
)

// handler is every route of the daemon.
func (d *Daemon) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+api.RouteRecollect, serve(d, http.StatusOK, body[api.Prompt], timed(d, eventOf, d.recollect)))
	mux.Handle("POST "+api.RouteOrient, serve(d, http.StatusOK, body[api.Session], timed(d, startOf, d.orient)))
	mux.Handle("POST "+api.RouteTool, serve(d, http.StatusOK, body[api.ToolCall], timed(d, atTool, d.tool)))
	mux.Handle("POST "+api.RouteAgent, serve(d, http.StatusOK, body[api.Agent], timed(d, atAgent, d.brief)))
	mux.Handle("POST "+api.RouteFlush, serve(d, http.StatusAccepted, body[api.Flush], d.flush))
	mux.Handle("POST "+api.RouteObserve, serve(d, http.StatusAccepted, body[api.Observation], d.observe))
	mux.Handle("POST "+api.RouteExplain, serve(d, http.StatusOK, body[api.Prompt], d.explain))
	mux.Handle("POST "+api.RouteExpand, serve(d, http.StatusOK, body[api.Expand], d.expand))
	mux.Handle("POST "+api.RouteImport, serve(d, http.StatusOK, body[api.Import], d.importFile))
	mux.Handle("POST "+api.RouteConsolidate, serve(d, http.StatusOK, body[api.Consolidate], d.consolidate))
	mux.Handle("POST "+api.RouteMemories, serve(d, http.StatusOK, body[api.Remember], d.remember))
	mux.Handle("GET "+api.RouteMemories, serve(d, http.StatusOK, pageAfter, d.export))
	mux.Handle("GET "+api.RouteMemories+"/{id}", serve(d, http.StatusOK, pathID, d.show))
	mux.Handle("DELETE "+api.RouteMemories+"/{id}", serve(d, http.StatusOK, pathID, d.forget))
	mux.Handle("POST "+api.RouteForget, serve(d, http.StatusOK, body[api.Forget], d.forgetAll))
	mux.Handle("GET "+api.RouteSearch, serve(d, http.StatusOK, searchQuery, d.search))
	mux.Handle("POST "+api.RouteResume, serve(d, http.StatusOK, body[api.Session], d.resume))
	mux.Handle("POST "+api.RouteHandoff, serve(d, http.StatusOK, body[api.Handoff], d.handoff))
	mux.Handle("GET "+api.RouteList, serve(d, http.StatusOK, listQuery, d.list))
	mux.Handle("GET "+api.RouteGraph, serve(d, http.StatusOK, listQuery, d.graph))
	mux.Handle("GET "+api.RouteConfig, serve(d, http.StatusOK, nothing, d.config))
	mux.Handle("GET "+api.RouteStats, serve(d, http.StatusOK, sinceQuery, d.stats))
	mux.Handle("GET "+api.RouteHealth, serve(d, http.StatusOK, nothing, d.health))
	mux.Handle("POST "+api.RouteShutdown, serve(d, http.StatusAccepted, nothing, d.shutdown))
	mux.Handle("/", serve(d, http.StatusOK, noRoute(mux), func(context.Context, struct{}) (struct{}, error) {
		return struct{}{}, nil
	}))
	return d.observed(mux)
}

// observed keeps the daemon alive while it is asked, and tells its version.
func (d *Daemon) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer d.idle.enter()()
		w.Header().Set(api.VersionHeader, d.version)
		next.ServeHTTP(w, r)
	})
}

// A badRequest is the caller's mistake.
type badRequest struct{ error }

func (e *badRequest) Unwrap() error { return e.error }

var (
	errNoRoute  = errors.New("no such route")
	errNoMethod = errors.New("no such method on this route")
)

// serve makes a handler of a function: it reads the request, calls, and
// writes what came back. Here and nowhere else errors become statuses.
func serve[In, Out any](d *Daemon, status int, read func(*http.Request) (In, error), call func(context.Context, In) (Out, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, api.MaxBody)
		in, err := read(r)
		var out any
		if err == nil {
			out, err = call(r.Context(), in)
		}
		if err != nil {
			d.log.Debug("request refused", "route", r.URL.Path, "error", err)
			reply(w, statusOf(err), api.Failure{Error: err.Error()})
			return
		}
		reply(w, status, out)
	})
}

func statusOf(err error) int {
	var bad *badRequest
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &bad):
		return http.StatusBadRequest
	case errors.Is(err, store.ErrNotFound), errors.Is(err, errNoRoute):
		return http.StatusNotFound
	case errors.Is(err, errNoMethod):
		return http.StatusMethodNotAllowed
	case errors.Is(err, errBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// reply writes a body with its length: the client reads that many bytes.
func reply(w http.ResponseWriter, status int, out any) {
	b, err := json.Marshal(out)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":"encode reply"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	w.Write(b) // a client that went away needs no answer
}

// The readers of requests.

func body[In any](r *http.Request) (In, error) {
	var in In
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return in, &badRequest{err}
	}
	return in, nil
}

func nothing(*http.Request) (struct{}, error) { return struct{}{}, nil }

// noRoute reads a request that no route takes, and says why.
func noRoute(mux *http.ServeMux) func(*http.Request) (struct{}, error) {
	return func(r *http.Request) (struct{}, error) {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(other); pattern != "/" {
				return struct{}{}, errNoMethod
			}
		}
		return struct{}{}, errNoRoute
	}
}

func pathID(r *http.Request) (string, error) { return r.PathValue("id"), nil }

func pageAfter(r *http.Request) (string, error) { return r.FormValue("after"), nil }

// A searchRequest is what GET /search takes.
type searchRequest struct {
	query, cwd, project, source string
	limit                       int
	explain                     bool
}

func searchQuery(r *http.Request) (searchRequest, error) {
	limit, err := strconv.Atoi(r.FormValue("limit"))
	if err != nil || limit < 1 {
		limit = defaultResults
	}
	return searchRequest{
		query:   r.FormValue("q"),
		cwd:     r.FormValue("cwd"),
		project: r.FormValue("project"),
		source:  r.FormValue("source"),
		limit:   min(limit, maxResults),
		explain: r.FormValue("explain") == "true",
	}, nil
}
