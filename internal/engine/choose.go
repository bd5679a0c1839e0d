package engine

import (
	"context"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/reader"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/upkeep"
	"recollect/internal/engine/usage"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
)

// mostOffered is how many statements a reader chooses from, 1,200 tokens of them. Of 62 labelled prompts that need something,
// the right text is among the first 20 for 53 %, and among 40 for 69 % (scripts/bench reader).
const mostOffered = 40

// askReader has the user's model choose what answers a prompt that was just answered, if the settings name one, the
// prompt says something itself, and may be learned from.
func (e *Engine) askReader(in api.Prompt, req *recall.Request, res *recall.Result) {
	isPrompt := in.Event == "" || in.Event == usage.PromptEvent
	if !isPrompt || !req.Settings.Reader.ChoosesStatements() || in.SessionID == "" {
		return
	}
	if says := res.Explanation.Skipped == "" && !res.FromLastPrompt; !says || e.isPrivate(in) {
		return
	}
	q := reader.Question{Prompt: clean.Alone(in.Prompt), Reply: clean.Text(e.sessions.Listener.LastReply(in.TranscriptPath))}
	e.reader.Ask(in.SessionID, func(ctx context.Context) (_ reader.Question, err error) {
		work := e.traffic.Begin(ctx)
		defer work.End()
		q.Offered, err = e.Offer(ctx, in, mostOffered)
		return q, err
	}, time.Now())
}

// isPrivate reports whether nothing may be learned from a prompt, so that no model may read it.
func (e *Engine) isPrivate(in api.Prompt) bool {
	return e.narrowingOf(in.Cwd).NoCapture || e.pauses.Incognito.Has(in.SessionID)
}

// Offer returns the statements that a reader may choose from for a prompt of a session, at most so many, the best first.
func (e *Engine) Offer(ctx context.Context, in api.Prompt, most int) ([]recall.Offer, error) {
	in.Prompt = clean.Text(in.Prompt)
	s := e.sessions.Get(in.SessionID)
	s.Lock()
	req := e.makeRequest(in, s, e.settings.Current())
	s.Unlock()
	return e.Recall.Offer(ctx, req, most)
}

// Suggestions returns what a reader is asked about when a session is over.
func (e *Engine) Suggestions(ctx context.Context, transcript, session string) ([]upkeep.Suggestion, error) {
	return e.upkeep.Confirmation.Suggestions(ctx, transcript, session)
}

// A choice is what a reader chose for a session, as it is injected.
type choice struct{ res recall.Result }

// choiceOf makes a choice of what a reader chose. What the request is to find follows it in one block.
func (e *Engine) choiceOf(chosen []recall.Offer, req *recall.Request) *choice {
	if len(chosen) == 0 {
		return nil
	}
	res := e.Recall.Choose(*req, chosen)
	if len(res.Injected) == 0 {
		return nil
	}
	req.Follow(res)
	return &choice{res}
}

// before puts a choice in front of a result. There may be none.
func (c *choice) before(res recall.Result, err error) (recall.Result, error) {
	if c == nil || err != nil {
		return res, err
	}
	return c.res.With(res), nil
}

// record records in a session that a choice was injected into it, and returns how many memories that are.
func (c *choice) record(s *sessions.Session) int {
	if c == nil {
		return 0
	}
	for _, m := range c.res.Injected {
		if !slices.Contains(s.Chosen, m.ID) {
			s.Chosen = append(s.Chosen, m.ID)
		}
	}
	return len(c.res.Injected)
}
