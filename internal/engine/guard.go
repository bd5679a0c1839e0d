package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/capture/guard"
	"recollect/internal/engine/guards"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/store"
)

// A verdict is what a guard does with a call, the zero value for nothing.
type verdict struct {
	guards.Verdict
	reason string
}

// ownSwitch is about calls that switch guards: Claude makes none without the user.
var ownSwitch = sync.OnceValue(func() []*guard.Matcher {
	return []*guard.Matcher{
		guard.MustCompile(memory.GuardRule{Programs: []string{"recollect"}, Subcommands: []string{"guard add", "guards add"}, Flags: []string{"--yes"}, Action: memory.GuardAsk}),
		guard.MustCompile(memory.GuardRule{Programs: []string{"recollect"}, Subcommands: []string{"guard rm", "guards rm"}, Action: memory.GuardAsk}),
	}
})

// judgeCall returns what the guards do with a call. A pause switches them off, no file of a repository does.
func (e *Engine) judgeCall(in api.ToolCall) verdict {
	project := e.Projects.Adopt(in.Cwd)
	call := guard.ReadCall(in.Tool, string(in.Input), project, in.Cwd)
	for _, own := range ownSwitch() {
		if _, fits := own.Match(call); fits {
			return verdict{guards.Verdict{Action: memory.GuardAsk}, "recollect: only you switch guards on and off. Allow this only if you want it."}
		}
	}
	if e.guards.Len() == 0 || e.pauses.Now(in.SessionID, project) {
		return verdict{}
	}
	var said memory.Memory
	v, ok := e.guards.Judge(call, func(id string) bool {
		m, idle := e.guardMemory(id)
		if idle != "" || !m.Everywhere() && !m.HoldsIn(project) {
			return false
		}
		said = m
		return true
	})
	if !ok {
		return verdict{}
	}
	reason := fmt.Sprintf("recollect guard %s: on %s you said: “%s”. This call is of %s. To drop it: ! recollect guard rm %s",
		v.ID, said.OccurredAt.Local().Format(time.DateOnly), guard.Sentence(&said), v.What, v.ID)
	return verdict{v, clean.Text(strings.ReplaceAll(reason, "\n", " "))}
}

// guardMemory returns the memory of a guard, or why the guard does nothing. One that says the same anew
// stands for it.
func (e *Engine) guardMemory(id string) (m memory.Memory, idle string) {
	m, err := e.Store.Get(id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return m, "its memory was forgotten"
	case err != nil:
		return m, "its memory cannot be read"
	}
	for range maxRestated {
		by := e.Store.SupersededBy(m.ID)
		if by == "" {
			return m, ""
		}
		newer, err := e.Store.Get(by)
		if err != nil || !guard.SayTheSame(guard.Sentence(&m), guard.Sentence(&newer)) {
			return m, "its memory was superseded by " + by
		}
		m = newer
	}
	return m, "its memory was superseded too often"
}

// maxRestated is how often a wish may have been said anew.
const maxRestated = 20

// stops reports whether the call waits for the user, or is not made.
func (v verdict) stops() bool { return v.Action == memory.GuardAsk || v.Action == memory.GuardDeny }

// apply adds the verdict to what is injected.
func (v verdict) apply(out api.Recollection) api.Recollection {
	switch {
	case v.stops():
		out.Guard, out.Reason = v.Action, v.reason
	case v.Action == memory.GuardWarn:
		out.Context = strings.TrimSpace(out.Context + "\n" + recall.FrameLine(v.reason))
	}
	return out
}

// record returns what is done behind the answer: commit, and the note of what the guard did.
func (v verdict) record(e *Engine, in api.ToolCall, commit Commit) Commit {
	if v.ID == "" || e.pauses.Incognito.Has(in.SessionID) {
		return commit
	}
	return func(undelivered error) {
		if commit != nil {
			commit(undelivered)
		}
		if undelivered != nil {
			return
		}
		e.showStopped(in, v)
		if e.lock.Held() != nil {
			return
		}
		h := guards.Hit{
			GuardHit: api.GuardHit{At: time.Now().UTC().Truncate(time.Second), Session: clean.ID(in.SessionID), What: memory.Clip(clean.Text(v.What), guard.MaxSentence), Action: v.Action},
		}
		if v.Action == memory.GuardAsk && in.UseID != "" {
			h.Use, h.Transcript = in.UseID, in.TranscriptPath
		}
		e.guards.Record(v.ID, h)
	}
}

