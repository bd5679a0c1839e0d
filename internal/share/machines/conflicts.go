package machines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/system/durable"
)

// maxConflicts is how many versions are kept; the oldest are dropped.
const maxConflicts = 500

// conflicts keeps versions of memories that lost against a version that was written without knowledge
// of them. They are stored in conflicts.json.
type conflicts struct {
	mu   sync.Mutex
	file *durable.State
}

// losers is the content of the file of conflicts.
type losers struct {
	V        int             `json:"v"`
	Versions []memory.Memory `json:"versions"`
}

func openConflicts(home string) *conflicts {
	return &conflicts{file: durable.NewState(filepath.Join(home, "conflicts.json"))}
}

// changeVersions calls f with the versions, and stores those that it returns.
func (c *conflicts) changeVersions(f func([]memory.Memory) []memory.Memory) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var had losers
	if err := c.file.Read(&had); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read conflicts: %w", err)
	}
	before := len(had.Versions)
	now := f(had.Versions)
	if len(now) == 0 && before == 0 {
		return nil
	}
	if err := c.file.Write(losers{V: 1, Versions: now}); err != nil {
		return fmt.Errorf("save conflicts: %w", err)
	}
	return nil
}

// addVersions adds versions that are not among the kept ones yet.
func (c *conflicts) addVersions(lost []memory.Memory) error {
	return c.changeVersions(func(all []memory.Memory) []memory.Memory {
		for _, m := range lost {
			same := func(o memory.Memory) bool { return o.ID == m.ID && o.ContentKey() == m.ContentKey() }
			if !slices.ContainsFunc(all, same) {
				all = append(all, m)
			}
		}
		return all[max(0, len(all)-maxConflicts):]
	})
}

// forgetVersions drops the versions of memories with these ids.
func (c *conflicts) forgetVersions(ids map[string]bool) error {
	return c.changeVersions(func(all []memory.Memory) []memory.Memory {
		return slices.DeleteFunc(all, func(m memory.Memory) bool { return ids[m.ID] })
	})
}

func (c *conflicts) redactVersions() error {
	return c.changeVersions(func(all []memory.Memory) []memory.Memory {
		var out []memory.Memory
		for _, m := range all {
			if cleaned, err := clean.Draft(memory.Draft{Memory: m}); err == nil {
				out = append(out, cleaned.Memory())
			}
		}
		return out
	})
}

// Conflicts lists the memories that have several versions. It drops conflicts that were settled, here
// or on another machine.
func (z *Synchronization) Conflicts(context.Context, struct{}) (api.Conflicts, error) {
	found := map[string]*api.Conflict{}
	var ids []string
	err := z.conflicts.changeVersions(func(all []memory.Memory) []memory.Memory {
		return slices.DeleteFunc(all, func(m memory.Memory) bool {
			now, err := z.parts.Store.Newest(m.ID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return false
			}
			if err != nil || isSettled(&m, &now) {
				return true
			}
			if found[m.ID] == nil {
				ids = append(ids, m.ID)
				found[m.ID] = &api.Conflict{ID: m.ID, Versions: []api.Shown{z.parts.Show(now)}}
			}
			found[m.ID].Versions = append(found[m.ID].Versions, api.Shown{Memory: m})
			return false
		})
	})
	out := api.Conflicts{Conflicts: []api.Conflict{}}
	for _, id := range ids {
		out.Conflicts = append(out.Conflicts, *found[id])
	}
	return out, err
}

// isSettled reports whether the version m is no longer in conflict with the one in force.
func isSettled(m, inForce *memory.Memory) bool {
	if inForce.Deleted || inForce.Life > m.Life {
		return true
	}
	return inForce.Settled >= m.Clock || inForce.ContentKey() == m.ContentKey()
}

// ForgetConflicts drops the versions of memories with these ids.
func (z *Synchronization) ForgetConflicts(ids map[string]bool) error {
	return z.conflicts.forgetVersions(ids)
}

// RedactConflicts removes the secrets from the versions that are not in force.
func (z *Synchronization) RedactConflicts() error { return z.conflicts.redactVersions() }

// Keep settles a conflict. It stores the chosen version again, marked as later than all others, and
// returns the remaining conflicts.
func (z *Synchronization) Keep(ctx context.Context, in api.Keep) (api.Conflicts, error) {
	open, err := z.Conflicts(ctx, struct{}{})
	if err != nil {
		return open, err
	}
	i := slices.IndexFunc(open.Conflicts, func(c api.Conflict) bool { return c.ID == in.ID })
	if i < 0 {
		return open, &api.BadRequest{Err: fmt.Errorf("%s has no conflict", in.ID)}
	}
	versions := open.Conflicts[i].Versions
	if in.Version < 1 || in.Version > len(versions) {
		return open, &api.BadRequest{Err: fmt.Errorf("version %d: %s has 1 to %d", in.Version, in.ID, len(versions))}
	}
	m := versions[in.Version-1].Memory
	for _, v := range versions {
		m.Settled = max(m.Settled, v.Clock)
	}
	m.ProjectPath = cmp.Or(versions[0].ProjectPath, m.ProjectPath)
	m.RecordedAt = time.Now().UTC().Truncate(time.Second)
	m.SetPending(false)
	c, err := clean.Draft(memory.Draft{Memory: m})
	if err != nil {
		return open, err
	}
	if err := z.parts.Append(ctx, []clean.Memory{c}); err != nil {
		return open, err
	}
	if err := z.conflicts.forgetVersions(map[string]bool{in.ID: true}); err != nil {
		return open, err
	}
	return z.Conflicts(ctx, struct{}{})
}
