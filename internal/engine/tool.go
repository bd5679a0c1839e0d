package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/api"
	"recollect/internal/capture/toolcall"
	"recollect/internal/config"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/system/logkey"
)

// memoryTools are our own tools that only read.
var memoryTools = []string{"memory_recall", "memory_search", "memory_expand"}

// ownToolPrefix is what the names of our own tools begin with.
const ownToolPrefix = "mcp__plugin_recollect_memory__"

// Tool returns what is relevant to exactly the command or file of a tool call that is about to be made,
// or on the task that it hands over, and what records that it was injected. Of the call it decides only
// what a guard does, and that Claude may query its own memory.
func (e *Engine) Tool(ctx context.Context, in api.ToolCall) (out api.Recollection, commit Commit, err error) {
	e.acceptIncognito(in.SessionID, in.Incognito)
	if own, ok := WithoutMemories(e.settings.Current(), in); ok {
		return e.adviseOwn(ctx, in, own)
	}
	verdict := e.judgeCall(in)
	if !verdict.stops() && !in.Clean {
		out, commit, err = e.advise(ctx, in)
	}
	return verdict.apply(out), verdict.record(e, in, commit), err
}

// adviseOwn returns the answer to a call of our own tools, with what its prompt would have brought if no hook saw that.
func (e *Engine) adviseOwn(ctx context.Context, in api.ToolCall, answer api.Recollection) (api.Recollection, Commit, error) {
	if !e.mayBeUnseen(in) {
		return answer, nil, nil
	}
	out, commit, err := e.advise(ctx, in)
	if err != nil {
		e.log.Debug("recall for the prompt of a call", logkey.Session, in.SessionID, logkey.Error, err)
		return answer, nil, nil // Claude may query its memory all the same
	}
	out.Allow = answer.Allow
	return out, commit, nil
}

// advise returns what memories say of a call, and what records that it was injected.
func (e *Engine) advise(ctx context.Context, in api.ToolCall) (out api.Recollection, commit Commit, err error) {
	settings := e.settings.Current()
	defer e.traffic.Enter()()
	project := e.Projects.Adopt(in.Cwd)
	call, ok := toolcall.Read(in.Tool, string(in.Input), project, in.Cwd)
	if e.isSilent(in.SessionID, in.Cwd, project) {
		return out, nil, nil
	}
	warning := e.warningOf(in, call, project)
	if !ok && warning == nil && !e.hasMore(in) {
		return out, nil, nil
	}
	req := recall.Request{Prompt: call.Task, Project: project, Uses: e.usage.Uses, Now: e.now(), Settings: settings}
	if call.Task != "" {
		e.sessions.Tasks.Put(in.SessionID, call.Agent, call.Task, req.Now)
		req.ForTools()
	}
	return e.adviseOnCall(ctx, in, toolUse{call, warning}, req)
}

// A toolUse is a call that is about to be made, with what is known of how such calls ended, or nil.
type toolUse struct {
	toolcall.Call
	warning *recall.Warning
}

// warningOf returns what is said of how calls like this one ended in the project, nil for nothing.
func (e *Engine) warningOf(in api.ToolCall, call toolcall.Call, project memory.Project) *recall.Warning {
	advice, ok := e.outcomes.Advise(project, clean.ID(in.SessionID), call.Ways())
	if !ok || e.usage.Verdicts.IsWrong(advice.ID) {
		return nil
	}
	return &recall.Warning{ID: advice.ID, Text: advice.Text, Confidence: advice.Confidence}
}

// WithoutMemories answers the tool calls that need no memories, and so no engine:
// calls of our own tools, and all calls where the settings switch the hook off.
func WithoutMemories(settings config.Settings, in api.ToolCall) (api.Recollection, bool) {
	if !settings.Hooks.On("PreToolUse") {
		return api.Recollection{}, true
	}
	name, ok := strings.CutPrefix(in.Tool, ownToolPrefix)
	allow := ok && settings.Hooks.AllowMemoryTools && slices.Contains(memoryTools, name)
	return api.Recollection{Allow: allow}, ok
}