// showStopped adds a call that a guard stopped to the requests that are followed.
func (e *Engine) showStopped(in api.ToolCall, v verdict) {
	if !v.stops() {
		return
	}
	done := map[string]string{memory.GuardAsk: "asked", memory.GuardDeny: "denied"}
	of := api.Recalled{At: time.Now(), Event: usage.ToolEvent, Session: in.SessionID, Project: e.Projects.Adopt(in.Cwd).Name}
	of.Prompt, of.Guard, of.Why = clipPrompt(describeCall(in)), v.Action, done[v.Action]+" by guard "+v.ID
	if m, idle := e.guardMemory(v.ID); idle == "" {
		of.Named = []api.Title{{ID: m.ID, Source: m.Source, Title: guard.Sentence(&m)}}
	}
	e.recent.Add(of)
}

// guardsDue returns a line for the user about guards that were overridden too often, "" for none.
func (e *Engine) guardsDue() string {
	if e.lock.Held() != nil {
		return ""
	}
	var lines []string
	for _, id := range e.guards.Due() {
		if m, idle := e.guardMemory(id); idle == "" {
			lines = append(lines, fmt.Sprintf("recollect: you let through %d calls that the guard “%s” asked about; ! recollect guard rm %s drops it", guards.TooMany, guard.Sentence(&m), id))
		}
	}
	return strings.Join(lines, "\n")
}

// DraftGuard returns the rule that a sentence becomes. Nothing is stored.
func (e *Engine) DraftGuard(_ context.Context, in api.GuardDraft) (api.GuardDrafted, error) {
	here := e.Projects.Adopt(in.Cwd)
	if in.Project != "" {
		here = e.Projects.Named(in.Project, here)
	}
	out := api.GuardDrafted{ID: in.ID, Sentence: strings.TrimSpace(clean.Text(in.Text)), Home: here}
	if in.ID != "" {
		m, idle := e.guardMemory(in.ID)
		if idle != "" {
			return out, &api.BadRequest{Err: fmt.Errorf("%s: %s", in.ID, idle)}
		}
		if out.Sentence, out.Home = guard.Sentence(&m), m.Home(); m.Everywhere() {
			out.Home = memory.Project{}
		}
	} else if in.Everywhere {
		out.Home = memory.Project{}
	}
	if out.Sentence == "" {
		return out, &api.BadRequest{Err: errors.New("a guard needs a sentence: what you want, in your words")}
	}
	rule, err := guard.Complete(out.Sentence, in.Rule)
	if err != nil {
		return out, &api.BadRequest{Err: err}
	}
	if m, _ := e.guardMemory(in.ID); in.ID != "" && m.Origin != memory.OriginUser && rule.Action != memory.GuardAsk {
		return out, &api.BadRequest{Err: fmt.Errorf("%s is not in your words, so its guard can only ask", in.ID)}
	}
	out.Rule, out.Says = rule, describeGuard(rule, out.Home)
	return out, nil
}

// describeGuard says what a guard does and where.
func describeGuard(rule memory.GuardRule, home memory.Project) string {
	says, action, _ := strings.Cut(guard.Describe(rule), ": "+rule.Action)
	where := "in every project"
	if !home.Zero() {
		where = "in " + home.Name
	}
	return says + " " + where + ": " + rule.Action + action
}

// RehearseGuard returns what a rule would have done in past sessions. It only reads.
func (e *Engine) RehearseGuard(ctx context.Context, in api.GuardRehearsal) (api.GuardRehearsed, error) {
	m, err := guard.Compile(in.Rule)
	if err != nil {
		return api.GuardRehearsed{}, &api.BadRequest{Err: err}
	}
	out := api.GuardRehearsed{Calls: []api.GuardPast{}}
	work := e.traffic.Begin(ctx)
	defer work.End()
	for _, path := range in.Paths {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if err := e.rehearseFile(m, path, in.Home, &out); err != nil {
			out.Unread = append(out.Unread, clean.Text(err.Error()))
		}
	}
	return out, nil
}

// rehearseFile adds what a rule would have done in the session whose transcript lies at path.
func (e *Engine) rehearseFile(m *guard.Matcher, path string, home memory.Project, out *api.GuardRehearsed) error {
	first, _ := transcript.First(path)
	project := e.Projects.Adopt(first.Cwd)
	if first.Cwd == "" || !home.Zero() && !home.Same(project) {
		return nil
	}
	if !strings.HasPrefix(filepath.Base(path), "agent-") {
		out.Sessions++
	}
	var last *claudecode.Turn
	add := func(next string) {
		if last == nil || len(last.Actions) == 0 {
			return
		}
		for _, past := range m.Rehearse(*last, next, project) {
			if past.Corrected {
				out.Corrected++
			}
			out.Calls = append(out.Calls, api.GuardPast{At: last.At, Session: last.Session, Call: past.Call, Corrected: past.Corrected})
		}
	}
	_, err := transcript.Turns(path, 0, func(t claudecode.Turn) error {
		next := t.Prompt
		if t.Sidechain || t.Program {
			next = ""
		}
		add(next)
		last = &t
		return nil
	})
	add("")
	return err
}

