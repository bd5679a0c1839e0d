package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/forget"
	"recollect/internal/engine/lists"
	"recollect/internal/memory"
	"recollect/internal/share/machines"
	"recollect/internal/system/logkey"
)

// purgeWait is how long a client that forgets waits for the words to leave the
// index, which is written anew for it.
const purgeWait = 5 * time.Second

// Forget deletes one memory and returns it.
func (e *Engine) Forget(ctx context.Context, id string) (memory.Memory, error) {
	deleted, err := e.writer.Delete(ctx, id)
	if err != nil {
		return memory.Memory{}, err
	}
	if len(deleted) == 0 {
		_, err := e.Memory(ctx, id)
		return memory.Memory{}, err
	}
	if err := e.Teams.RejectForgotten(ctx, deleted); err != nil {
		return deleted[0], err
	}
	sel := forget.One(id)
	return deleted[0], e.eraseAll(ctx, &sel, deleted)
}

// ForgetAll deletes what a client selects, and everything made of it.
func (e *Engine) ForgetAll(ctx context.Context, in api.Forget) (api.Forgotten, error) {
	var project memory.Project
	if in.Project != "" {
		project = e.Projects.Named(in.Project, e.Projects.Adopt(in.Cwd))
	}
	sel, err := forget.Select(in, project)
	if err != nil {
		return api.Forgotten{}, err
	}
	chosen, err := e.selectMemories(ctx, &sel)
	if err != nil || in.DryRun {
		return summarize(chosen), err
	}
	if r, ok := sel.Rule(slices.Concat(chosen, e.outcomes.Chosen(sel.Picks)), time.Now().UTC()); ok {
		if err := e.capture.Forgotten.Add(r); err != nil {
			return api.Forgotten{}, err
		}
	}
	ids := make([]string, len(chosen))
	for i, m := range chosen {
		ids[i] = m.ID
	}
	deleted, err := e.writer.DeleteAll(ctx, ids)
	out := summarize(deleted)
	if err == nil {
		err = e.Teams.RejectForgotten(ctx, deleted)
	}
	if err == nil {
		err = e.eraseAll(ctx, &sel, deleted)
	}
	if err != nil {
		return out, err
	}
	out.Gone = e.purgeIndex(ctx)
	out.Left = sel.Left(e.home)
	return out, nil
}

// selectMemories returns the memories that are selected. Every id must name one.
func (e *Engine) selectMemories(ctx context.Context, sel *forget.Selection) ([]memory.Memory, error) {
	var chosen []memory.Memory
	ids, alone := sel.IDs()
	for id := range ids {
		m, err := e.Store.GetEither(id)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, m)
	}
	if alone {
		return chosen, nil
	}
	for m, err := range e.Store.Everything() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("look for what to forget: %w", err)
		}
		if sel.Picks(&m) {
			chosen = append(chosen, m)
		}
	}
	return chosen, nil
}

func summarize(ms []memory.Memory) api.Forgotten {
	out := api.Forgotten{Count: len(ms), Sources: map[memory.Source]int{}, Memories: []api.Title{}, Left: []string{}}
	for _, m := range ms {
		out.Sources[m.Source]++
	}
	newest := slices.SortedFunc(slices.Values(ms), func(a, b memory.Memory) int {
		return cmp.Or(b.When().Compare(a.When()), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range newest[:min(len(newest), api.ForgottenTitles)] {
		out.Memories = append(out.Memories, lists.TitleOf(&m, m.ID))
	}
	return out
}

// eraseAll is erase for what the user forgets: it is not to be brought back from the copies of what
// was deleted elsewhere, either.
func (e *Engine) eraseAll(ctx context.Context, sel *forget.Selection, deleted []memory.Memory) error {
	copies := machines.CopiesPath(e.home)
	if _, err := forget.Cut(copies, sel.Traces(deleted, e.Projects.Adopt).In); err != nil {
		return err
	}
	return e.eraseTraces(ctx, sel, deleted)
}

// eraseTraces removes what is left of deleted memories outside the index: from the
// state of sessions, the usage, the daemon's log and the logs of memories.
func (e *Engine) eraseTraces(ctx context.Context, sel *forget.Selection, deleted []memory.Memory) error {
	t := sel.Traces(deleted, e.Projects.Adopt)
	e.sessions.Forget(t)
	if _, alone := sel.IDs(); alone {
		e.recent.Forget(t.IDs, t.Sessions)
	} else {
		e.recent.Clear()
	}
	e.reader.Forget()
	e.Recall.ForgetTexts()
	e.rules.Forget()
	_, logs := forget.CutLogs(e.home, t.InLog)
	// One file that cannot be written keeps no words in the others.
	beside := errors.Join(e.Machines.ForgetConflicts(t.IDs), e.usage.Forget(t.IDs), e.usage.Verdicts.Forget(t.IDs),
		e.guards.Forget(t.IDs, t.Sessions, t.HasWords), e.outcomes.Forget(sel.PicksOutcome(deleted), t.In), logs, t.CutReport(e.home))
	e.learnHabits()
	err := e.writer.Scrub(ctx, t.In, sel.ByWords())
	if err != nil && ctx.Err() == nil {
		// The writer tries again when it is quiet, so nothing is lost.
		e.log.Warn("compact after forgetting", logkey.Error, err)
		err = nil
	}
	return errors.Join(beside, err)
}

// purgeIndex writes the index anew without the words of what was deleted, and
// reports whether none are left in it, nor in the logs. What is not done in
// time is done when the daemon is quiet.
func (e *Engine) purgeIndex(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, purgeWait)
	defer cancel()
	if err := e.indexing.Purge(ctx); err != nil {
		e.log.Warn("purge index", logkey.Error, err)
		return false
	}
	for _, g := range e.Store.Garbage() {
		if g.Forgotten > 0 {
			return false
		}
	}
	return true
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
	if err := e.eraseTraces(ctx, &sel, deleted); err != nil {
		return fmt.Errorf("erase what was forgotten elsewhere: %w", err)
	}
	return nil
}