// adviseOnCall returns what is relevant to a call, for a session, or a sub-agent of it. Concurrent calls wait
// for one another, so that no memory is injected twice.
func (e *Engine) adviseOnCall(ctx context.Context, in api.ToolCall, call toolUse, req recall.Request) (out api.Recollection, commit Commit, err error) {
	s := e.sessions.GetAgent(in.SessionID, in.AgentID, req.Now)
	defer holdSession(s, &commit)()
	s.CollectFallback()
	start, err := e.startBefore(ctx, s, in, req)
	if err != nil {
		return out, nil, err
	}
	req.Session = s.Context()
	choice := e.chosenBefore(in, &req)
	asked, err := e.recallUnseen(ctx, in, s, start, choice)
	if err != nil {
		return out, nil, err
	}
	res, err := choice.before(e.bearingAfter(ctx, inFront(start, asked), in, call, req))
	record := func(err error) {
		outcome := e.noteRecall(s, describeRecall(in, asked, choice.record(s), &req), res, err)
		if err == nil {
			e.madeUp(s, start)
			e.recordUnseen(s, asked, outcome)
		}
		e.log.Debug("tool", logkey.Session, in.SessionID, logkey.Tool, in.Tool, logkey.Injected, len(res.Injected))
	}
	if err == nil && len(res.Injected) == 0 && asked == nil {
		return res.Recollection, record, nil
	}
	return e.injectResult(ctx, res, err, "", memoriesInjected{session: s, event: usage.ToolEvent, ofPrompt: asked.count(choice)}, record)
}

// describeRecall describes what a call asks for, to which a reader's choice of so many memories was added.
func describeRecall(in api.ToolCall, asked *unseen, chosen int, req *recall.Request) api.Recalled {
	out := api.Recalled{Chosen: chosen, At: req.Now, Event: usage.ToolEvent, Session: in.SessionID, Project: req.Project.Name, Prompt: describeCall(in), Why: "no memory bears on the call"}
	if asked != nil {
		out.Prompt, out.Why = asked.prompt.Prompt, "no memory bears on the prompt, which no hook saw, or on the call"
	}
	return out
}

// hasMore reports whether something is injected at a call whatever it does.
func (e *Engine) hasMore(in api.ToolCall) bool {
	if e.missedStart(in) || e.mayBeUnseen(in) {
		return true
	}
	return in.AgentID == "" && e.reader.HasChosen(in.SessionID)
}

// chosenBefore returns what a reader chose for the session that makes a call. A sub-agent did not get the prompt.
func (e *Engine) chosenBefore(in api.ToolCall, req *recall.Request) *choice {
	if in.AgentID != "" {
		return nil
	}
	return e.choiceOf(e.reader.TakeChosen(in.SessionID), req)
}

// missedStart reports whether a call is made in a session into which nothing was injected at its start yet.
func (e *Engine) missedStart(in api.ToolCall) bool {
	_, missed := api.MissedStart(e.home, in.SessionID, time.Now())
	return missed && in.AgentID == ""
}

// startBefore is makeUp before a tool call. Nothing is injected into a sub-agent at the start of its session.
func (e *Engine) startBefore(ctx context.Context, s *sessions.Session, in api.ToolCall, req recall.Request) (*missed, error) {
	if in.AgentID != "" {
		return nil, nil
	}
	return e.makeUp(ctx, s, req)
}

// inFront returns what a call brings in front of what bears on it: the missed start of its session and its unseen
// prompt, or nil.
func inFront(start *missed, asked *unseen) *recall.Result {
	switch {
	case asked != nil:
		return &asked.res // which has the start in front
	case start != nil:
		return &start.res
	}
	return nil
}

// bearingAfter is recallForCall, with what else the call brings in front.
func (e *Engine) bearingAfter(ctx context.Context, front *recall.Result, in api.ToolCall, call toolUse, req recall.Request) (recall.Result, error) {
	if front == nil {
		return e.recallForCall(ctx, in.TranscriptPath, call, req)
	}
	req.Follow(*front)
	res, err := e.recallForCall(ctx, in.TranscriptPath, call, req)
	return front.With(res), err
}

// recallForCall returns what is injected at a call into a session whose transcript lies at
// path. Most calls get nothing, so the transcript is read for the others only.
func (e *Engine) recallForCall(ctx context.Context, path string, call toolUse, req recall.Request) (recall.Result, error) {
	if call.Task != "" {
		e.sessions.Windows.Of(path, req.Settings.Budget.Window).Narrow(&req)
		return e.Recall.Recall(ctx, req)
	}
	found, err := e.findBearings(ctx, call, req)
	if err != nil {
		return recall.Result{}, err
	}
	if len(found) > 0 || call.warning != nil {
		e.sessions.Windows.Of(path, req.Settings.Budget.Window).Narrow(&req)
	}
	return recall.Advise(req, call.warning, found), nil
}

