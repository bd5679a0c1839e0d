package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/forget"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/share/machines"
	"recollect/internal/store"
	"recollect/internal/system/logkey"
)

// syncIn is how long a synchronization in the background may take.
const syncIn = 10 * time.Minute

// syncing is what the engine has of synchronizations: one runs at a time.
type syncing struct {
	one  chan struct{} // holds a token while one runs
	soon chan struct{} // asks for one in the background
	last atomic.Value  // string: why the last one in the background failed, "" if it did not
	copy string        // where the data folder lay that this one is a copy of, "" if it is none
	held atomic.Value  // string: which deletions wait for consent, "" if none does
}

// nameMachine makes the store stamp what it writes, if the memories ever met those of another machine.
// A copy of the folder of another machine, or of another folder, gets a name of its own first.
func (e *Engine) nameMachine() (err error) {
	if e.syncing.copy, err = machines.Locate(e.home); err != nil {
		return err
	}
	if e.syncing.copy != "" {
		e.log.Warn("this data folder is a copy; to other machines it is another machine now", logkey.From, e.syncing.copy)
	}
	name, err := machines.Writer(e.home)
	if err != nil || name == "" {
		return err
	}
	e.Store.Name(name)
	losses := openDeletions(e.home)
	e.syncing.held.Store(losses.waiting())
	return nil
}

// Sync brings the memories together with those of other machines.
func (e *Engine) Sync(ctx context.Context, in api.Sync) (api.Synced, error) {
	settings := e.settings.Current().Sync
	if in.Target == "" {
		in.Target = settings.Target
	}
	if in.Target == "" {
		return api.Synced{}, &api.BadRequest{Err: errors.New("no target is given, and sync.target is not set")}
	}
	select {
	case e.syncing.one <- struct{}{}:
		defer func() { <-e.syncing.one }()
	case <-ctx.Done():
		return api.Synced{}, api.ErrBusy
	}
	m, err := e.machine()
	if err != nil {
		return api.Synced{}, err
	}
	if in.Leave {
		return api.Synced{Target: in.Target, Ignored: []string{}}, m.Leave(ctx, in.Target)
	}
	done, err := e.syncAsking(ctx, m, in)
	if err != nil {
		return done, err
	}
	done.CopyOf = e.syncing.copy
	open, err := e.Conflicts(ctx, struct{}{})
	done.Conflicts = len(open.Conflicts)
	return done, err
}

// machine returns this one, by its name, with its key.
func (e *Engine) machine() (*machines.Machine, error) {
	writer, err := machines.MakeWriter(e.home)
	if err != nil {
		return nil, err
	}
	e.Store.Name(writer)
	key, err := machines.LoadKey(e.home)
	if err != nil {
		return nil, err
	}
	return &machines.Machine{
		Home: e.home, Writer: writer, Key: key, Store: e.Store, Sources: e.settings.Current().Sync.Travel(), Forgotten: e.capture.Forgotten.Cover, Now: time.Now(),
	}, nil
}

// syncAsking synchronizes, and has deletions in a mass wait for consent where anybody may have
// written them. With a key, only who has it can.
func (e *Engine) syncAsking(ctx context.Context, m *machines.Machine, in api.Sync) (api.Synced, error) {
	losses := openDeletions(e.home)
	if err := losses.dropOld(m.Now); err != nil {
		return api.Synced{}, err
	}
	losses.Held, losses.Target = 0, in.Target
	if m.Key == nil {
		m.Losing = func(lost []memory.Memory) (bool, error) {
			return losses.lose(lost, e.Store.Len(), in.Accept || in.Undo, m.Now)
		}
	}
	done, err := e.syncWith(ctx, m, in.Target, in.Anew)
	if err == nil && in.Undo {
		restored, failed := e.restore(ctx, losses)
		if err = failed; err == nil && restored > 0 {
			done, err = e.syncWith(ctx, m, in.Target, in.Anew)
		}
		done.Restored = restored
	}
	if err != nil {
		return done, err
	}
	e.syncing.held.Store(losses.waiting())
	return done, losses.save()
}

// syncWith synchronizes with a target, and removes what is left of what was deleted there.
func (e *Engine) syncWith(ctx context.Context, m *machines.Machine, target string, anew bool) (api.Synced, error) {
	deleted := []memory.Memory{}
	m.Merge = func(ctx context.Context, ms []clean.Memory) (store.Merged, error) {
		merged, err := e.writer.Merge(ctx, e.conflicts.add, ms)
		deleted = append(deleted, merged.Deleted...)
		return merged, err
	}
	done, err := m.Sync(ctx, target, anew)
	if eraseErr := e.eraseForgotten(ctx, deleted); err == nil {
		err = eraseErr
	}
	return done, err
}

// eraseForgotten removes here what is left of memories that were forgotten elsewhere.
func (e *Engine) eraseForgotten(ctx context.Context, deleted []memory.Memory) error {
	if len(deleted) == 0 {
		return nil
	}
	ids := map[string]bool{}
	for _, m := range deleted {
		ids[m.ID] = true
	}
	sel, err := forget.Select(api.Forget{IDs: slices.Sorted(maps.Keys(ids))}, memory.Project{})
	if err != nil {
		return err
	}
	if err := e.erase(ctx, &sel, deleted); err != nil {
		return fmt.Errorf("erase what was forgotten elsewhere: %w", err)
	}
	return nil
}

// syncSoon has the memories synchronized in the background, if there is a target for that.
func (e *Engine) syncSoon() {
	if e.settings.Current().Sync.Target == "" {
		return
	}
	select {
	case e.syncing.soon <- struct{}{}:
	default: // one is asked for already
	}
}

// runSync synchronizes in the background until ctx ends.
func (e *Engine) runSync(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.syncing.soon:
		}
		if e.lock.Held() != nil {
			return
		}
		limited, cancel := context.WithTimeout(ctx, syncIn)
		done, err := e.Sync(limited, api.Sync{})
		cancel()
		if err != nil && ctx.Err() == nil {
			e.log.Warn("sync", logkey.Error, err)
			e.syncing.last.Store(strings.ReplaceAll(err.Error(), "\n", " "))
			continue
		}
		e.syncing.last.Store("")
		e.log.Debug("synchronized", logkey.Added, done.Received, logkey.Memories, done.Sent)
	}
}
