package daemon

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/recall"
	"recollect/internal/toolcall"
)

const (
	toolEvent  = "PreToolUse"
	agentEvent = "SubagentStart"
)

// memoryTools are our own tools that only read.
var memoryTools = []string{"memory_recall", "memory_search", "memory_expand"}

// ours is what the names of our own tools begin with.
const ours = "mcp__plugin_recollect_memory__"

// tool answers a tool call that is about to be made with what bears on exactly
// its command or file, or on the task that it hands over. It decides nothing
// about the call, but that Claude may look things up in its own memory.
func (d *Daemon) tool(ctx context.Context, in api.ToolCall) (api.Recollection, error) {
	settings := d.settings.Current()
	if !settings.Hooks.On("PreToolUse") {
		return api.Recollection{}, nil
	}
	if name, ok := strings.CutPrefix(in.Tool, ours); ok {
		allow := settings.Hooks.AllowMemoryTools && slices.Contains(memoryTools, name)
		return api.Recollection{Allow: allow}, nil
	}
	if err := d.parts(ctx); err != nil {
		return api.Recollection{}, err
	}
	home := d.project(in.Cwd)
	call, ok := toolcall.Read(in.Tool, string(in.Input), home, in.Cwd)
	if !ok {
		return api.Recollection{}, nil
	}
	req := recall.Request{Prompt: call.Task, Project: home, Uses: d.usage.of, Now: time.Now(), Settings: settings}
	if call.Task != "" {
		d.tasks.put(in.SessionID, call.Agent, call.Task, req.Now)
		req.ForTools()
	}
	return d.advise(ctx, in, call, req)
}

// advise tells a session, or a sub-agent of it, what bears on a call. Calls
// that are made at once wait for one another, so that none is told what
// another was.
func (d *Daemon) advise(ctx context.Context, in api.ToolCall, call toolcall.Call, req recall.Request) (api.Recollection, error) {
	s := d.sessions.of(in.SessionID, in.AgentID, req.Now)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.collect(d.home)
	req.Session = s.known()
	res, err := d.bearing(ctx, in.TranscriptPath, call, req)
	if err = cmp.Or(err, ctx.Err()); err != nil { // or the hook has left: nothing was told
		return api.Recollection{}, err
	}
	if len(res.Bites) > 0 {
		s.tell(res.Keys)
		d.later(chore{session: s, told: res.Bites, event: toolEvent, at: res.Timestamp})
	}
	d.log.Debug("tool", "session", in.SessionID, "tool", in.Tool, "told", len(res.Bites))
	return res.Recollection, nil
}

// bearing returns what a session whose transcript lies at path is told of a
// call. Most calls are told nothing, so only the others have it read.
func (d *Daemon) bearing(ctx context.Context, path string, call toolcall.Call, req recall.Request) (recall.Result, error) {
	if call.Task != "" {
		d.narrow(&req, path)
		return d.recall.Recall(ctx, req)
	}
	found, err := d.found(ctx, call, req.Now)
	if err != nil {
		return recall.Result{}, err
	}
	if len(found) > 0 {
		d.narrow(&req, path)
	}
	return recall.Advise(req, found), nil
}

// found returns the memories that bear on a call, from the last answers where
// they hold.
func (d *Daemon) found(ctx context.Context, call toolcall.Call, now time.Time) ([]recall.Bearing, error) {
	key, version := call.Key(), d.follower.version.Load()
	found, known := d.answers.of(key, version, now)
	d.tally.cached(now, known)
	if known {
		return found, nil
	}
	found, err := d.recall.Bearings(ctx, call.Words(), call.Bears)
	if err == nil {
		d.answers.keep(key, version, now, found)
	}
	return found, err
}

// brief tells a sub-agent what bears on its task. Claude Code does not say
// what that is; the tool call that started it did, just before.
func (d *Daemon) brief(ctx context.Context, in api.Agent) (api.Recollection, error) {
	if err := d.parts(ctx); err != nil {
		return api.Recollection{}, err
	}
	settings, now := d.settings.Current(), time.Now()
	task, ok := d.tasks.take(in.SessionID, in.AgentType, now)
	if !ok || !settings.Hooks.On("SubagentStart") {
		return api.Recollection{}, nil
	}
	s := d.sessions.of(in.SessionID, in.AgentID, now)
	s.mu.Lock()
	defer s.mu.Unlock()
	req := d.request(api.Prompt{Prompt: task, Cwd: in.Cwd}, s, settings)
	if in.AgentType != anyAgent {
		req.Speaker = in.AgentType
	}
	d.narrow(&req, "") // its context is empty
	res, err := d.recall.Recall(ctx, req)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return api.Recollection{}, err
	}
	s.tell(res.Keys)
	d.later(chore{session: s, told: res.Bites, event: agentEvent, at: res.Timestamp})
	return res.Recollection, nil
}

// anyAgent is the type of sub-agents that are nobody in particular: what one
// of them did is no reason to tell another.
const anyAgent = "general-purpose"

func atTool(api.ToolCall) string { return toolEvent }

func atAgent(api.Agent) string { return agentEvent }
