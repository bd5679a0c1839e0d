package engine

import (
	"context"
	"fmt"

	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// maxTranscripts bounds the transcripts that are searched for a session of a
// project.
const maxTranscripts = 200

// Handoff writes the handoff of a project's newest session as if it ended now.
func (e *Engine) Handoff(ctx context.Context, in api.Handoff) (api.Shown, error) {
	project := e.Projects.Adopt(in.Cwd)
	path, id := e.sessionOf(ctx, project, in.Transcripts)
	if path == "" {
		return api.Shown{}, &api.BadRequest{Err: fmt.Errorf("no session of project %s is among the transcripts", project.Name)}
	}
	e.captureFile(ctx, e.captureInput(path))
	for m, err := range e.Store.Everything() {
		if err != nil {
			return api.Shown{}, err
		}
		if m.Source == memory.Handoffs && m.Session == clean.ID(id) {
			return e.Memory(ctx, m.ID)
		}
	}
	return api.Shown{}, &api.BadRequest{Err: fmt.Errorf("session %s has nothing to hand over yet", id)}
}

// sessionOf returns the first transcript of a project, and its session.
func (e *Engine) sessionOf(ctx context.Context, project memory.Project, transcripts []string) (path, id string) {
	for _, path := range transcripts[:min(len(transcripts), maxTranscripts)] {
		if ctx.Err() != nil {
			break
		}
		if first, _ := transcript.First(path); first.Cwd != "" && e.Projects.Adopt(first.Cwd).Same(project) {
			return path, first.Session
		}
	}
	return "", ""
}
