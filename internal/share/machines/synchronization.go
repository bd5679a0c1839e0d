package machines

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/system/logkey"
)

// syncIn is how long a synchronization in the background may take.
const syncIn = 10 * time.Minute

// A Synchronization synchronizes the memories with those of other machines, one target at a time, and
// keeps the conflicts that arise. NewSynchronization is the only way to make one.
type Synchronization struct {
	home      string
	settings  *config.Live
	parts     Parts
	conflicts *conflicts
	log       *slog.Logger

	one  chan struct{} // holds a token while a synchronization runs
	soon chan struct{} // holds a token if Run is to synchronize
	last atomic.Value  // failure of the last synchronization in the background
	copy string        // path of the data folder of which this one is a copy, "" if it is none
	held atomic.Value  // string: which deletions wait for consent, "" if none
}

// Parts are the parts of the engine that a Synchronization uses.
type Parts struct {
	Store     *store.Store
	Append    func(context.Context, []clean.Memory) error
	Merge     func(ctx context.Context, lost func([]memory.Memory) error, ms []clean.Memory) (store.Merged, error)
	Restore   func(context.Context, memory.Memory) error   // stores a memory as it is
	Erase     func(context.Context, []memory.Memory) error // removes the traces of memories that other machines deleted
	Show      func(memory.Memory) api.Shown
	Forgotten func(*memory.Memory) bool
	Held      func() error // returns an error if the folder is no longer this daemon's
}

// NewSynchronization returns a Synchronization. If home has the name of a machine, because it has been
// synchronized before, the store stamps new memories with it. If home is a copy of another data folder,
// it gets a new name first.
func NewSynchronization(home string, settings *config.Live, parts Parts, log *slog.Logger) (*Synchronization, error) {
	z := &Synchronization{home: home, settings: settings, parts: parts, conflicts: openConflicts(home), log: log, one: make(chan struct{}, 1), soon: make(chan struct{}, 1)}
	var err error
	if z.copy, err = Locate(home); err != nil {
		return nil, err
	}
	if z.copy != "" {
		log.Warn("this data folder is a copy; to other machines it is another machine now", logkey.From, z.copy)
	}
	name, err := Writer(home)
	if err != nil || name == "" {
		return z, err
	}
	parts.Store.Name(name)
	z.held.Store(openDeletions(home).describeHeld())
	return z, nil
}

// Newer returns an error if a newer version wrote the file of conflicts.
func (z *Synchronization) Newer() error { return z.conflicts.file.Newer() }

// AddProblems adds why the last synchronization in the background failed, and which deletions wait for
// consent.
func (z *Synchronization) AddProblems(h *api.Health) {
	if err, ok := z.last.Load().(failure); ok && err.error != nil {
		h.AddProblemOf(api.SyncProblem, api.CauseOf(err.error), strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if why, ok := z.held.Load().(string); ok && why != "" {
		h.AddProblemOf(api.SyncProblem, api.DeletionsHeld, why)
	}
}

// A failure is an error or nil, which an atomic.Value cannot store alone.
type failure struct{ error }

// Sync synchronizes the memories with those of other machines.
func (z *Synchronization) Sync(ctx context.Context, in api.Sync) (api.Synced, error) {
	settings := z.settings.Current().Sync
	if in.Target == "" {
		in.Target = settings.Target
	}
	if in.Target == "" {
		return api.Synced{}, &api.BadRequest{Err: errors.New("no target is given, and sync.target is not set")}
	}
	select {
	case z.one <- struct{}{}:
		defer func() { <-z.one }()
	case <-ctx.Done():
		return api.Synced{}, api.ErrBusy
	}
	m, err := z.openMachine()
	if err != nil {
		return api.Synced{}, err
	}
	if in.Leave {
		return api.Synced{Target: in.Target, Ignored: []string{}}, m.Leave(ctx, in.Target)
	}
	done, err := z.syncAsking(ctx, m, in)
	if err != nil {
		return done, err
	}
	done.CopyOf = z.copy
	open, err := z.Conflicts(ctx, struct{}{})
	done.Conflicts = len(open.Conflicts)
	return done, err
}

// openMachine returns this machine with its name and its key.
func (z *Synchronization) openMachine() (*Machine, error) {
	writer, err := MakeWriter(z.home)
	if err != nil {
		return nil, err
	}
	z.parts.Store.Name(writer)
	key, err := LoadKey(z.home)
	if err != nil {
		return nil, err
	}
	return &Machine{
		Home: z.home, Writer: writer, Key: key, Store: z.parts.Store, Sources: z.settings.Current().Sync.Travel(), Forgotten: z.parts.Forgotten, Now: time.Now(),
	}, nil
}

// syncAsking synchronizes. Without a key anybody may have written the segments, so that too many
// deletions at once wait for the user's consent.
func (z *Synchronization) syncAsking(ctx context.Context, m *Machine, in api.Sync) (api.Synced, error) {
	losses := openDeletions(z.home)
	if err := losses.dropOld(m.Now); err != nil {
		return api.Synced{}, err
	}
	losses.Held, losses.Target = 0, in.Target
	if m.Key == nil {
		m.Losing = func(lost []memory.Memory) (bool, error) {
			return losses.holdBack(lost, z.parts.Store.Len(), in.Accept || in.Undo, m.Now)
		}
	}
	done, err := z.syncWith(ctx, m, in.Target, in.Anew)
	if err == nil && in.Undo {
		restored, failed := z.restoreCopies(ctx, losses)
		if err = failed; err == nil && restored > 0 {
			done, err = z.syncWith(ctx, m, in.Target, in.Anew)
		}
		done.Restored = restored
	}
	if err != nil {
		return done, err
	}
	z.held.Store(losses.describeHeld())
	return done, losses.save()
}

// syncWith synchronizes with a target, and erases the traces of memories that were deleted there.
func (z *Synchronization) syncWith(ctx context.Context, m *Machine, target string, anew bool) (api.Synced, error) {
	deleted := []memory.Memory{}
	m.Merge = func(ctx context.Context, ms []clean.Memory) (store.Merged, error) {
		merged, err := z.parts.Merge(ctx, z.conflicts.addVersions, ms)
		deleted = append(deleted, merged.Deleted...)
		return merged, err
	}
	done, err := m.Sync(ctx, target, anew)
	if eraseErr := z.parts.Erase(ctx, deleted); err == nil {
		err = eraseErr
	}
	return done, err
}

// Soon has Run synchronize in the background, if a target is set.
func (z *Synchronization) Soon() {
	if z.settings.Current().Sync.Target == "" {
		return
	}
	select {
	case z.soon <- struct{}{}:
	default: // it is about to
	}
}

// Run synchronizes in the background until ctx ends.
func (z *Synchronization) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-z.soon:
		}
		if z.parts.Held() != nil {
			return
		}
		limited, cancel := context.WithTimeout(ctx, syncIn)
		done, err := z.Sync(limited, api.Sync{})
		cancel()
		if err != nil && ctx.Err() == nil {
			z.log.Warn("sync", logkey.Error, err)
			z.last.Store(failure{err})
			continue
		}
		z.last.Store(failure{})
		z.log.Debug("synchronized", logkey.Added, done.Received, logkey.Memories, done.Sent)
	}
}
