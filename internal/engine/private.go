package engine

import (
	"context"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/config"
	"recollect/internal/engine/pause"
	"recollect/internal/memory"
	"recollect/internal/system/logkey"
)

// captureInput returns how a file is captured: what is ignored of it, and which of its turns may
// be learned from, and what waits for review.
func (e *Engine) captureInput(path string) capture.Input {
	settings := e.settings.Current().Capture
	return capture.Input{Path: path, Ignore: settings.Ignore, Review: settings.Reviewed, Allow: e.allowTurn}
}

// allowTurn says what may be learned from a turn.
func (e *Engine) allowTurn(t claudecode.Turn, project memory.Project) capture.Allowance {
	began, ended := t.At, t.End
	if began.IsZero() { // nobody knows when it was
		began, ended = time.Now(), time.Now()
	}
	repository := e.narrowingOf(t.Cwd)
	return capture.Allowance{
		Never:  repository.NoCapture || e.pauses.Incognito.Has(t.Session) || e.pauses.During(began, ended, t.Session, project),
		Later:  e.pauses.Now(t.Session, project),
		Ignore: repository.Ignore,
	}
}

// isSilent reports whether nothing may be injected into a session in a folder of a project.
func (e *Engine) isSilent(session, cwd string, project memory.Project) bool {
	return e.whySilent(session, cwd, project) != ""
}

// whySilent says why nothing may be injected into a session in a folder of a project, "" if it may.
func (e *Engine) whySilent(session, cwd string, project memory.Project) string {
	switch {
	case e.pauses.Now(session, project):
		return "it is paused, until recollect unpause"
	case e.narrowingOf(cwd).NoRecall:
		return "the .recollect.toml of this repository switches it off"
	case e.withholdsFrom(session):
		return "it is one of the sessions from which memories are withheld (hooks.withhold)"
	}
	return ""
}

// withholdsFrom reports whether memories are withheld from a session, to compare it with others.
func (e *Engine) withholdsFrom(session string) bool {
	if e.pauses.Incognito.Has(session) {
		return false // it leaves no trace
	}
	withheld, err := e.trial.Withholds(session, e.settings.Current().Hooks.Withhold, time.Now())
	if err != nil {
		e.log.Warn("record a session of the trial", logkey.Session, session, logkey.Error, err)
	}
	return withheld
}

// narrowingOf returns what the repository of a folder takes away.
func (e *Engine) narrowingOf(cwd string) config.Narrowing {
	is, refused := e.repositories.At(cwd)
	for _, err := range refused {
		e.log.Warn("refused in a repository's file", logkey.Error, err)
	}
	return is
}

// acceptIncognito makes a session incognito if its client says so.
func (e *Engine) acceptIncognito(session string, incognito bool) {
	if !incognito {
		return
	}
	if err := e.pauses.Incognito.Add(session); err != nil {
		e.log.Warn("make a session incognito", logkey.Session, session, logkey.Error, err)
	}
}

// Pause begins or ends a pause, and returns those that last then.
func (e *Engine) Pause(ctx context.Context, in api.Pause) (api.Paused, error) {
	scope := pause.Scope{Session: in.Session}
	if in.Cwd != "" {
		scope.Project = e.Projects.Adopt(in.Cwd)
	}
	out := api.Paused{Changed: true}
	var err error
	if in.End {
		out.Changed, err = e.pauses.End(scope, time.Now())
	} else if err = e.pauses.Begin(scope, time.Now()); err == nil {
		e.dropFallbacks(ctx)
	}
	out.Pauses = e.pauseStates()
	return out, err
}

// dropFallbacks removes what hooks would inject without asking, once the jobs under way
// write no more of it.
func (e *Engine) dropFallbacks(ctx context.Context) {
	e.waitForJobs(ctx)
	if err := e.sessions.DropFallbacks(); err != nil {
		e.log.Warn("remove fallbacks", logkey.Error, err)
	}
}

// pauseStates lists the pauses that last.
func (e *Engine) pauseStates() []api.PauseState {
	out := []api.PauseState{}
	for _, p := range e.pauses.Lasting() {
		out = append(out, api.PauseState{Session: p.Session, Project: p.Project.Name, Path: p.Project.Path, Since: p.From})
	}
	return out
}
