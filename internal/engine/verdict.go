package engine

import (
	"context"
	"fmt"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// maxSessionName is the most that is stored of the name of a session, in bytes. Those of Claude Code have 36.
const maxSessionName = 200

// Verdicts returns what the owner said last of each memory, by its id. What was taken back is not among it.
func (e *Engine) Verdicts() map[string]api.Verdict { return e.usage.Verdicts.All() }

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
