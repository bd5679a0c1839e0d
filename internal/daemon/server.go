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
	handleRoute(d, mux, api.RouteStats, callEngine(d, methodOf(historyOf, (*history.History).Stats)))
	handleRoute(d, mux, api.RouteDays, callEngine(d, methodOf(historyOf, (*history.History).Days)))
	handleRoute(d, mux, api.RouteRecalls, cancelAt(closing, callEngine(d, (*engine.Engine).Recalls)))
	handleRoute(d, mux, api.RouteConfig, d.answerConfig)
	handleRoute(d, mux, api.RouteHealth, d.answerHealth)
	handleRoute(d, mux, api.RouteShutdown, d.answerShutdown)
	mux.Handle("/", refuseUnknown(d, mux))
	return d.observeRequests(mux)
}

func (d *Daemon) handleHooks(mux *http.ServeMux) {
	handleRoute(d, mux, api.RouteRecollect, callInjecting(d, promptEvent, (*engine.Engine).Recollect))
	handleRoute(d, mux, api.RouteOrient, callInjecting(d, atEvent[api.Session](usage.StartEvent), (*engine.Engine).Orient))
	handleRoute(d, mux, api.RouteTool, d.answerTool)
	handleRoute(d, mux, api.RouteAgent, callInjecting(d, atEvent[api.Agent](usage.AgentEvent), (*engine.Engine).Agent))
	handleRoute(d, mux, api.RouteFlush, callEngineLater(d, (*engine.Engine).Flush))
	handleRoute(d, mux, api.RouteObserve, callEngineLater(d, (*engine.Engine).Observe))
}

func (d *Daemon) handleMemories(mux *http.ServeMux) {
	handleRoute(d, mux, api.RouteExplain, callEngine(d, (*engine.Engine).Explain))
	handleRoute(d, mux, api.RouteExpand, callEngine(d, (*engine.Engine).Expand))
	handleRoute(d, mux, api.RouteImport, callEngine(d, (*engine.Engine).Import))
	handleRoute(d, mux, api.RouteConsolidate, callEngine(d, (*engine.Engine).Consolidate))
	handleRoute(d, mux, api.RouteRemember, callEngine(d, (*engine.Engine).Remember))
	handleRoute(d, mux, api.RouteExport, callEngine(d, (*engine.Engine).Export))
	handleRoute(d, mux, api.RouteMemory, callEngine(d, (*engine.Engine).Memory))
	handleRoute(d, mux, api.RouteForget, callEngine(d, (*engine.Engine).Forget))
	handleRoute(d, mux, api.RouteForgetAll, callEngine(d, (*engine.Engine).ForgetAll))
	handleRoute(d, mux, api.RouteRedact, callEngine(d, (*engine.Engine).Redact))
	handleRoute(d, mux, api.RouteSearch, callEngine(d, (*engine.Engine).Search))
	handleRoute(d, mux, api.RouteResume, callEngine(d, (*engine.Engine).Resume))
	handleRoute(d, mux, api.RouteHandoff, callEngine(d, (*engine.Engine).Handoff))
	handleRoute(d, mux, api.RouteList, callEngine(d, methodOf(historyOf, (*history.History).List)))
	handleRoute(d, mux, api.RouteBackup, callEngine(d, (*engine.Engine).Backup))
	handleRoute(d, mux, api.RouteIDs, callEngine(d, methodOf(historyOf, (*history.History).IDs)))
	handleRoute(d, mux, api.RouteTimeline, callEngine(d, methodOf(historyOf, (*history.History).Timeline)))
	handleRoute(d, mux, api.RouteProjects, callEngine(d, methodOf(projectsOf, (*projects.Projects).Count)))
	handleRoute(d, mux, api.RouteProjectHomes, callEngine(d, methodOf(projectsOf, (*projects.Projects).Homes)))
	handleRoute(d, mux, api.RouteProjectMove, callEngine(d, methodOf(projectsOf, (*projects.Projects).Move)))
	handleRoute(d, mux, api.RouteSessions, callEngine(d, methodOf(historyOf, (*history.History).Sessions)))
	handleRoute(d, mux, api.RouteSession, callEngine(d, methodOf(historyOf, (*history.History).Session)))
	handleRoute(d, mux, api.RoutePending, callEngine(d, (*engine.Engine).Pending))
	handleRoute(d, mux, api.RouteReview, callEngine(d, (*engine.Engine).Review))
	handleRoute(d, mux, api.RoutePause, callEngine(d, (*engine.Engine).Pause))
	handleRoute(d, mux, api.RouteGuards, callEngine(d, (*engine.Engine).Guards))
	handleRoute(d, mux, api.RouteGuardDraft, callEngine(d, (*engine.Engine).DraftGuard))
	handleRoute(d, mux, api.RouteGuardRehearse, callEngine(d, (*engine.Engine).RehearseGuard))
	handleRoute(d, mux, api.RouteGuardAdd, callEngine(d, (*engine.Engine).AddGuard))
	handleRoute(d, mux, api.RouteVerdict, callEngine(d, (*engine.Engine).SetVerdict))
	handleRoute(d, mux, api.RouteGuardRemove, callEngine(d, (*engine.Engine).RemoveGuard))
	handleRoute(d, mux, api.RouteShare, callEngine(d, methodOf(teamsOf, (*teams.Teams).Share)))
	handleRoute(d, mux, api.RouteTeam, callEngine(d, methodOf(teamsOf, (*teams.Teams).List)))
	handleRoute(d, mux, api.RouteTeamReject, callEngine(d, methodOf(teamsOf, (*teams.Teams).Reject)))
	handleRoute(d, mux, api.RouteTeamServer, callEngine(d, methodOf(teamsOf, (*teams.Teams).Server)))
	handleRoute(d, mux, api.RouteSync, callEngine(d, methodOf(machinesOf, (*machines.Synchronization).Sync)))
	handleRoute(d, mux, api.RouteConflicts, callEngine(d, methodOf(machinesOf, (*machines.Synchronization).Conflicts)))
	handleRoute(d, mux, api.RouteKeep, callEngine(d, methodOf(machinesOf, (*machines.Synchronization).Keep)))
	handleRoute(d, mux, api.RouteGraph, callEngine(d, methodOf(historyOf, (*history.History).Graph)))
}

