package server

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"recollect/internal/system/logkey"
)

// maxWindow is how many entries are sent before the first must be acknowledged.
const maxWindow = 256

// publish sends what is in the outbox until ctx ends. Entries of one memory are never on their way
// together, so that a repetition does not overtake a later one.
func (c *session) publish(ctx context.Context) error {
	pause := reconnectIn
	for {
		window := c.outbox.nextEntries(maxWindow, func(project string) bool { return !c.may("publish", project) })
		if len(window) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-c.sending:
			case <-time.After(maxWait): // something that was refused may be tried again
			}
			continue
		}
		acked, err := c.send(ctx, window)
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

// send sends entries, and returns the keys of those that the stream has.
func (c *session) send(ctx context.Context, window []Entry) (acked map[string]bool, err error) {
	acked = map[string]bool{}
	sent := make([]nats.PubAckFuture, len(window))
	for i, e := range window {
		m := nats.NewMsg(subject(e.Project, c.member, e.ID))
		m.Data = []byte(e.Text)
		if sent[i], err = c.js.PublishMsgAsync(m, nats.MsgId(e.Key), nats.ExpectStream(Name)); err != nil {
			return acked, fmt.Errorf("publish: %w", err)
		}
	}
	for i, f := range sent { // none waits longer than connectIn
		select {
		case <-f.Ok():
			acked[window[i].Key] = true
			c.does("publish", window[i].Project)
		case err = <-f.Err():
		case <-ctx.Done():
			return acked, ctx.Err()
		}
	}
	return acked, err
}
