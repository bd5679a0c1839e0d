package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/capture/extract"
	"recollect/internal/engine/lists"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/recall/brief"
	"recollect/internal/store"
)

// indexWait is how long a search waits for the index to hold what was stored
// before it.
const indexWait = 2 * time.Second

// waitForIndex waits for the index as long as is reasonable.
func (e *Engine) waitForIndex(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, indexWait)
	defer cancel()
	e.indexing.CaughtUp(wait) // an index that is behind is searched as it is
	return ctx.Err()
}

// Search finds memories.
func (e *Engine) Search(ctx context.Context, in api.Search) (api.SearchReply, error) {
	if err := e.waitForIndex(ctx); err != nil {
		return api.SearchReply{}, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return api.SearchReply{}, &api.BadRequest{Err: errors.New("query: must not be empty")}
	}
	filter := recall.Filter{Project: e.Projects.Root(in.Project)}
	if in.Source != "" {
		src, err := memory.ParseSource(in.Source)
		if err != nil {
			return api.SearchReply{}, &api.BadRequest{Err: err}
		}
		filter.Source = src
	}
	req := recall.Request{
		Prompt:   in.Query,
		Project:  e.Projects.Adopt(in.Cwd),
		Uses:     e.usage.Uses,
		Now:      time.Now(),
		Settings: e.settings.Current(),
		Filter:   filter,
	}
	if !in.Explain {
		found, err := e.Recall.Search(ctx, req, lists.Bound(in.Limit))
		return api.SearchReply{Results: found, Settings: req.Settings.Problem()}, err
	}
	found, explanation, err := e.Recall.ExplainSearch(ctx, req, lists.Bound(in.Limit))
	explanation.Index = e.indexing.Status()
	e.nameRules(explanation.Candidates)
	return api.SearchReply{Results: found, Settings: req.Settings.Problem(), Explanation: &explanation}, err
}

// Memory returns one memory, also one that waits for review.
func (e *Engine) Memory(ctx context.Context, id string) (api.Shown, error) {
	if m, err := e.Store.GetPending(id); err == nil {
		out := e.showMemory(m)
		e.tellStory(&out)
		return out, nil
	}
	return e.readMemory(ctx, id)
}

// readMemory returns one memory that does not wait for review.
func (e *Engine) readMemory(_ context.Context, id string) (api.Shown, error) {
	m, err := e.Store.Get(id)
	if err != nil {
		return api.Shown{}, err
	}
	out := e.showMemory(m)
	e.tellStory(&out)
	if m.Source != memory.Handoffs || m.Session == "" {
		return out, nil
	}
	of := e.Recall.Brief(m.Session)
	for i := range of.Decisions {
		d := &of.Decisions[i]
		out.Decisions = append(out.Decisions, fmt.Sprintf("%s (%s)", brief.Decision(d), d.ID))
	}
	return out, nil
}

// showMemory adds to a memory what is known of it besides.
func (e *Engine) showMemory(m memory.Memory) api.Shown {
	out := lists.Show(e.Store, m)
	out.Verdict = e.usage.Verdicts.Of(m.ID).Says
	return out
}

// nameRules adds to candidates the names of the rules that made them. One that
// was forgotten meanwhile has none.
func (e *Engine) nameRules(candidates []api.Candidate) {
	for i, c := range candidates {
		if m, err := e.Store.Get(c.ID); err == nil {
			candidates[i].Rule = extract.RuleOf(m)
		}
	}
}

// Expand returns several memories.
func (e *Engine) Expand(ctx context.Context, in api.Expand) (api.Expanded, error) {
	if len(in.IDs) > lists.MaxResults {
		return api.Expanded{}, &api.BadRequest{Err: fmt.Errorf("ids: %d are too many, %d at most", len(in.IDs), lists.MaxResults)}
	}
	out := api.Expanded{Memories: []api.Shown{}}
	for _, id := range in.IDs {
		m, err := e.readMemory(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			out.Missing = append(out.Missing, id)
		case err != nil:
			return api.Expanded{}, err
		default:
			out.Memories = append(out.Memories, m)
		}
	}
	return out, nil
}
