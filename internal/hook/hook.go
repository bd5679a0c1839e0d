// Package hook runs one hook of Claude Code: it reads the event from stdin,
// asks the daemon, and prints the answer for Claude on stdout.
//
// A hook never blocks Claude. On any error it prints nothing on stdout and one
// line on stderr, and ends with status 0 within its deadline.
package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/dialect"
	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/system/trust"
)

// maxPrompt is the most of a prompt or a reply that is sent to the daemon, in
// bytes. A longer prompt loses its middle, where the paste usually is.
const maxPrompt = 64 << 10

// maxError is the most of a tool's error that is sent, in bytes. The daemon
// reads the whole error from the transcript.
const maxError = 4 << 10

// An action is how a hook reacts to one event.
type action struct {
	deadline time.Duration // from the start of the process
	run      func(*hook, context.Context, claudecode.Event) error
}

// With a daemon that hangs, a session waits for startDeadline and turnDeadline in vain: less than
// a second together. The start is the longer one, because after /clear it waits for the old session
// to be captured. The daemon accepts the other events at once, and a missed one loses nothing.
const (
	startDeadline = 600 * time.Millisecond
	turnDeadline  = 300 * time.Millisecond
)

// actions holds an action for every event that hooks.json registers.
var actions = map[string]action{
	"SessionStart":     {startDeadline, (*hook).orient},
	"UserPromptSubmit": {240 * time.Millisecond, (*hook).prompt},
	"Stop":             {turnDeadline, (*hook).flush},
	"SubagentStop":     {turnDeadline, (*hook).flushAgent},
	"PreCompact":       {turnDeadline, (*hook).flush},
	"SessionEnd":       {turnDeadline, (*hook).flush}, // all plugins share 1.5 s

	"PreToolUse":         {100 * time.Millisecond, (*hook).tool},
	"SubagentStart":      {240 * time.Millisecond, (*hook).brief},
	"PostToolUse":        {turnDeadline, (*hook).observe},
	"PostToolUseFailure": {turnDeadline, (*hook).observe},
}

// maxDeadline bounds the time for reading the event, before its name is known.
const maxDeadline = time.Second

// hook is one run of the hook executable.
type hook struct {
	client api.Client
	out    io.Writer
	agent  string // coding agent that runs the hook, "" for Claude Code

	incognito bool // nothing is captured from the session
	clean     bool // nothing is injected into the session
}

// Main reads one hook event from stdin and acts on it; began is the start of the process. It never
// fails. At the deadline of the event another goroutine calls end, which must end the process. The
// arguments --agent NAME mean that another coding agent than Claude Code runs the hook.
func Main(began time.Time, version string, args []string, stdin io.Reader, stdout, stderr io.Writer, end func()) {
	if os.Getenv("RECOLLECT_DISABLE") != "" {
		return
	}
	late := make(chan struct{})
	limit := time.AfterFunc(time.Until(began.Add(maxDeadline)), func() {
		reportError(stderr, context.DeadlineExceeded)
		close(late)
		end()
	})
	err := recoverPanic(func() error { return run(began, version, args, stdin, stdout, limit) })
	if !limit.Stop() {
		<-late // the process may not end before the report is written
		return
	}
	reportError(stderr, err)
}