// An answer is the function that a route calls. The commit that it returns may be nil. It is called
// after the reply was written, with an error if the client had left.
type answer[In, Out any] func(context.Context, In) (Out, engine.Commit, error)

// callEngine returns an answer that waits until the engine is open, and calls a method of it.
func callEngine[In, Out any](d *Daemon, call func(*engine.Engine, context.Context, In) (Out, error)) answer[In, Out] {
	return func(ctx context.Context, in In) (out Out, _ engine.Commit, err error) {
		e, err := d.engine.wait(ctx)
		if err != nil {
			return out, nil, err
		}
		out, err = call(e, ctx, in)
		return out, nil, err
	}
}

// methodOf turns a method of a part of the engine into a function of the engine.
func methodOf[P, In, Out any](of func(*engine.Engine) P, call func(P, context.Context, In) (Out, error)) func(*engine.Engine, context.Context, In) (Out, error) {
	return func(e *engine.Engine, ctx context.Context, in In) (Out, error) { return call(of(e), ctx, in) }
}

func machinesOf(e *engine.Engine) *machines.Synchronization { return e.Machines }
func projectsOf(e *engine.Engine) *projects.Projects        { return e.Projects }
func historyOf(e *engine.Engine) *history.History           { return e.History }
func teamsOf(e *engine.Engine) *teams.Teams                 { return e.Teams }

// callEngineLater returns an answer that calls a method of the engine as soon as the engine is open, and
// does not wait for that.
func callEngineLater[In any](d *Daemon, call func(*engine.Engine, context.Context, In) error) answer[In, struct{}] {
	return func(ctx context.Context, in In) (struct{}, engine.Commit, error) {
		ctx = context.WithoutCancel(ctx) // the call may come after the reply
		return struct{}{}, nil, d.engine.callWhenOpen(func(e *engine.Engine) error { return call(e, ctx, in) })
	}
}

// callInjecting is callEngine for a method whose reply is injected at an event. It counts the requests, but
// not those that the settings have switched off.
func callInjecting[In any](d *Daemon, event func(In) string, call func(*engine.Engine, context.Context, In) (api.Recollection, engine.Commit, error)) answer[In, api.Recollection] {
	return func(ctx context.Context, in In) (out api.Recollection, _ engine.Commit, err error) {
		began := time.Now()
		count := func(err error) {
			if now := time.Now(); err != nil || !out.Timestamp.IsZero() {
				d.engine.callWhenOpen(func(e *engine.Engine) error {
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
	return callInjecting(d, atEvent[api.ToolCall](usage.ToolEvent), (*engine.Engine).Tool)(ctx, in)
}

func promptEvent(in api.Prompt) string { return cmp.Or(in.Event, usage.PromptEvent) }

func atEvent[In any](event string) func(In) string { return func(In) string { return event } }

// cancelAt cancels a call when closing ends.
func cancelAt[In, Out any](closing context.Context, call answer[In, Out]) answer[In, Out] {
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
