package daemon

import (
	"context"
	"fmt"

	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/memory"
	"recollect/internal/transcript"
)

// maxTranscripts bounds the transcripts that are looked into for a session of
// a project.
const maxTranscripts = 200

// handoff writes the handoff of a project's newest session as if it ended now.
func (d *Daemon) handoff(ctx context.Context, in api.Handoff) (api.Shown, error) {
	if err := d.parts(ctx); err != nil {
		return api.Shown{}, err
	}
	home := d.project(in.Cwd)
	path, session := d.sessionOf(ctx, home, in.Transcripts)
	if path == "" {
		return api.Shown{}, &badRequest{fmt.Errorf("no session of project %s is among the transcripts", home.Name)}
	}
	d.captureFile(ctx, capture.Input{Path: path, Ends: true})
	for m, err := range d.store.Source(memory.Handoffs) {
		if err != nil {
			return api.Shown{}, err
		}
		if m.Session == session {
			return api.Shown{Memory: m, SupersededBy: d.store.SupersededBy(m.ID)}, nil
		}
	}
	return api.Shown{}, &badRequest{fmt.Errorf("session %s has nothing to hand over yet", session)}
}

// sessionOf returns the first transcript of a project, and its session.
func (d *Daemon) sessionOf(ctx context.Context, home memory.Project, transcripts []string) (path, session string) {
	for _, path := range transcripts[:min(len(transcripts), maxTranscripts)] {
		if ctx.Err() != nil {
			break
		}
		if !regular(path) {
			continue
		}
		if cwd, session := transcript.Begun(path); cwd != "" && d.project(cwd).Same(home) {
			return path, session
		}
	}
	return "", ""
}
