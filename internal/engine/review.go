package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/lists"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/store"
)

// Pending returns the newest memories that wait for review, or the newest candidates.
func (e *Engine) Pending(ctx context.Context, in api.Pending) (api.Listing, error) {
	var source memory.Source
	if in.Source != "" {
		var err error
		if source, err = memory.ParseSource(in.Source); err != nil {
			return api.Listing{}, &api.BadRequest{Err: err}
		}
	}
	within, newest := recall.Scope(in.Where, e.Projects.Adopt(in.Where.Cwd)), lists.NewNewest(lists.Bound(in.Limit))
	words, waiting := termsOf(in.Query), e.Store.Pending()
	if in.Candidates {
		waiting = e.Store.Candidates()
	}
	for m, err := range waiting {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return api.Listing{}, err
		}
		if wanted := source == "" || m.Source == source; wanted && within(&m) && hasAll(&m, words) {
			newest.Add(m)
		}
	}
	out := api.Listing{Memories: []api.Shown{}, Total: newest.Seen}
	for _, m := range newest.List() {
		out.Memories = append(out.Memories, e.showMemory(m))
	}
	return out, nil
}

// termsOf returns the words of a text as the index knows them.
func termsOf(text string) []string {
	var out []string
	for _, t := range index.Analyze(text) {
		out = append(out, t.Text)
	}
	return out
}

// hasAll reports whether a memory has all of the words. What waits for review is not in the
// index, so it is read.
func hasAll(m *memory.Memory, words []string) bool {
	if len(words) == 0 {
		return true
	}
	has := termsOf(m.Title + "\n" + m.Body())
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(has, w) })
}

// Review approves memories that wait for review, or rejects them: all of them, or none if
// one does not wait.
func (e *Engine) Review(ctx context.Context, in api.Review) (api.Reviewed, error) {
	waiting, err := e.readWaiting(in.IDs)
	if err != nil {
		return api.Reviewed{}, err
	}
	if in.Reject {
		_, err = e.ForgetAll(ctx, api.Forget{IDs: in.IDs})
	} else {
		err = e.approveAll(ctx, waiting)
	}
	if err != nil {
		return api.Reviewed{}, err
	}
	out := api.Reviewed{Memories: []api.Title{}, Left: len(e.Store.PendingIDs())}
	for _, m := range waiting {
		out.Memories = append(out.Memories, api.Title{ID: m.ID, Source: m.Source, Project: m.Project, Title: m.Title, At: m.When()})
	}
	return out, nil
}

// readWaiting returns the memories with these ids, all of which must wait for review.
func (e *Engine) readWaiting(ids []string) ([]memory.Memory, error) {
	if len(ids) == 0 || len(ids) > lists.MaxResults {
		return nil, &api.BadRequest{Err: fmt.Errorf("ids: %d given, must be 1 to %d", len(ids), lists.MaxResults)}
	}
	var out []memory.Memory
	for _, id := range ids {
		m, err := e.Store.GetPending(id)
		if errors.Is(err, store.ErrNotFound) {
			err = &api.BadRequest{Err: fmt.Errorf("%s does not wait for review", id)}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// approveAll makes memories what they would be without a review.
func (e *Engine) approveAll(ctx context.Context, waiting []memory.Memory) error {
	for i := range waiting {
		if m := &waiting[i]; m.IsCandidate() {
			m.Stand("approved on " + time.Now().Format(time.DateOnly))
		} else {
			m.SetPending(false)
		}
	}
	approved, err := clean.Drafts(memory.Drafts(waiting...)...)
	if err != nil {
		return err
	}
	if err := e.writer.Append(ctx, approved); err != nil {
		return err
	}
	return e.waitForIndex(ctx) // so that the next prompt finds them
}

// maxSessionName is the most that is stored of the name of a session, in bytes. Those of Claude Code have 36.
const maxSessionName = 200

// SetVerdict stores what the owner says of a memory, or of a count of failures that was injected, and returns what
// they had said before. What is wrong is not injected any more, what is useful counts as used.
func (e *Engine) SetVerdict(_ context.Context, in api.Verdict) (api.Verdict, error) {
	if in.Says != "" && in.Says != api.Useful && in.Says != api.Wrong {
		return api.Verdict{}, &api.BadRequest{Err: fmt.Errorf("says %q: must be %s, %s or empty", in.Says, api.Useful, api.Wrong)}
	}
	if _, err := e.Store.GetEither(in.ID); err != nil && len(e.usage.OfMemory(in.ID)) == 0 {
		return api.Verdict{}, err
	}
	if now := time.Now().UTC().Truncate(time.Second); in.At.IsZero() || in.At.After(now) {
		in.At = now
	}
	in.Session = memory.Clip(clean.ID(in.Session), maxSessionName)
	before, err := e.usage.Verdicts.Set(in)
	if err != nil {
		return before, fmt.Errorf("store verdict: %w", err)
	}
	e.learnHabits()
	e.answers.forget()
	if in.Says == api.Wrong {
		err = e.sessions.DropFallbacks() // hooks inject them without asking
	}
	return before, err
}

// addVerdicts adds to the memories that requests injected what the owner said of them, and which are none any more.
func (e *Engine) addVerdicts(recalls []api.Recalled) {
	for i := range recalls {
		named := make([]api.Title, len(recalls[i].Named))
		for j, t := range recalls[i].Named {
			_, known := e.Store.Where(t.ID)
			t.Verdict, t.Gone = e.usage.Verdicts.Of(t.ID).Says, !known
			named[j] = t
		}
		recalls[i].Named = named
	}
}
