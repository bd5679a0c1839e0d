package daemon

import (
	"context"
	"time"

	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/recall"
)

// A chore is what is left to do after a request was answered: capture of a
// transcript, or keeping a session's state.
type chore struct {
	session *session
	told    []api.Bite // at an event
	event   string
	at      time.Time
	refresh bool // whether there is something else to leave as the fallback
	flush   *api.Flush
	cwd     string          // where a session begins, or ""
	done    chan<- struct{} // closed when all that was queued before is done, or nil
}

// later queues a chore. When the queue is full the chore is dropped and false
// returned: a flush comes again with the next event.
func (d *Daemon) later(c chore) bool {
	select {
	case d.chores <- c:
		return true
	default:
		d.log.Warn("chores dropped: queue is full")
		return false
	}
}

// Claude Code says that a turn has ended before it has written all of it
// down. So a transcript is looked at again, some time after each flush.
const lookAgain = 2 * time.Second

// doChores works until ctx ends, then finishes what is queued.
func (d *Daemon) doChores(ctx context.Context) {
	d.sessions.clean(time.Now())
	d.catchUp(time.Now())
	timer := time.NewTimer(d.looks.wait(time.Now()))
	for {
		select {
		case c := <-d.chores:
			d.do(ctx, c)
		case <-d.looks.wake:
		case <-timer.C:
			if k, ok := d.looks.take(time.Now()); ok {
				d.look(ctx, k)
			}
		case <-ctx.Done():
			d.finishChores(ctx)
			return
		}
		d.tally.keep(time.Now(), false)
		timer.Reset(d.looks.wait(time.Now()))
	}
}

// finishChores does what is left when the daemon ends.
func (d *Daemon) finishChores(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	defer func() { d.tally.keep(time.Now(), true) }()
	for len(d.chores) > 0 {
		d.do(ctx, <-d.chores)
	}
	for _, k := range d.looks.takeAll() {
		if !k.spare {
			d.look(ctx, k)
		}
	}
}

func (d *Daemon) do(ctx context.Context, c chore) {
	if c.done != nil {
		close(c.done)
	}
	if c.flush != nil {
		d.flushed(ctx, *c.flush)
	}
	if c.cwd != "" {
		d.survey(ctx, c.cwd, time.Now())
	}
	if c.session == nil || c.session.ID == "" {
		return
	}
	if len(c.told) > 0 {
		d.usage.add(c.session.ID, c.event, c.told, c.at.UTC())
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if c.refresh || c.flush != nil {
		d.refresh(ctx, c.session)
	}
	if err := c.session.save(); err != nil {
		d.log.Warn("keep session", "session", c.session.ID, "error", err)
	}
}

// flushed takes what is in a transcript, and sees to it that it is looked at
// again.
func (d *Daemon) flushed(ctx context.Context, f api.Flush) {
	ends := f.Reason == "PreCompact" || f.Reason == "SessionEnd"
	d.captureFile(ctx, capture.Input{Path: f.TranscriptPath, LastReply: f.LastReply, Ends: ends})
	again := look{path: f.TranscriptPath, session: f.SessionID, ends: ends, due: time.Now().Add(lookAgain)}
	if !d.looks.add(again) {
		d.log.Warn("second look dropped: too many wait")
	}
	d.refinement.later(f.TranscriptPath, f.Reason, time.Now())
	if f.Reason == "Stop" {
		d.survey(ctx, f.Cwd, time.Now())
	}
}

// look takes what a transcript has gained since.
func (d *Daemon) look(ctx context.Context, k look) {
	if d.captureFile(ctx, capture.Input{Path: k.path, Ends: k.ends}) > 0 && k.session != "" {
		d.do(ctx, chore{session: d.sessions.get(k.session), refresh: true})
	}
}

// captureFile takes what is new in a transcript, and returns the number of
// memories that came of it.
func (d *Daemon) captureFile(ctx context.Context, in capture.Input) int {
	in.Each = d.weigh
	in.Ignore = d.settings.Current().Capture.Ignore
	done, err := d.capture.File(ctx, in, d.project)
	d.tally.captured(time.Now(), err)
	if err != nil {
		d.log.Warn("capture", "transcript", in.Path, "error", err)
		return done.Added + done.Changed
	}
	d.log.Debug("captured", "transcript", in.Path, "added", done.Added, "changed", done.Changed)
	return done.Added + done.Changed
}

// fallbackItems is how many memories wait for a prompt that the daemon cannot
// answer.
const fallbackItems = 3

// refresh leaves what the session's last prompt would be told now: the best
// that it was not told yet.
func (d *Daemon) refresh(ctx context.Context, s *session) {
	s.collect(d.home) // what the hook told meanwhile is not left again
	if s.LastPrompt == "" {
		return
	}
	req := d.request(api.Prompt{Prompt: s.LastPrompt, Cwd: s.Cwd}, s, d.settings.Current())
	req.LastPrompt = ""
	req.Settings.Budget.Items = min(req.Settings.Budget.Items, fallbackItems)
	res, err := d.recall.Recall(ctx, req)
	if err == nil {
		err = s.leave(d.home, fallbackOf(res), res.Keys)
	}
	if err != nil {
		d.log.Warn("leave fallback", "session", s.ID, "error", err)
	}
}

func fallbackOf(res recall.Result) api.Fallback {
	return api.Fallback{Recollection: res.Recollection, Terms: res.Words}
}
