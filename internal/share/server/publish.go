package server

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"recollect/internal/system/logkey"
)

// maxWindow is the most entries that are sent before the first is acknowledged.
const maxWindow = 256

// publishEntries sends the entries of the outbox until ctx ends. It never sends two entries of the same
// memory together, so that a repeated one does not replace a later one.
func (c *session) publishEntries(ctx context.Context) error {
	pause := reconnectIn
	for {
		window := c.outbox.nextEntries(maxWindow, func(project string) bool { return !c.mayTry("publish", project) })
		if len(window) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-c.sending:
			case <-time.After(maxWait): // projects that were refused may be tried again
			}
			continue
		}
		acked, err := c.sendEntries(ctx, window)
		if done := c.outbox.dropAcked(acked); done != nil {
			return done
		}
		if err == nil {
			pause = reconnectIn
			continue
		}
		c.log.Debug("send what is shared", logkey.Error, err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, answerIn)
	}
}

// sendEntries sends entries, and returns the keys of those that the stream has acknowledged.
func (c *session) sendEntries(ctx context.Context, window []Entry) (acked map[string]bool, err error) {
	acked = map[string]bool{}
	sent := make([]nats.PubAckFuture, len(window))
	for i, e := range window {
		m := nats.NewMsg(subjectOf(e.Project, c.member, e.ID))
		m.Data = []byte(e.Text)
		if sent[i], err = c.js.PublishMsgAsync(m, nats.MsgId(e.Key), nats.ExpectStream(Name)); err != nil {
			return acked, fmt.Errorf("publish: %w", err)
		}
	}
	for i, f := range sent { // none waits longer than connectIn
		select {
		case <-f.Ok():
			acked[window[i].Key] = true
			c.clearRefusal("publish", window[i].Project)
		case err = <-f.Err():
		case <-ctx.Done():
			return acked, ctx.Err()
		}
	}
	return acked, err
}
