package daemon

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine"
	"recollect/internal/engine/history"
	"recollect/internal/engine/projects"
	"recollect/internal/engine/usage"
	"recollect/internal/share/machines"
	"recollect/internal/share/teams"
)

// handler returns the handler of all routes. closing ends when the daemon is to end.
func (d *Daemon) handler(closing context.Context) http.Handler {
	mux := http.NewServeMux()
	d.handleHooks(mux)
	d.handleMemories(mux)
	handleRoute(d, mux, api.RouteStats, answered(d, part(historyOf, (*history.History).Stats)))
	handleRoute(d, mux, api.RouteDays, answered(d, part(historyOf, (*history.History).Days)))
	handleRoute(d, mux, api.RouteRecalls, until(closing, answered(d, (*engine.Engine).Recalls)))
	handleRoute(d, mux, api.RouteConfig, d.answerConfig)
	handleRoute(d, mux, api.RouteHealth, d.answerHealth)
	handleRoute(d, mux, api.RouteShutdown, d.answerShutdown)
	mux.Handle("/", refuseUnknown(d, mux))
	return d.observeRequests(mux)
}

// handleHooks serves the routes of the hooks.
func (d *Daemon) handleHooks(mux *http.ServeMux) {
	handleRoute(d, mux, api.RouteRecollect, injected(d, promptEvent, (*engine.Engine).Recollect))
	handleRoute(d, mux, api.RouteOrient, injected(d, atEvent[api.Session](usage.StartEvent), (*engine.Engine).Orient))
	handleRoute(d, mux, api.RouteTool, d.answerTool)
	handleRoute(d, mux, api.RouteAgent, injected(d, atEvent[api.Agent](usage.AgentEvent), (*engine.Engine).Agent))
	handleRoute(d, mux, api.RouteFlush, accepted(d, (*engine.Engine).Flush))
	handleRoute(d, mux, api.RouteObserve, accepted(d, (*engine.Engine).Observe))
}

// handleMemories serves the routes that read and change memories.
func (d *Daemon) handleMemories(mux *http.ServeMux) {
	handleRoute(d, mux, api.RouteExplain, answered(d, (*engine.Engine).Explain))
	handleRoute(d, mux, api.RouteExpand, answered(d, (*engine.Engine).Expand))
	handleRoute(d, mux, api.RouteImport, answered(d, (*engine.Engine).Import))
	handleRoute(d, mux, api.RouteConsolidate, answered(d, (*engine.Engine).Consolidate))
	handleRoute(d, mux, api.RouteRemember, answered(d, (*engine.Engine).Remember))
	handleRoute(d, mux, api.RouteExport, answered(d, (*engine.Engine).Export))
	handleRoute(d, mux, api.RouteMemory, answered(d, (*engine.Engine).Memory))
	handleRoute(d, mux, api.RouteForget, answered(d, (*engine.Engine).Forget))
	handleRoute(d, mux, api.RouteForgetAll, answered(d, (*engine.Engine).ForgetAll))
	handleRoute(d, mux, api.RouteRedact, answered(d, (*engine.Engine).Redact))
	handleRoute(d, mux, api.RouteSearch, answered(d, (*engine.Engine).Search))
	handleRoute(d, mux, api.RouteResume, answered(d, (*engine.Engine).Resume))
	handleRoute(d, mux, api.RouteHandoff, answered(d, (*engine.Engine).Handoff))
	handleRoute(d, mux, api.RouteList, answered(d, part(historyOf, (*history.History).List)))
	handleRoute(d, mux, api.RouteBackup, answered(d, (*engine.Engine).Backup))
	handleRoute(d, mux, api.RouteIDs, answered(d, part(historyOf, (*history.History).IDs)))
	handleRoute(d, mux, api.RouteTimeline, answered(d, part(historyOf, (*history.History).Timeline)))
	handleRoute(d, mux, api.RouteProjects, answered(d, part(projectsOf, (*projects.Projects).Count)))
	handleRoute(d, mux, api.RouteProjectHomes, answered(d, part(projectsOf, (*projects.Projects).Homes)))
	handleRoute(d, mux, api.RouteProjectMove, answered(d, part(projectsOf, (*projects.Projects).Move)))
	handleRoute(d, mux, api.RouteSessions, answered(d, part(historyOf, (*history.History).Sessions)))
	handleRoute(d, mux, api.RouteSession, answered(d, part(historyOf, (*history.History).Session)))
	handleRoute(d, mux, api.RoutePending, answered(d, (*engine.Engine).Pending))
	handleRoute(d, mux, api.RouteReview, answered(d, (*engine.Engine).Review))
	handleRoute(d, mux, api.RoutePause, answered(d, (*engine.Engine).Pause))
	handleRoute(d, mux, api.RouteShare, answered(d, part(teamsOf, (*teams.Teams).Share)))
	handleRoute(d, mux, api.RouteTeam, answered(d, part(teamsOf, (*teams.Teams).List)))
	handleRoute(d, mux, api.RouteTeamReject, answered(d, part(teamsOf, (*teams.Teams).Reject)))
	handleRoute(d, mux, api.RouteTeamServer, answered(d, part(teamsOf, (*teams.Teams).Server)))
	handleRoute(d, mux, api.RouteSync, answered(d, part(machinesOf, (*machines.Synchronization).Sync)))
	handleRoute(d, mux, api.RouteConflicts, answered(d, part(machinesOf, (*machines.Synchronization).Conflicts)))
	handleRoute(d, mux, api.RouteKeep, answered(d, part(machinesOf, (*machines.Synchronization).Keep)))
	handleRoute(d, mux, api.RouteGraph, answered(d, part(historyOf, (*history.History).Graph)))
}