// AddGuard stores what the user said, unless a memory says it already, and switches the guard on.
func (e *Engine) AddGuard(ctx context.Context, in api.GuardDrafted) (api.Guard, error) {
	if _, err := guard.Compile(in.Rule); err != nil {
		return api.Guard{}, &api.BadRequest{Err: err}
	}
	id := in.ID
	if id == "" {
		m := memory.Memory{Source: memory.Preferences, Text: in.Sentence}
		if m.SetHome(in.Home); in.Home.Zero() {
			m.AppliesTo = memory.Global
		}
		done, err := e.Remember(ctx, api.Remember{Memories: memory.Drafts(m)})
		if err != nil {
			return api.Guard{}, err
		}
		id = done.IDs[0]
	}
	m, idle := e.guardMemory(id)
	switch {
	case idle != "":
		return api.Guard{}, &api.BadRequest{Err: fmt.Errorf("%s: %s", id, idle)}
	case m.Origin != memory.OriginUser && in.Rule.Action != memory.GuardAsk:
		return api.Guard{}, &api.BadRequest{Err: fmt.Errorf("%s is not in your words, so its guard can only ask", id)}
	}
	s, err := e.guards.Add(id, in.Rule, time.Now())
	if err != nil {
		return api.Guard{}, err
	}
	return e.showGuard(s), nil
}

// RemoveGuard switches a guard off.
func (e *Engine) RemoveGuard(_ context.Context, id string) (api.Guard, error) {
	s, ok, err := e.guards.Remove(id)
	if err == nil && !ok {
		err = &api.BadRequest{Err: fmt.Errorf("%s: no guard has this id", id)}
	}
	if err != nil {
		return api.Guard{}, err
	}
	return e.showGuard(s), nil
}

// Guards lists the guards, or wishes that could be some.
func (e *Engine) Guards(ctx context.Context, in api.AskGuards) (api.GuardList, error) {
	if err := e.guards.Err(); err != nil {
		return api.GuardList{}, err
	}
	within := recall.Scope(in.Where, e.Projects.Adopt(in.Where.Cwd))
	out := api.GuardList{Guards: []api.Guard{}}
	on := map[string]bool{}
	for _, s := range e.guards.List() {
		on[s.ID] = true
		m, idle := e.guardMemory(s.ID)
		if idle != "" || within(&m) {
			out.Guards = append(out.Guards, e.showGuard(s))
		}
	}
	if !in.Suggest {
		return out, nil
	}
	for m, err := range e.Store.All() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return out, err
		}
		if on[m.ID] || !within(&m) || e.Store.SupersededBy(m.ID) != "" {
			continue
		}
		if drafted, ok := suggestGuard(&m); ok {
			out.Suggested = append(out.Suggested, drafted)
		}
	}
	out.Suggested = out.Suggested[:min(len(out.Suggested), maxSuggested)]
	return out, nil
}

// maxSuggested is how many wishes are suggested as guards at once.
const maxSuggested = 50

// suggestGuard returns the guard that a wish of the user's could be.
func suggestGuard(m *memory.Memory) (api.GuardDrafted, bool) {
	if m.Source != memory.Preferences || m.Origin != memory.OriginUser {
		return api.GuardDrafted{}, false
	}
	rule, err := guard.Draft(guard.Sentence(m))
	if err != nil {
		return api.GuardDrafted{}, false
	}
	home := m.Home()
	if m.Everywhere() {
		home = memory.Project{}
	}
	return api.GuardDrafted{ID: m.ID, Sentence: guard.Sentence(m), Rule: rule, Home: home, Says: describeGuard(rule, home)}, true
}

// guardsIdle says why no guard of a project does anything now, "" if they do.
func (e *Engine) guardsIdle(project memory.Project) string {
	switch {
	case !e.settings.Current().Hooks.On("PreToolUse"):
		return "the setting hooks.off has PreToolUse"
	case e.pauses.Now("", project):
		return "it is paused, until recollect unpause"
	}
	return ""
}

func (e *Engine) showGuard(s guards.Stored) api.Guard {
	m, idle := e.guardMemory(s.ID)
	out := api.Guard{ID: s.ID, Idle: cmp.Or(idle, e.guardsIdle(m.Home())), Rule: s.Rule, Since: s.Since, Count: s.Count, Overridden: s.Overridden, Hits: []api.GuardHit{}}
	home := m.Home()
	if out.Project = home.Name; m.Everywhere() {
		out.Project, home = "", memory.Project{}
	}
	out.Says = describeGuard(s.Rule, home)
	if m.ID != "" {
		out.Sentence, out.Said = guard.Sentence(&m), m.OccurredAt
	}
	for _, h := range slices.Backward(s.Hits) {
		out.Hits = append(out.Hits, h.GuardHit)
	}
	return out
}