// recoverPanic turns a panic into an error. A Go program that panics ends with
// status 2, which would make Claude Code reject the prompt.
func recoverPanic(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// grace is the part of an event's deadline that is reserved for reading the
// fallback and writing the answer.
const grace = 10 * time.Millisecond

func reportError(stderr io.Writer, err error) {
	if err != nil {
		fmt.Fprintf(stderr, "recollect: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

// agentOf returns the coding agent that the arguments of a hook name.
func agentOf(args []string) (string, error) {
	if len(args) < 2 || args[0] != "--agent" {
		return "", nil
	}
	if !dialect.Known(args[1]) {
		return "", fmt.Errorf("agent %q: not known", args[1])
	}
	return args[1], nil
}

func run(began time.Time, version string, args []string, stdin io.Reader, stdout io.Writer, limit *time.Timer) error {
	agent, err := agentOf(args)
	if err != nil {
		return err
	}
	e, err := claudecode.ReadEvent(stdin)
	if err != nil {
		return err
	}
	e.Name = dialect.Ours(agent, e.Name)
	a, ok := actions[e.Name]
	if !ok {
		return fmt.Errorf("event %q: not handled", e.Name)
	}
	if limit.Stop() {
		limit.Reset(time.Until(began.Add(a.deadline)))
	}
	home, err := api.Home()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithDeadline(context.Background(), began.Add(a.deadline-grace))
	defer cancel()
	h := &hook{
		client: api.Client{Home: home, Version: version}, out: stdout, agent: agent,
		incognito: os.Getenv("RECOLLECT_INCOGNITO") != "", clean: os.Getenv("RECOLLECT_CLEAN") != "",
	}
	return errors.Join(h.leaveIncognito(e), a.run(h, ctx, e))
}

// leaveIncognito marks an incognito session in the data folder, so that no later daemon captures it.
func (h *hook) leaveIncognito(e claudecode.Event) error {
	if !h.incognito || e.SessionID == "" || trust.Foreign(h.client.Home) {
		return nil
	}
	if _, err := os.Stat(h.client.Home); err != nil {
		return nil // no daemon has ever run
	}
	return api.WriteIncognito(h.client.Home, e.SessionID)
}

// orient asks what to inject at the start of a session. For a resumed or forked session it only
// starts the daemon, because Claude Code replays the old context.
func (h *hook) orient(ctx context.Context, e claudecode.Event) error {
	start := api.Start{Session: api.Session{SessionID: e.SessionID, TranscriptPath: e.TranscriptPath, Cwd: e.Cwd, Reason: e.Source, Incognito: h.incognito, Clean: h.clean, Tokens: e.ContextTokens}}
	owed := h.leaveStart(start)
	var r api.Recollection
	err := h.client.Retry(ctx, func() (err error) {
		r, err = h.client.Orient(ctx, start.Session)
		return err
	})
	if err != nil {
		start.Missed = true
		h.leaveStart(start)
		return err
	}
	if err = h.inject(e, r); err == nil && owed {
		err = api.EndStart(h.client.Home, e.SessionID)
	}
	return err
}

// leaveStart writes down that a session is owed its start, and reports whether it did. It runs before
// the daemon is asked, because a late hook is ended without warning. Its errors are not reported:
// the request to the daemon fails for the same reasons, and says which.
func (h *hook) leaveStart(s api.Start) bool {
	return s.IsOwed() && !trust.Foreign(h.client.Home) && api.LeaveStart(h.client.Home, s) == nil
}

// prompt asks for memories relevant to a prompt, and injects the session's
// fallback when the daemon does not answer in time.
func (h *hook) prompt(ctx context.Context, e claudecode.Event) error {
	if h.clean || !e.Typed() {
		return nil
	}
	var r api.Recollection
	err := h.client.Retry(ctx, func() (err error) {
		r, err = h.client.Recollect(ctx, api.Prompt{
			Event:          e.Name,
			Prompt:         memory.ClipMiddle(e.Prompt, maxPrompt),
			SessionID:      e.SessionID,
			Cwd:            e.Cwd,
			TranscriptPath: e.TranscriptPath,
			PromptID:       e.PromptID,
			Incognito:      h.incognito,
		})
		return err
	})
	var refused *api.StatusError
	var foreign *api.ForeignError // the fallback may be another user's too
	if err != nil && !errors.As(err, &refused) && !errors.As(err, &foreign) {
		return errors.Join(err, h.inject(e, readFallback(h.client.Home, e)))
	}
	if err != nil {
		return err
	}
	return h.inject(e, r)
}

// tool asks for memories relevant to a tool call that is about to be made, and for what the user's guards
// do with it. It runs with every call, so it neither starts a daemon nor waits for one. The only calls that
// it allows are Claude's queries of its own memory.
func (h *hook) tool(ctx context.Context, e claudecode.Event) error {
	if e.ToolName == "" {
		return fmt.Errorf("event %s: no tool_name", e.Name)
	}
	client := api.Client{Home: h.client.Home}
	r, err := client.Tool(ctx, api.ToolCall{
		SessionID:      e.SessionID,
		AgentID:        e.AgentID,
		TranscriptPath: e.Transcript(),
		Cwd:            e.Cwd,
		Tool:           e.ToolName,
		Input:          json.RawMessage(e.ToolInput),
		Incognito:      h.incognito,
		Clean:          h.clean,
		UseID:          e.ToolUseID,
		PromptID:       e.PromptID,
	})
	switch {
	case errors.Is(err, api.ErrNoDaemon):
		return h.missGuards()
	case err != nil:
		return err
	case r.Guard != "" && h.agent == "":
		return claudecode.WriteDecision(h.out, r.Guard, r.Reason, r.Context)
	case r.Allow && h.agent == "":
		return claudecode.WriteDecision(h.out, "allow", "recollect only reads its own memories", r.Context)
	}
	return h.inject(e, r)
}

// missGuards returns an error if there are guards, which no daemon has checked.
func (h *hook) missGuards() error {
	if _, err := os.Stat(filepath.Join(h.client.Home, api.GuardsFile)); err != nil {
		return nil
	}
	return errors.New("no daemon answers, so no guard was checked")
}

// brief asks for memories relevant to the task of a sub-agent that starts.
func (h *hook) brief(ctx context.Context, e claudecode.Event) error {
	if h.clean || e.AgentID == "" || e.AgentType == "" {
		return nil // not an agent with a task
	}
	client := api.Client{Home: h.client.Home} // a daemon started now would know no task
	r, err := client.Agent(ctx, api.Agent{SessionID: e.SessionID, AgentID: e.AgentID, AgentType: e.AgentType, Cwd: e.Cwd, Incognito: h.incognito})
	if errors.Is(err, api.ErrNoDaemon) {
		return nil
	}
	if err != nil {
		return err
	}
	return h.inject(e, r)
}

// flush passes the transcript to capture. It never prints anything: output on
// Stop would cost a model turn, and on PreCompact it would change the
// instructions for the summary.
func (h *hook) flush(ctx context.Context, e claudecode.Event) error {
	if h.agent != "" && e.AgentID != "" {
		return nil // the result is in the call that started the sub-agent
	}
	path := e.Transcript()
	if path == "" {
		return fmt.Errorf("event %s: no transcript_path", e.Name)
	}
	return h.client.Retry(ctx, func() error {
		return h.client.Flush(ctx, api.Flush{
			SessionID:      e.SessionID,
			TranscriptPath: path,
			Cwd:            e.Cwd,
			Reason:         e.Name,
			LastReply:      memory.Clip(e.LastAssistantMessage, maxPrompt),
			Incognito:      h.incognito,
		})
	})
}

// flushAgent passes a sub-agent's transcript to capture. An agent without a
// type writes the summary of a compaction, and has no transcript.
func (h *hook) flushAgent(ctx context.Context, e claudecode.Event) error {
	if e.AgentType == "" {
		return nil
	}
	return h.flush(ctx, e)
}

// observe reports to the daemon how a tool call ended, unless the user stopped
// the call. It runs with every call, so it neither starts a daemon nor waits
// for one; capture at Stop reads the call again.
func (h *hook) observe(ctx context.Context, e claudecode.Event) error {
	path := e.Transcript()
	switch {
	case e.Interrupt:
		return nil
	case path == "":
		return fmt.Errorf("event %s: no transcript_path", e.Name)
	case e.ToolName == "":
		return fmt.Errorf("event %s: no tool_name", e.Name)
	case e.Name == "PostToolUseFailure" && e.Error == "":
		return fmt.Errorf("event %s: no error", e.Name)
	}
	client := api.Client{Home: h.client.Home} // without a version, so that an older daemon is not replaced now
	err := client.Observe(ctx, api.Observation{
		SessionID:      e.SessionID,
		TranscriptPath: path,
		Cwd:            e.Cwd,
		Tool:           e.ToolName,
		Input:          json.RawMessage(e.ToolInput),
		Response:       json.RawMessage(e.ToolResponse),
		Error:          memory.Clip(e.Error, maxError),
		Incognito:      h.incognito,
	})
	if errors.Is(err, api.ErrNoDaemon) {
		return nil
	}
	return err
}

// inject prints the daemon's answer as context for the model. The formats of other agents have no
// field for a notice, but "recollect doctor" shows it too.
func (h *hook) inject(e claudecode.Event, r api.Recollection) error {
	if field, base := dialect.Field(h.agent); field != "" {
		return claudecode.WriteField(h.out, base, field, r.Context)
	}
	return claudecode.WriteOutput(h.out, dialect.Theirs(h.agent, e.Name), r.Context, r.Notice)
}