// An answer is the function that a route calls. The commit that it returns may be nil. It is called
// after the reply was written, with an error if the client had left.
type answer[In, Out any] func(context.Context, In) (Out, engine.Commit, error)

// answered returns an answer that waits until the engine is open, and calls a method of it.
func answered[In, Out any](d *Daemon, call func(*engine.Engine, context.Context, In) (Out, error)) answer[In, Out] {
	return func(ctx context.Context, in In) (out Out, _ engine.Commit, err error) {
		e, err := d.engine.wait(ctx)
		if err != nil {
			return out, nil, err
		}
		out, err = call(e, ctx, in)
		return out, nil, err
	}
}

// part turns a method of a part of the engine into a function of the engine.
func part[P, In, Out any](of func(*engine.Engine) P, call func(P, context.Context, In) (Out, error)) func(*engine.Engine, context.Context, In) (Out, error) {
	return func(e *engine.Engine, ctx context.Context, in In) (Out, error) { return call(of(e), ctx, in) }
}

func machinesOf(e *engine.Engine) *machines.Synchronization { return e.Machines }
func projectsOf(e *engine.Engine) *projects.Projects        { return e.Projects }
func historyOf(e *engine.Engine) *history.History           { return e.History }
func teamsOf(e *engine.Engine) *teams.Teams                 { return e.Teams }

// accepted returns an answer that calls a method of the engine, now or as soon as the engine is open,
// and does not wait for that.
func accepted[In any](d *Daemon, call func(*engine.Engine, context.Context, In) error) answer[In, struct{}] {
	return func(ctx context.Context, in In) (struct{}, engine.Commit, error) {
		ctx = context.WithoutCancel(ctx) // the call may come after the reply
		return struct{}{}, nil, d.engine.then(func(e *engine.Engine) error { return call(e, ctx, in) })
	}
}

// injected returns an answer like answered, for a method whose reply is injected at an event. It counts
// the requests, but not those that the settings have switched off.
func injected[In any](d *Daemon, event func(In) string, call func(*engine.Engine, context.Context, In) (api.Recollection, engine.Commit, error)) answer[In, api.Recollection] {
	return func(ctx context.Context, in In) (out api.Recollection, _ engine.Commit, err error) {
		began := time.Now()
		count := func(err error) {
			if now := time.Now(); err != nil || !out.Timestamp.IsZero() {
				d.engine.then(func(e *engine.Engine) error {
					e.Asked(now, event(in), now.Sub(began), len(out.Injected), err)
					return nil
				})
			}
		}
		var commit engine.Commit
		e, err := d.engine.wait(ctx)
		if err == nil {
			out, commit, err = call(e, ctx, in)
		}
		if err != nil {
			count(err)
			return out, nil, err
		}
		return out, func(undelivered error) {
			if commit != nil {
				commit(undelivered)
			}
			count(undelivered)
		}, nil
	}
}

// answerTool answers a hook before a tool call. It answers a call that needs no memories even before the
// engine is open, because the hook would not wait.
func (d *Daemon) answerTool(ctx context.Context, in api.ToolCall) (api.Recollection, engine.Commit, error) {
	if _, open := d.engine.now(); !open {
		if out, ok := engine.WithoutMemories(d.settings.Current(), in); ok {
			return out, nil, nil
		}
	}
	return injected(d, atEvent[api.ToolCall](usage.ToolEvent), (*engine.Engine).Tool)(ctx, in)
}

func promptEvent(in api.Prompt) string { return cmp.Or(in.Event, usage.PromptEvent) }

func atEvent[In any](event string) func(In) string { return func(In) string { return event } }

// until cancels a call when closing ends.
func until[In, Out any](closing context.Context, call answer[In, Out]) answer[In, Out] {
	return func(ctx context.Context, in In) (Out, engine.Commit, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(closing, cancel)()
		return call(ctx, in)
	}
}

// observeRequests counts requests as activity, and adds the daemon's version to the replies. Requests of
// "recollect watch" do not count, so that it keeps no daemon running.
func (d *Daemon) observeRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != api.RouteRecalls.Path {
			defer d.idle.enter()()
		}
		w.Header().Set(api.VersionHeader, d.version)
		next.ServeHTTP(w, r)
	})
}
