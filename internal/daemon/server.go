package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine"
	"recollect/internal/engine/usage"
	"recollect/internal/store"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

// handler returns the handler of every route. closing ends when the daemon is to end.
func (d *Daemon) handler(closing context.Context) http.Handler {
	mux := http.NewServeMux()
	deliver(d, mux, api.RouteRecollect, counted(d, promptEvent, delivered(d, (*engine.Engine).Recollect)))
	deliver(d, mux, api.RouteOrient, counted(d, fixed[api.Session](usage.StartEvent), delivered(d, (*engine.Engine).Orient)))
	deliver(d, mux, api.RouteTool, counted(d, fixed[api.ToolCall](usage.ToolEvent), d.tool))
	deliver(d, mux, api.RouteAgent, counted(d, fixed[api.Agent](usage.AgentEvent), delivered(d, (*engine.Engine).Agent)))
	handle(d, mux, api.RouteFlush, accepted(d, (*engine.Engine).Flush))
	handle(d, mux, api.RouteObserve, accepted(d, (*engine.Engine).Observe))

	handle(d, mux, api.RouteExplain, answered(d, (*engine.Engine).Explain))
	handle(d, mux, api.RouteExpand, answered(d, (*engine.Engine).Expand))
	handle(d, mux, api.RouteImport, answered(d, (*engine.Engine).Import))
	handle(d, mux, api.RouteConsolidate, answered(d, (*engine.Engine).Consolidate))
	handle(d, mux, api.RouteRemember, answered(d, (*engine.Engine).Remember))
	handle(d, mux, api.RouteExport, answered(d, (*engine.Engine).Export))
	handle(d, mux, api.RouteMemory, answered(d, (*engine.Engine).Memory))
	handle(d, mux, api.RouteForget, answered(d, (*engine.Engine).Forget))
	handle(d, mux, api.RouteForgetAll, answered(d, (*engine.Engine).ForgetAll))
	handle(d, mux, api.RouteRedact, answered(d, (*engine.Engine).Redact))
	handle(d, mux, api.RouteSearch, answered(d, (*engine.Engine).Search))
	handle(d, mux, api.RouteResume, answered(d, (*engine.Engine).Resume))
	handle(d, mux, api.RouteHandoff, answered(d, (*engine.Engine).Handoff))
	handle(d, mux, api.RouteList, answered(d, (*engine.Engine).List))
	handle(d, mux, api.RouteBackup, answered(d, (*engine.Engine).Backup))
	handle(d, mux, api.RouteIDs, answered(d, (*engine.Engine).IDs))
	handle(d, mux, api.RouteTimeline, answered(d, (*engine.Engine).Timeline))
	handle(d, mux, api.RouteProjects, answered(d, (*engine.Engine).Projects))
	handle(d, mux, api.RouteProjectHomes, answered(d, (*engine.Engine).ProjectHomes))
	handle(d, mux, api.RouteProjectMove, answered(d, (*engine.Engine).MoveProject))
	handle(d, mux, api.RouteSessions, answered(d, (*engine.Engine).Sessions))
	handle(d, mux, api.RouteSession, answered(d, (*engine.Engine).Session))
	handle(d, mux, api.RoutePending, answered(d, (*engine.Engine).Pending))
	handle(d, mux, api.RouteReview, answered(d, (*engine.Engine).Review))
	handle(d, mux, api.RoutePause, answered(d, (*engine.Engine).Pause))
	handle(d, mux, api.RouteShare, answered(d, (*engine.Engine).Share))
	handle(d, mux, api.RouteTeam, answered(d, (*engine.Engine).Team))
	handle(d, mux, api.RouteTeamReject, answered(d, (*engine.Engine).RejectTeam))
	handle(d, mux, api.RouteTeamServer, answered(d, (*engine.Engine).TeamServer))
	handle(d, mux, api.RouteSync, answered(d, (*engine.Engine).Sync))
	handle(d, mux, api.RouteConflicts, answered(d, (*engine.Engine).Conflicts))
	handle(d, mux, api.RouteKeep, answered(d, (*engine.Engine).Keep))
	handle(d, mux, api.RouteGraph, answered(d, (*engine.Engine).Graph))
	handle(d, mux, api.RouteStats, answered(d, (*engine.Engine).Stats))
	handle(d, mux, api.RouteDays, answered(d, (*engine.Engine).Days))

	handle(d, mux, api.RouteRecalls, until(closing, answered(d, (*engine.Engine).Recalls)))
	handle(d, mux, api.RouteConfig, d.config)
	handle(d, mux, api.RouteHealth, d.health)
	handle(d, mux, api.RouteShutdown, d.shutdown)
	mux.Handle("/", refuse(d, mux))
	return d.observed(mux)
}

