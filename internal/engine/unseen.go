package engine

import (
	"context"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/api"
	"recollect/internal/capture/extract"
	"recollect/internal/engine/sessions"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/system/logkey"
)

// maxUnseen is the most of an unseen prompt that is recalled for, in bytes, as of one that the hook passes on.
const maxUnseen = 64 << 10

// An unseen is a prompt that was not answered: Claude Code runs in a program in which no hook sees prompts, or the
// answer was late. The next tool call of its session that is answered brings what the prompt would have brought.
type unseen struct {
	prompt api.Prompt
	start  int64 // offset of the prompt in the transcript
	req    recall.Request
	res    recall.Result // the missed start of the session in front, if there is one
}

// mayBeUnseen reports whether a call may belong to a prompt that was not answered. Where the hook sees prompts, it has
// passed on the id that the call names. A call over MCP names none.
func (e *Engine) mayBeUnseen(in api.ToolCall) bool {
	if !e.bringsPrompt(in) {
		return false
	}
	s := e.sessions.Get(in.SessionID)
	s.Lock()
	defer s.Unlock()
	return !s.HasPrompt(in.PromptID)
}

// bringsPrompt reports whether a call brings its prompt's memories, if that was not answered.
func (e *Engine) bringsPrompt(in api.ToolCall) bool {
	on := e.settings.Current().Hooks.On
	isOn := !in.Clean && on("UserPromptSubmit") && on("PreToolUse")
	isMain := in.SessionID != "" && in.AgentID == ""
	namesPrompt := in.PromptID != "" || strings.HasPrefix(in.Tool, ownToolPrefix)
	return isOn && isMain && namesPrompt
}

// findUnseen returns the prompt that a call belongs to, or nil if it was answered, or need not be: no human typed it,
// or nothing may be learned from it. The transcript of the session, which is locked, is read once for each prompt.
func (e *Engine) findUnseen(in api.ToolCall, s *sessions.Session) *unseen {
	turn, found, err := claudecode.ReadPrompt(in.TranscriptPath, in.PromptID)
	if err != nil {
		e.log.Debug("read the prompt of a call", logkey.Session, in.SessionID, logkey.Error, err)
		return nil
	}
	if !found || s.HasPrompt(turn.PromptID) {
		return nil
	}
	prompt := api.Prompt{
		Prompt: clean.Text(memory.ClipMiddle(turn.Prompt, maxUnseen)), SessionID: in.SessionID, Cwd: in.Cwd, TranscriptPath: in.TranscriptPath, PromptID: turn.PromptID,
	}
	asked := extract.Turn{Turn: turn, Asked: prompt.Prompt}
	if !asked.ByUser() || e.isPrivate(prompt) {
		s.AddPrompt(turn.PromptID)
		return nil
	}
	return &unseen{prompt: prompt, start: turn.Start}
}

// recallUnseen returns the unseen prompt of a call with what it would have brought, or nil if there is none. start and
// chosen are what else the call brings.
func (e *Engine) recallUnseen(ctx context.Context, in api.ToolCall, s *sessions.Session, start *missed, chosen *choice) (*unseen, error) {
	if !e.bringsPrompt(in) || s.HasPrompt(in.PromptID) {
		return nil, nil
	}
	u := e.findUnseen(in, s)
	if u == nil {
		return nil, nil
	}
	u.req = e.makeRequestAt(u.start, u.prompt, s, e.settings.Current())
	if chosen != nil {
		u.req.Follow(chosen.res)
	}
	e.sessions.Windows.Of(in.TranscriptPath, u.req.Settings.Budget.Window).Narrow(&u.req)
	var err error
	u.res, err = e.recallAfter(ctx, s, start, u.req)
	return u, err
}

// count returns how many memories an unseen prompt brings, with those that were chosen for the one before. There may be
// no such prompt.
func (u *unseen) count(chosen *choice) int {
	switch {
	case u == nil:
		return 0
	case chosen == nil:
		return len(u.res.Injected)
	}
	return len(chosen.res.Injected) + len(u.res.Injected)
}

// recordUnseen records that a session, which is locked, was given what its prompt would have brought.
func (e *Engine) recordUnseen(s *sessions.Session, u *unseen, outcome *api.Recalled) {
	if u == nil {
		return
	}
	s.SetRecalled(outcome)
	s.TranscriptPath = u.prompt.TranscriptPath
	u.prompt.Prompt = clean.Alone(u.prompt.Prompt)
	e.askReader(u.prompt, &u.req, &u.res)
	e.recordPrompt(s, u.prompt, u.res)
}
