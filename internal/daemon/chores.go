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
	told    map[string]string // content keys of what was told, by id
	refresh bool              // whether there is something else to leave as the fallback
	flush   *api.Flush
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

// A second look is due at a transcript.
type secondLook struct {
	path string
	due  time.Time
}

// doChores works until ctx ends, then finishes what is queued.
func (d *Daemon) doChores(ctx context.Context) {
	d.sessions.clean(time.Now())
	var looks []secondLook // by time
	timer := time.NewTimer(lookAgain)
	for {
		select {
		case c := <-d.chores:
			d.do(ctx, c)
			if c.flush != nil {
				looks = append(looks, secondLook{c.flush.TranscriptPath, time.Now().Add(lookAgain)})
				timer.Reset(time.Until(looks[0].due))
			}
		case <-timer.C:
			for len(looks) > 0 && time.Until(looks[0].due) <= 0 {
				d.captureFile(ctx, capture.Input{Path: looks[0].path})
				looks = looks[1:]
			}
			if len(looks) > 0 {
				timer.Reset(time.Until(looks[0].due))
			}
		case <-ctx.Done():
			d.finishChores(ctx, looks)
			return
		}
	}
}

// finishChores does what is left when the daemon ends.
func (d *Daemon) finishChores(ctx context.Context, looks []secondLook) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	for len(d.chores) > 0 {
		d.do(ctx, <-d.chores)
	}
	for _, l := range looks {
		d.captureFile(ctx, capture.Input{Path: l.path})
	}
}

func (d *Daemon) do(ctx context.Context, c chore) {
	if c.flush != nil {
		d.captureFile(ctx, capture.Input{Path: c.flush.TranscriptPath, LastReply: c.flush.LastReply})
	}
	if c.session == nil || c.session.ID == "" {
		return
	}
	if len(c.told) > 0 {
		d.usage.add(c.session.ID, c.told, time.Now().UTC())
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

// captureFile takes what is new in a transcript.
func (d *Daemon) captureFile(ctx context.Context, in capture.Input) {
	done, err := d.capture.File(ctx, in, d.project)
	if err != nil {
		d.log.Warn("capture", "transcript", in.Path, "error", err)
		return
	}
	d.log.Debug("captured", "transcript", in.Path, "added", done.Added)
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