// An answer is the function that a route calls.
type answer[In, Out any] func(context.Context, In) (Out, error)

// A method is one of the engine.
type method[In, Out any] func(*engine.Engine, context.Context, In) (Out, error)

// answered calls a method of the engine once that is open.
func answered[In, Out any](d *Daemon, call method[In, Out]) answer[In, Out] {
	return func(ctx context.Context, in In) (out Out, err error) {
		e, err := d.engine.wait(ctx)
		if err != nil {
			return out, err
		}
		return call(e, ctx, in)
	}
}

// accepted passes something on to the engine without waiting for it to open.
func accepted[In any](d *Daemon, call func(*engine.Engine, context.Context, In) error) answer[In, struct{}] {
	return func(ctx context.Context, in In) (struct{}, error) {
		ctx = context.WithoutCancel(ctx) // it may be done after the reply
		return struct{}{}, d.engine.then(func(e *engine.Engine) error { return call(e, ctx, in) })
	}
}

// A delivery is the function that a route calls whose reply is injected. It passes the
// reply on itself, because only what arrived counts as injected.
type delivery[In any] func(context.Context, In, engine.Deliver) error

// delivered calls a method of the engine once that is open.
func delivered[In any](d *Daemon, call func(*engine.Engine, context.Context, In, engine.Deliver) error) delivery[In] {
	return func(ctx context.Context, in In, deliver engine.Deliver) error {
		e, err := d.engine.wait(ctx)
		if err != nil {
			return err
		}
		return call(e, ctx, in, deliver)
	}
}

// counted counts the requests of a route that asks for memories at an event, but not
// those that the settings have switched off.
func counted[In any](d *Daemon, event func(In) string, ask delivery[In]) delivery[In] {
	return func(ctx context.Context, in In, deliver engine.Deliver) error {
		began := time.Now()
		var out api.Recollection
		err := ask(ctx, in, func(found api.Recollection) error {
			out = found
			return deliver(found)
		})
		if now := time.Now(); err != nil || !out.Timestamp.IsZero() {
			d.engine.then(func(e *engine.Engine) error {
				e.Asked(now, event(in), now.Sub(began), len(out.Injected), err)
				return nil
			})
		}
		return err
	}
}

// tool asks the engine what bears on a tool call. A call that needs no memories does not
// wait for the engine to open, because its hook would not.
func (d *Daemon) tool(ctx context.Context, in api.ToolCall, deliver engine.Deliver) error {
	e, ok := d.engine.now()
	if !ok {
		if out, ok := engine.WithoutMemories(d.settings.Current(), in); ok {
			return deliver(out)
		}
		var err error
		if e, err = d.engine.wait(ctx); err != nil {
			return err
		}
	}
	return e.Tool(ctx, in, deliver)
}

func promptEvent(in api.Prompt) string { return cmp.Or(in.Event, usage.PromptEvent) }

func fixed[In any](event string) func(In) string { return func(In) string { return event } }

