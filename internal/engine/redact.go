package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"recollect/internal/api"
	"recollect/internal/engine/forget"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/consolidate"
)

// Redact takes out of the data folder the secrets that the rules of today know, which
// those of an earlier version stored. It can be interrupted at any time and run again:
// what was redacted is appended to the logs before the old lines leave them.
func (e *Engine) Redact(ctx context.Context, in api.Redact) (api.Redacted, error) {
	out := api.Redacted{Kinds: map[string]int{}}
	changes, err := e.secretsKept(ctx, &out)
	if err != nil || in.DryRun {
		return out, err
	}
	stale, err := e.writer.Amend(ctx, changes)
	if err != nil {
		return out, fmt.Errorf("redact memories: %w", err)
	}
	out.Memories -= len(stale)
	e.recent.Clear()
	out.Sessions = e.sessions.Redact()
	if err := e.Machines.RedactConflicts(); err != nil {
		return out, err
	}
	if err := e.outcomes.Forget(func(*memory.Memory) bool { return false }, clean.HasSecret); err != nil {
		return out, err
	}
	if _, err := forget.Cut(filepath.Join(e.home, forget.Report), clean.HasSecret); err != nil {
		return out, err
	}
	if out.Lines, err = forget.CutLogs(e.home, clean.HasSecret); err != nil {
		return out, err
	}
	if err := e.writer.Scrub(ctx, clean.HasSecret, true); err != nil {
		return out, fmt.Errorf("redact the logs: %w", err)
	}
	out.Gone = e.purgeIndex(ctx) && len(stale) == 0
	return out, nil
}

// secretsKept returns the memories with secrets as they are without, and counts both
// in out.
func (e *Engine) secretsKept(ctx context.Context, out *api.Redacted) ([]consolidate.Change, error) {
	var changes []consolidate.Change
	for m, err := range e.Store.Everything() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("look for secrets: %w", err)
		}
		c, err := clean.Draft(memory.Draft{Memory: m})
		if err != nil {
			continue // a user's edit that the store would not take, and cannot change
		}
		kinds := c.Redacted(m)
		if len(kinds) == 0 || c.Memory().ID != m.ID {
			continue
		}
		for kind, n := range kinds {
			out.Kinds[kind] += n
		}
		out.Memories++
		changes = append(changes, consolidate.Change{Was: m, Now: c.Memory()})
	}
	return changes, nil
}
