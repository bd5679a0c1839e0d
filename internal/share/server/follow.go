package server

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"recollect/internal/system/logkey"
)

const (
	maxBatch  = 500                    // messages that are stored at once
	gather    = 20 * time.Millisecond  // how long a batch waits for more messages
	heartbeat = time.Second            // how often the server reports that there are no messages
	storeIn   = 500 * time.Millisecond // pause before messages that could not be stored are stored again
)

// followProject reads a project until ctx ends, in several attempts if need be.
func (c *session) followProject(ctx context.Context, project string) error {
	pause := reconnectIn
	for {
		began := time.Now()
		if c.mayTry("read", project) {
			if err := c.readProject(ctx, project); err != nil && ctx.Err() == nil {
				c.log.Debug("read a team's project", logkey.Project, project, logkey.Error, err)
			}
		}
		if pause = min(2*pause, connectIn); time.Since(began) > connectIn {
			pause = reconnectIn
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// readProject reads a project from its position on, until the subscription or ctx ends. The subscription
// itself asks for messages that it has missed, and ends if it cannot get them.
func (c *session) readProject(ctx context.Context, project string) error {
	limited, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	info, err := c.js.StreamInfo(Name, nats.Context(limited))
	if err != nil {
		return fmt.Errorf("look for the stream: %w", err)
	}
	seq, err := c.state.beginAt(project, info.Created, info.State.LastSeq)
	if err != nil {
		return err
	}
	sub, err := c.js.Subscribe(Filter(project), func(m *nats.Msg) { c.queueMessage(ctx, m, info.Created) },
		nats.BindStream(Name), nats.OrderedConsumer(), nats.StartSequence(seq+1), nats.IdleHeartbeat(heartbeat))
	if err != nil {
		return fmt.Errorf("subscribe: %w", err)
	}
	c.clearRefusal("read", project)
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for sub.IsValid() {
		select {
		case <-ctx.Done():
			return ctx.Err() // closing the connection ends the subscription
		case <-tick.C:
		}
	}
	return nil
}

// queueMessage queues a message of the stream that was made at this time. While the queue is full, the
// server waits.
func (c *session) queueMessage(ctx context.Context, m *nats.Msg, made time.Time) {
	meta, err := m.Metadata()
	if err != nil {
		return
	}
	project, member, id, ok := parseSubject(m.Subject)
	if !ok {
		c.log.Debug("left out a message of the team", logkey.Error, "its subject is none of ours")
		return
	}
	select {
	case c.in <- Message{Project: project, Member: member, ID: id, Text: m.Data, At: meta.Timestamp, made: made, seq: meta.Sequence.Stream}:
	case <-ctx.Done():
	}
}

// storeMessages passes queued messages on to receive, in batches, until ctx ends.
func (c *session) storeMessages(ctx context.Context, receive func(context.Context, []Message) error) error {
	for {
		var batch []Message
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m := <-c.in:
			batch = append(batch, m)
		}
		full := time.NewTimer(gather)
		for waiting := true; waiting && len(batch) < maxBatch; {
			select {
			case m := <-c.in:
				batch = append(batch, m)
			case <-full.C:
				waiting = false
			}
		}
		full.Stop()
		for {
			err := c.passOn(ctx, batch, receive)
			if err == nil {
				break
			}
			c.log.Warn("store what the team shares", logkey.Error, err)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(storeIn):
			}
		}
	}
}

// passOn passes a batch on to receive, and then stores the position.
func (c *session) passOn(ctx context.Context, batch []Message, receive func(context.Context, []Message) error) error {
	c.storing.Lock()
	defer c.storing.Unlock()
	var of []Message
	for _, m := range batch {
		if p, ok := c.state.positionOf(m.Project); ok && p.Stream.Equal(m.made) && m.seq > p.Seq { // its project was not left meanwhile, and it is new
			of = append(of, m)
		}
	}
	if len(of) == 0 {
		return nil
	}
	if err := receive(ctx, of); err != nil {
		return err
	}
	return c.state.advanceTo(of)
}