// until ends the wait of a call when closing ends.
func until[In, Out any](closing context.Context, call answer[In, Out]) answer[In, Out] {
	return func(ctx context.Context, in In) (Out, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(closing, cancel)()
		return call(ctx, in)
	}
}

// observed keeps the daemon from being idle during a request, and sends its version. Who only
// watches keeps no daemon running.
func (d *Daemon) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != api.RouteRecalls.Path {
			defer d.idle.enter()()
		}
		w.Header().Set(api.VersionHeader, d.version)
		next.ServeHTTP(w, r)
	})
}

var (
	errNoRoute  = errors.New("no such route")
	errNoMethod = errors.New("no such method on this route")
)

// handle serves a route: it decodes the request, makes the call, and writes its result.
func handle[In, Out any](d *Daemon, mux *http.ServeMux, route api.Route[In, Out], call answer[In, Out]) {
	mux.HandleFunc(route.Method+" "+route.Path, func(w http.ResponseWriter, r *http.Request) {
		var out Out
		err := crash.Catch(func() error {
			in, err := decode(w, r, route)
			if err == nil {
				out, err = call(r.Context(), in)
			}
			return err
		})
		if err != nil {
			d.fail(w, r, err)
			return
		}
		reply(w, route.Status, out)
	})
}

// deliver serves a route whose reply is injected. The call learns whether the reply could
// be written: a hook that has left has closed the socket.
func deliver[In any](d *Daemon, mux *http.ServeMux, route api.Route[In, api.Recollection], call delivery[In]) {
	mux.HandleFunc(route.Method+" "+route.Path, func(w http.ResponseWriter, r *http.Request) {
		replied := false
		err := crash.Catch(func() error {
			in, err := decode(w, r, route)
			if err != nil {
				return err
			}
			return call(r.Context(), in, func(out api.Recollection) error {
				replied = true
				return reply(w, route.Status, out)
			})
		})
		var caught *crash.Error
		switch {
		case err != nil && !replied:
			d.fail(w, r, err)
		case errors.As(err, &caught): // another error is that the hook has left
			d.logFailure(r, err)
		}
	})
}

// decode reads the request to a route.
func decode[In, Out any](w http.ResponseWriter, r *http.Request, route api.Route[In, Out]) (In, error) {
	body := http.MaxBytesReader(w, r.Body, api.MaxBody)
	return route.Decode(api.Received{Body: body, Query: r.URL.Query(), ID: r.PathValue("id")})
}

// refuse answers a request that matches no route.
func refuse(d *Daemon, mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(other); pattern != "/" {
				d.fail(w, r, errNoMethod)
				return
			}
		}
		d.fail(w, r, errNoRoute)
	}
}

// fail answers a request with an error.
func (d *Daemon) fail(w http.ResponseWriter, r *http.Request, err error) {
	d.logFailure(r, err)
	reply(w, statusOf(err), api.Failure{Error: err.Error()})
}

// logFailure logs an error of a request: the daemon's own at a level that is always logged.
func (d *Daemon) logFailure(r *http.Request, err error) {
	level, stack := slog.LevelDebug, ""
	var caught *crash.Error
	if errors.As(err, &caught) {
		stack = caught.Stack
	}
	if statusOf(err) == http.StatusInternalServerError {
		level = slog.LevelWarn
	}
	d.log.Log(r.Context(), level, "request failed", logkey.Route, r.URL.Path, logkey.Error, err, logkey.Stack, stack)
}

// statusOf returns the status of an error. Nothing else turns errors into statuses.
func statusOf(err error) int {
	var bad *api.BadRequest
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
	case errors.Is(err, api.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// reply writes a body and its length, because the client reads that many bytes. An error
// means that the client has closed its connection.
func reply(w http.ResponseWriter, status int, out any) error {
	b, err := json.Marshal(out)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":"encode reply"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write reply: %w", err)
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return fmt.Errorf("write reply: %w", err)
	}
	return nil
}