// findBearings returns the memories that are relevant to a call, from the cache where it still holds.
func (e *Engine) findBearings(ctx context.Context, call toolUse, req recall.Request) ([]recall.Bearing, error) {
	key, version, now := call.Key(), e.indexing.Version(), req.Now
	found, known := e.answers.get(key, version, now)
	e.tally.Cached(now, known)
	if known {
		return found, nil
	}
	counted := e.outcomes.Knows(req.Project, call.Ways())
	call.Rules = &e.rules
	confidence := func(m *memory.Memory) float64 {
		if counted && m.Source == memory.Failures {
			return 0 // the counts say whether it still fails
		}
		return call.Relevance(m)
	}
	found, err := e.Recall.Bearings(ctx, recall.Call{Words: call.Words(), Activities: call.Activities(), Project: req.Project, Confidence: confidence})
	if err == nil {
		e.answers.add(key, version, now, found)
	}
	return found, err
}

// Agent returns what is relevant to the task of a sub-agent that starts, and what records that it was
// injected. The event does not contain the task; the tool call that started the sub-agent did, just
// before.
func (e *Engine) Agent(ctx context.Context, in api.Agent) (out api.Recollection, commit Commit, err error) {
	e.acceptIncognito(in.SessionID, in.Incognito)
	settings, now := e.settings.Current(), time.Now()
	task, ok := e.sessions.Tasks.Take(in.SessionID, in.AgentType, now)
	if !ok || !settings.Hooks.On("SubagentStart") {
		return out, nil, nil
	}
	defer e.traffic.Enter()()
	s := e.sessions.GetAgent(in.SessionID, in.AgentID, now)
	defer holdSession(s, &commit)()
	req := e.makeRequest(api.Prompt{Prompt: task, Cwd: in.Cwd}, s, settings)
	if e.isSilent(in.SessionID, in.Cwd, req.Project) {
		return out, nil, nil
	}
	if in.AgentType != anyAgent {
		req.Agent = in.AgentType
	}
	e.sessions.Windows.Of("", req.Settings.Budget.Window).Narrow(&req) // its context is empty
	res, err := e.Recall.Recall(ctx, req)
	return e.injectResult(ctx, res, err, "", memoriesInjected{session: s, event: usage.AgentEvent}, func(err error) {
		e.noteRecall(s, api.Recalled{At: now, Event: usage.AgentEvent, Session: in.SessionID, Project: req.Project.Name, Prompt: task}, res, err)
	})
}

// describeCall returns what a tool is called on, after its name.
func describeCall(in api.ToolCall) string {
	on := toolcall.Member(string(in.Input), "command", "file_path", "notebook_path", "url", "prompt")
	return clean.Text(in.Tool + " " + on)
}

// anyAgent is the type of general sub-agents. Memories of one of them are not
// preferred for another.
const anyAgent = "general-purpose"

const (
	maxAnswers = 100         // tool calls whose answers are cached
	answerAge  = time.Minute // how long an answer holds
)

// answers cache what is relevant to the last tool calls, since Claude often repeats a
// call. They hold until a memory is written.
type answers struct {
	cache *lru.Cache[string, answer]
}

type answer struct {
	found   []recall.Bearing
	at      time.Time
	version int64 // of the memories
}

func newAnswers() *answers {
	cache, err := lru.New[string, answer](maxAnswers)
	if err != nil {
		panic(err) // a constant that is no size
	}
	return &answers{cache: cache}
}

// forget drops all answers.
func (a *answers) forget() { a.cache.Purge() }

// get returns the answer for a key that holds at version of the memories, and
// whether there was one.
func (a *answers) get(key string, version int64, now time.Time) ([]recall.Bearing, bool) {
	known, ok := a.cache.Get(key)
	if !ok || known.version != version || now.Sub(known.at).Abs() >= answerAge {
		return nil, false
	}
	return known.found, true
}

// add stores what was found for a key at version of the memories.
func (a *answers) add(key string, version int64, now time.Time, found []recall.Bearing) {
	a.cache.Add(key, answer{found, now, version})
}
