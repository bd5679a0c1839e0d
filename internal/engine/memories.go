package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"recollect/internal/agents/imports"
	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// Remember stores memories that a user or Claude wrote down.
func (e *Engine) Remember(ctx context.Context, in api.Remember) (api.Remembered, error) {
	now := time.Now().UTC().Truncate(time.Second)
	current := e.Projects.Meet(in.Cwd)
	for i := range in.Memories {
		m := &in.Memories[i]
		if n := len(clean.Text(m.Text)); n > memory.MaxText {
			return api.Remembered{}, &api.BadRequest{Err: fmt.Errorf("text: %d bytes are more than a memory holds (%d)", n, memory.MaxText)}
		}
		if in.Restore {
			continue
		}
		if in.Read && m.Source == memory.Inbox {
			readSource(&m.Memory)
		}
		if m.Home().Zero() {
			m.SetHome(current)
		} else if m.ProjectPath == "" && m.ProjectRemote == "" {
			m.SetHome(e.Projects.Named(m.Project, current))
		}
		if m.OccurredAt.IsZero() {
			m.OccurredAt = now
		}
		if m.Origin == "" {
			m.Origin = memory.OriginUser
		}
		if m.Source == memory.Team {
			return api.Remembered{}, &api.BadRequest{Err: errors.New("source team: it has what lies in .recollect/ of a repository; recollect share writes there")}
		}
		m.Pending = false // whoever stores something on purpose has approved it
		m.RecordedAt = now
	}
	ms, err := clean.Drafts(in.Memories...)
	if err != nil {
		return api.Remembered{}, &api.BadRequest{Err: err}
	}
	if err := e.writer.Append(ctx, ms); err != nil {
		return api.Remembered{}, err
	}
	e.indexing.Hurry() // whoever says something may ask for it with the next prompt
	out := api.Remembered{IDs: make([]string, len(ms)), Redacted: map[string]int{}}
	for i, m := range ms {
		out.IDs[i] = m.Memory().ID
		for kind, n := range m.Redacted(in.Memories[i].Memory) {
			out.Redacted[kind] += n
		}
	}
	return out, nil
}

// readSource sets the source of a memory by what it says. A wish of a named project holds in that alone.
func readSource(m *memory.Memory) {
	src, appliesTo := extract.ReadSource(m.Text)
	if m.Source = src; appliesTo == memory.Global && m.Home().Zero() {
		m.AppliesTo = memory.Global
	}
}

// restoreMemory stores a memory as it is.
func (e *Engine) restoreMemory(ctx context.Context, m memory.Memory) error {
	_, err := e.Remember(ctx, api.Remember{Memories: memory.Drafts(m), Restore: true})
	return err
}

// Import stores the memories in a file, or in the data of another program.
func (e *Engine) Import(ctx context.Context, in api.Import) (api.Imported, error) {
	e.imports.Add(1)
	defer e.imports.Add(-1)
	if in.From != "" {
		if fi, err := os.Stat(in.Path); err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
			return api.Imported{}, &api.BadRequest{Err: fmt.Errorf("read %s: neither a file nor a folder", in.Path)}
		}
		done, err := e.capture.Records(ctx, func(yield func(memory.Draft, error) error) error {
			return imports.Read(ctx, in.From, in.Path, e.Projects.Meet, yield)
		})
		if done.Records+done.Unreadable == 0 && err == nil {
			done.Left = "it has no memories of " + in.From
		}
		return api.Imported(done), err
	}
	whole := e.captureInput(in.Path)
	whole.Whole = true
	done, err := e.capture.File(ctx, whole, e.Projects.Meet)
	if done.Turns > 0 {
		e.upkeep.Backlog.Skip()
	}
	if errors.Is(err, capture.ErrLater) {
		done.Left, err = "it is paused, so nothing more is learned from it until recollect unpause", nil
	}
	return api.Imported(done), err
}

// exportPage is the number of memories in one page of an export.
const exportPage = 500

// Export returns a page of all memories.
func (e *Engine) Export(_ context.Context, page api.Page) (api.Export, error) {
	ids := append(e.Store.IDs(), e.Store.PendingIDs()...)
	slices.Sort(ids) // so that a page does not depend on changes between pages
	from, found := slices.BinarySearch(ids, page.After)
	if found {
		from++
	}
	out := api.Export{Memories: []memory.Memory{}}
	for _, id := range ids[from:min(from+exportPage, len(ids))] {
		m, err := e.Store.GetEither(id)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return api.Export{}, err
		}
		out.Memories = append(out.Memories, m)
	}
	if from+exportPage < len(ids) {
		out.Next = ids[from+exportPage-1]
	}
	return out, nil
}

// Consolidate joins similar memories, or reports which it would join; or it judges anew what earlier versions stored.
func (e *Engine) Consolidate(ctx context.Context, in api.Consolidate) (api.Consolidated, error) {
	if in.Review {
		changed, err := e.upkeep.Reconsideration.All(ctx, in.DryRun)
		return api.Consolidated{Merges: []api.Merge{}, Candidates: changed}, err
	}
	merges, err := e.upkeep.Consolidation.All(ctx, in.DryRun)
	e.indexing.Hurry() // an import ends with this
	if err != nil {
		return api.Consolidated{}, err
	}
	out := api.Consolidated{Merges: []api.Merge{}}
	for _, m := range merges {
		out.Merges = append(out.Merges, api.Merge{
			ID: m.New.ID, Title: m.New.Title, OldID: m.Old.ID, OldTitle: m.Old.Title,
			Source: m.New.Source, Project: m.New.Project, Same: m.Twin,
		})
	}
	return out, nil
}
