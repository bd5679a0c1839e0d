package teams

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/share/repo"
	"recollect/internal/share/server"
	"recollect/internal/store"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

// serverKey returns the key in team.json of a project's received memories.
func serverKey(remote string) string { return "server:" + remote }

// receiveMessages updates the memories in the store from messages of the team's server. It sets in each
// message why it is left out.
func (t *Teams) receiveMessages(ctx context.Context, messages []server.Message) error {
	if err := t.parts.Held(); err != nil {
		return err
	}
	wanted, gone := map[string]clean.Memory{}, map[string]bool{}
	for i := range messages {
		msg := &messages[i]
		id := repo.ReceivedID(msg.Project, msg.Member, msg.ID)
		delete(wanted, id)
		delete(gone, id)
		if m, ok := t.readCarefully(msg, time.Now()); ok {
			wanted[id] = m
		} else {
			gone[id] = true
		}
	}
	lost := slices.DeleteFunc(slices.Collect(maps.Keys(gone)), func(id string) bool {
		_, err := t.parts.Store.Get(id)
		return errors.Is(err, store.ErrNotFound)
	})
	return t.reconcile(ctx, wanted, lost)
}

// readCarefully is readMessage, but leaves out a message that causes a panic.
func (t *Teams) readCarefully(msg *server.Message, now time.Time) (m clean.Memory, ok bool) {
	err := crash.Catch(func() error {
		m, ok = t.readMessage(msg, now)
		return nil
	})
	var caught *crash.Error
	if errors.As(err, &caught) {
		t.log.Warn("read what a team shares", logkey.Error, err, logkey.Stack, caught.Stack)
		msg.Why = "this version cannot read it"
		return clean.Memory{}, false
	}
	return m, ok
}

// readMessage returns the memory of a message. It returns false if the memory was withdrawn or rejected,
// or must be left out.
func (t *Teams) readMessage(msg *server.Message, now time.Time) (clean.Memory, bool) {
	if len(msg.Text) == 0 || t.choices.isRejected(serverKey(msg.Project), repo.VersionOf(msg.Project, msg.Member, msg.ID, msg.Text)) {
		return clean.Memory{}, false
	}
	s, err := repo.ParseReceived(msg.ID, msg.Text, now)
	if err != nil {
		msg.Why = err.Error()
		return clean.Memory{}, false
	}
	m, err := clean.Draft(s.ReceivedDraft(msg.Project, msg.Member, msg.Text))
	if err != nil {
		msg.Why = "says nothing that may be stored"
		return clean.Memory{}, false
	}
	said := m.Memory()
	return m, !t.choices.isRejected(serverKey(msg.Project), repo.Words(&said))
}

func (t *Teams) receivedFor(remote string) ([]memory.Memory, error) {
	var out []memory.Memory
	for m, err := range t.parts.Store.Source(memory.Team) {
		if err != nil {
			return nil, fmt.Errorf("read what the team shares: %w", err)
		}
		if repo.IsReceived(&m) && m.ProjectRemote == remote {
			out = append(out, m)
		}
	}
	return out, nil
}
