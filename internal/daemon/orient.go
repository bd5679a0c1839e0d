package daemon

import (
	"cmp"
	"context"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/recall"
)

// handoffWait is how long the start of a session waits for the handoff of the
// one that was cleared for it.
const handoffWait = 400 * time.Millisecond

// orient answers the start of a session with what it should know.
func (d *Daemon) orient(ctx context.Context, in api.Session) (api.Recollection, error) {
	if err := d.parts(ctx); err != nil {
		return api.Recollection{}, err
	}
	settings := d.settings.Current()
	if !settings.Hooks.On("SessionStart") {
		return api.Recollection{}, nil
	}
	if in.Reason == "clear" {
		d.settle(ctx)
	}
	res, err := d.begin(ctx, in, d.orientation(in, settings))
	if err == nil && settings.Err != nil {
		mistake, _, _ := strings.Cut(settings.Err.Error(), "\n")
		res.Notice = "recollect does not use your newest settings: " + mistake
	}
	return res.Recollection, err
}

// resume answers as orient would in a new session, and notes nothing.
func (d *Daemon) resume(ctx context.Context, in api.Session) (api.Recollection, error) {
	if err := d.parts(ctx); err != nil {
		return api.Recollection{}, err
	}
	settings := d.settings.Current()
	if !settings.Hooks.On("SessionStart") {
		return api.Recollection{Bites: []api.Bite{}}, nil
	}
	res, err := d.recall.Orient(d.orientation(in, settings))
	return res.Recollection, err
}

func (d *Daemon) orientation(in api.Session, settings config.Settings) recall.Request {
	home := d.project(in.Cwd)
	return recall.Request{
		Project:      home,
		Uses:         d.usage.of,
		Now:          time.Now(),
		Settings:     settings,
		Instructions: instructions(home, in.Cwd, in.TranscriptPath),
	}
}

// begin tells a session what it should know, and notes that it did. Each way
// to begin has its own need: a context that is replayed holds what was told,
// one that was cleared holds nothing, and one that was cut down to a summary
// has its work still before it.
func (d *Daemon) begin(ctx context.Context, in api.Session, req recall.Request) (recall.Result, error) {
	s := d.sessions.get(in.SessionID)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Cwd = in.Cwd
	var before map[string]string
	switch in.Reason {
	case "resume", "fork":
		return recall.Result{}, nil
	case "clear":
		s.collect(d.home) // a fallback that was told is gone with the rest
		s.forgetTold(req.Now)
		s.LastPrompt = ""
	case "compact":
		s.collect(d.home)
		before = s.Told
		s.forgetTold(req.Now)
	}
	req.Session, req.LastPrompt = s.known(), s.LastPrompt
	res, err := d.recall.Reorient(ctx, req, before)
	if err = cmp.Or(err, ctx.Err()); err != nil { // or the hook has left: nothing was told
		return recall.Result{}, err
	}
	s.tell(res.Keys)
	d.later(chore{session: s, told: res.Bites, event: startEvent, at: res.Timestamp, cwd: in.Cwd})
	return res, nil
}

// settle waits a little for what was left to do when it is called.
func (d *Daemon) settle(ctx context.Context) {
	done := make(chan struct{})
	if !d.later(chore{done: done}) {
		return
	}
	select {
	case <-done:
	case <-time.After(handoffWait):
	case <-ctx.Done():
	}
}
