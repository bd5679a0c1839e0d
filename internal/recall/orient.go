package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
	"recollect/internal/store"
	"recollect/internal/text/activity"
	"recollect/internal/text/instruction"
)

// orientation lists what is injected at the start of a session between the brief of
// the last session and what the sessions before decided: for each source, at most
// how many memories, and whether they are chosen by weight or by time. The chosen ones are
// ordered by time, the newest first.
var orientation = []struct {
	source memory.Source
	items  int
	order  func(a, b *memory.Memory) int
}{
	{memory.Goals, 3, byTime},
	{memory.Preferences, 6, byReach},
	{memory.Patterns, 3, byWeight},
	{memory.Registry, 1, byTime},
}

// lastFailures is how many failures, the headings of those with a known fix, end the start of a
// session if there is still room.
const lastFailures = 2

// earlierSessions is how many sessions before the last one may be named at the
// start of a session.
const earlierSessions = 7

// Orient returns what is injected into a session before its first prompt, or after its
// context was cut down.
func (r *Recall) Orient(ctx context.Context, req Request) (Result, error) {
	res := Result{Keys: map[string]string{}}
	res.Injected = []api.Injected{}
	res.Timestamp = req.Now
	items := 1 + earlierSessions + lastFailures
	for _, o := range orientation {
		items += o.items
	}
	b := newBudget(&req, items, req.Settings.Orientation.Tokens)
	sessions, err := r.pastSessions(&req, 1+earlierSessions)
	if err != nil {
		return Result{}, err
	}
	last := len(sessions) > 0 && res.injectLast(&b, &req, sessions[0], lastSession, req.Settings.Orientation.Tokens*lastShare/100)
	for _, o := range orientation {
		if err := r.orientSource(&res, &b, &req, o.source, o.items, o.order); err != nil {
			return Result{}, err
		}
	}
	for _, earlier := range sessions[min(1, len(sessions)):] {
		res.injectLines(&b, &req, earlier, earlierSession, req.Settings.Orientation.Tokens)
	}
	headings := req
	headings.HeadingsOnly = true
	if err := r.orientSource(&res, &b, &headings, memory.Failures, lastFailures, byWeight); err != nil {
		return Result{}, err
	}
	res.close(req, last)
	return res, nil
}

// orientSource injects the first memories of a source, as far as there is room.
func (r *Recall) orientSource(res *Result, b *block.Budget, req *Request, src memory.Source, items int, order func(a, b *memory.Memory) int) error {
	if !req.Settings.Sources.Of(src).Enabled {
		return nil
	}
	first, err := r.first(src, req, items, order)
	if err != nil {
		return err
	}
	for i := range first {
		res.injectAlone(b, req, &first[i])
	}
	return nil
}

// injectLast injects lines of the brief of the last session, or its handoff as it is where
// somebody wrote that in a form of their own.
func (res *Result) injectLast(b *block.Budget, req *Request, last brief.Brief, kinds []string, tokens int) bool {
	if len(last.Lines()) == 0 {
		return !wantsObedience(last.Handoff) && res.injectAlone(b, req, last.Handoff)
	}
	return res.injectLines(b, req, last, kinds, tokens)
}

// injectAlone injects a memory as an entry of its own, unless the session has it or there
// is no room.
func (res *Result) injectAlone(b *block.Budget, req *Request, m *memory.Memory) bool {
	if alreadyInjected(req.Session.Injected, m.ID, m.ContentKey()) {
		return false
	}
	c := &candidate{memory: m}
	entry := fitForm(b, c, req)
	if entry == "" {
		return false
	}
	res.add(c, entry)
	return true
}

// add records a memory that is injected as an entry of its own. Of a failure's heading it records
// that alone: its error, its cause and often its fix are still to be injected.
func (res *Result) add(c *candidate, entry string) {
	res.Entries = append(res.Entries, entry)
	res.Injected = append(res.Injected, injectedOf(c, entry))
	id, key := c.memory.ID, c.memory.ContentKey()
	if c.outcome == api.OutcomeHeading && c.memory.Source == memory.Failures {
		id, key = headingKey(c.memory)
	}
	res.Keys[id] = key
}

// headingKey returns what stands for the heading of a memory among what was injected.
func headingKey(m *memory.Memory) (id, key string) {
	heading := memory.Memory{Title: m.Title}
	if title, ok := titleWithoutError(m.Title); ok {
		heading.Title = title
	}
	return m.ID + "#heading", heading.ContentKey()
}

// pastSessions returns the briefs of the newest n sessions of the project that Claude does
// not know otherwise, the newest first.
func (r *Recall) pastSessions(req *Request, n int) ([]brief.Brief, error) {
	if !req.Settings.Sources.Of(memory.Handoffs).Enabled {
		return nil, nil
	}
	again := *req
	again.Session.Injected = nil // of a session that was injected before, more may be
	handoffs, err := r.newest(memory.Handoffs, &again, n)
	if err != nil {
		return nil, err
	}
	var sessions []string
	for i := range handoffs {
		if handoffs[i].Session != "" {
			sessions = append(sessions, handoffs[i].Session)
		}
	}
	known := r.briefs(sessions)
	briefs := make([]brief.Brief, len(handoffs))
	for i := range handoffs {
		briefs[i] = known[handoffs[i].Session]
		briefs[i].Handoff = &handoffs[i]
		if !req.Settings.Sources.Journal.Enabled {
			briefs[i].Decisions = nil
		}
	}
	return briefs, nil
}

// The kinds of lines, in their order, that the start of a session has of the last
// session and of those before it.
var (
	lastSession    = []string{brief.Next, brief.Open, brief.Decided, brief.Cause, brief.Done}
	earlierSession = []string{brief.Decided, brief.Cause, brief.Open}
)

// lastShare is the share, in percent, of the tokens at the start of a session that the last
// session may take: what the user wants has to find room beside it.
const lastShare = 50

// maxStartLine is the length of a line at the start of a session, in bytes.
const maxStartLine = 180

// injectLines injects the lines of a brief that are of some kinds, as many of the first as
// there is room for and as tokens allow. It reports whether there was room for any.
func (res *Result) injectLines(b *block.Budget, req *Request, of brief.Brief, kinds []string, tokens int) bool {
	if of.Handoff != nil && instruction.In(of.Handoff.Title) {
		return false
	}
	var lines []brief.Shown
	for _, line := range of.Lines() {
		as := line.Short(maxStartLine)
		wanted := slices.Contains(kinds, line.Kind) && !req.Session.has(line)
		if as != "" && wanted && (line.Memory.Origin == memory.OriginUser || !instruction.In(as)) {
			lines = append(lines, brief.Shown{Line: line, As: as})
		}
	}
	slices.SortStableFunc(lines, func(x, y brief.Shown) int {
		return slices.Index(kinds, x.Kind) - slices.Index(kinds, y.Kind)
	})
	if req.HeadingsOnly {
		lines = lines[:min(1, len(lines))]
	}
	for ; len(lines) > 0; lines = lines[:len(lines)-1] {
		e := brief.NewEntry(of.Handoff, req.Project, lines)
		if block.Tokens(e.Text) > tokens || !b.SpendAll(e.Parts) {
			continue
		}
		res.addEntry(e, 0)
		return true
	}
	return false
}

// Reorient is Orient for a session that was cut down to a summary. Of the memories injected
// before, whose content keys by id are in injected, it also returns what bears on the last
// prompt.
func (r *Recall) Reorient(ctx context.Context, req Request, injected map[string]string) (Result, error) {
	res, err := r.Orient(ctx, req)
	if err != nil || len(injected) == 0 || req.LastPrompt == "" {
		return res, err
	}
	again := req
	again.Prompt, again.LastPrompt, again.Only = req.LastPrompt, "", injected
	again.Session.Injected = nil
	res, err = r.After(ctx, res, again)
	res.close(req, false)
	return res, err
}

// After is Recall for what is injected together with the result of Orient, in front of it.
func (r *Recall) After(ctx context.Context, start Result, req Request) (Result, error) {
	req.Follow(start)
	res, err := r.Recall(ctx, req)
	if err != nil {
		return Result{}, err
	}
	return start.With(res), nil
}

// Follow narrows a request to what may be injected in one block with the result of Orient.
func (req *Request) Follow(start Result) {
	injected := maps.Clone(start.Keys)
	maps.Copy(injected, req.Session.Injected)
	req.Session.Injected = injected
	left := block.MaxTokens - block.Tokens(start.Context)
	req.Settings.Budget.Tokens = min(req.Settings.Budget.Tokens, left)
	req.Settings.Tools.Tokens = min(req.Settings.Tools.Tokens, left)
}

// With returns a result for a prompt or a call with what Orient returned in front of it.
func (res Result) With(more Result) Result {
	more.Entries = slices.Concat(res.Entries, more.Entries)
	more.Injected = slices.Concat(res.Injected, more.Injected)
	keys := maps.Clone(res.Keys)
	maps.Copy(keys, more.Keys)
	more.Keys, more.Notice = keys, res.Notice
	more.Context = block.Frame(more.Entries)
	return more
}

// close puts the injected memories into their frame, and adds the notice for the user if the
// settings ask for one; last says that the last session is among them.
func (res *Result) close(req Request, last bool) {
	res.Context = block.Frame(res.Entries)
	if req.Settings.Orientation.Notice {
		res.Notice = notice(res.Injected, last, block.Tokens(res.Context))
	}
}

// notice returns one line for the user about what was injected: last says that the last session
// is part of it. Without any memory it is empty.
func notice(injected []api.Injected, last bool, tokens int) string {
	count := map[memory.Source]int{}
	var order []memory.Source
	for _, b := range injected {
		if count[b.Source]++; count[b.Source] == 1 {
			order = append(order, b.Source)
		}
	}
	var parts []string
	for _, src := range order {
		parts = append(parts, counted(src, count[src], last))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("recollect: %s (%d tokens)", strings.Join(parts, ", "), tokens)
}

func counted(src memory.Source, n int, last bool) string {
	switch {
	case src == memory.Handoffs && n == 1 && last:
		return "last session"
	case src == memory.Registry:
		return "project facts"
	case src == memory.Thinking && n == 1:
		return "1 thought"
	case src == memory.Thinking:
		return fmt.Sprintf("%d thoughts", n)
	case n == 1:
		return "1 " + src.Label()
	}
	return fmt.Sprintf("%d %ss", n, src.Label())
}

// first returns the first n memories of a source in an order, among those that apply to the
// project and that Claude does not know otherwise. They are sorted by time, the newest first.
func (r *Recall) first(src memory.Source, req *Request, n int, order func(a, b *memory.Memory) int) ([]memory.Memory, error) {
	var out []memory.Memory
	for m, err := range r.Store.Source(src) {
		if err != nil {
			return nil, err
		}
		if !r.mayStartWith(req, &m) || !saysEnough(&m) || wantsObedience(&m) {
			continue
		}
		if m.Origin != memory.OriginUser && !withoutError(&m) {
			continue
		}
		out = insert(out, m, n, order)
	}
	slices.SortStableFunc(out, func(a, b memory.Memory) int { return byTime(&a, &b) })
	return out, nil
}

// mayStartWith reports whether a memory may be injected at the start of a session: it applies to the
// project, is up to date, and Claude does not know it otherwise.
func (r *Recall) mayStartWith(req *Request, m *memory.Memory) bool {
	upToDate := r.Store.SupersededBy(m.ID) == "" && !m.Done()
	return upToDate && req.applies(m) && !req.knownOtherwise(m)
}

// saysEnough reports whether the heading of a memory says something; of other than failures the
// text does, if the heading does not.
func saysEnough(m *memory.Memory) bool {
	return m.Source != memory.Failures || block.TellsAlone(m)
}

// wantsObedience reports whether a memory of what somebody else than the user said wants to be
// obeyed. At the start of a session, where nothing was asked yet, it is not injected even as data.
func wantsObedience(m *memory.Memory) bool {
	text := m.Title + "\n" + m.Body()
	switch {
	case m.Origin == memory.OriginUser:
		return false
	case m.Source == memory.Preferences: // Claude, or another program, noted what the user wants
		return instruction.Fetches(text)
	case m.Source == memory.Failures && instruction.Installs(text):
		return true
	}
	return instruction.In(text)
}

// withoutError leaves the words of an error out of a failure, and of the pattern that came of it:
// at the start of a session they may be anybody's. Before the same call they are injected. It reports
// false for a failure of which nothing else is known.
func withoutError(m *memory.Memory) bool {
	if m.Source != memory.Failures && m.Fields["problem"] == "" {
		return true
	}
	title, ok := titleWithoutError(m.Title)
	if !ok {
		return m.Source != memory.Failures
	}
	m.Title, m.Fields = title, maps.Clone(m.Fields)
	delete(m.Fields, "problem")
	return true
}

// titleWithoutError returns the title of a failure without its error; ok is false for another
// title.
func titleWithoutError(title string) (string, bool) {
	call, rest, ok := strings.Cut(title, memory.TitleFails)
	fix := strings.LastIndex(rest, memory.TitleFix)
	if !ok || fix < 0 {
		return "", false
	}
	return call + strings.TrimSuffix(memory.TitleFails, ": ") + rest[fix:], true
}

// newest is first by time. There are as many handoffs as sessions: of most it reads only
// when and in which project they were.
func (r *Recall) newest(src memory.Source, req *Request, n int) ([]memory.Memory, error) {
	var out []memory.Memory
	applies := map[string]bool{}
	skip := func(h store.Head) bool {
		if len(out) == n && h.When.Before(out[n-1].When()) {
			return true
		}
		if _, known := applies[h.Home]; !known {
			p, err := h.Project()
			m := memory.Memory{Project: p.Name, ProjectPath: p.Path, ProjectRemote: p.Remote}
			applies[h.Home] = err != nil || req.applies(&m) // in a folder below, more exactly once it is read
		}
		return !applies[h.Home]
	}
	for m, err := range r.Store.Backward(src, skip) {
		if err != nil {
			return nil, err
		}
		if !r.mayStartWith(req, &m) {
			continue
		}
		at := len(out)
		for at > 0 && byTime(&m, &out[at-1]) < 0 {
			at--
		}
		if at < n {
			out = slices.Insert(out, at, m)[:min(n, len(out)+1)]
		}
	}
	return out, nil
}

// knownOtherwise reports whether Claude has m in its context: it was injected, the
// instructions cover it, or it is the session's own handoff, which the summary of a compaction
// repeats.
func (req *Request) knownOtherwise(m *memory.Memory) bool {
	ownHandoff := m.Source == memory.Handoffs && m.Session != "" && m.Session == req.Session.ID
	return ownHandoff || alreadyInjected(req.Session.Injected, m.ID, m.ContentKey()) || req.Instructions.cover(m)
}

// byTime puts the newer memory first.
func byTime(a, b *memory.Memory) int { return b.When().Compare(a.When()) }

// byWeight orders memories by importance, then by how often and with what confidence they were
// stated, then by time.
func byWeight(a, b *memory.Memory) int {
	return cmp.Or(
		cmp.Compare(importance(b), importance(a)),
		cmp.Compare(weightOf(b), weightOf(a)),
		byTime(a, b),
	)
}

func importance(m *memory.Memory) int {
	switch m.Importance {
	case memory.High:
		return 1
	case memory.Low:
		return -1
	}
	return 0
}

// byReach puts first what no prompt's activity would bring later, then what weighs more.
func byReach(a, b *memory.Memory) int {
	return cmp.Or(
		boolOrder(len(activity.Of(a)) > 0, len(activity.Of(b)) > 0),
		byWeight(a, b),
	)
}

// weightOf returns occurrences × confidence; a memory without a confidence has 1.
func weightOf(m *memory.Memory) float64 {
	confidence := m.Confidence
	if confidence == 0 {
		confidence = 1
	}
	return confidence * float64(m.Occurrences())
}

// insert adds m to the first n memories in an order. Of two equal ones, the one that was stored
// later comes first.
func insert(ms []memory.Memory, m memory.Memory, n int, order func(a, b *memory.Memory) int) []memory.Memory {
	at := len(ms)
	for at > 0 && order(&m, &ms[at-1]) <= 0 {
		at--
	}
	if at == n {
		return ms
	}
	return slices.Insert(ms, at, m)[:min(n, len(ms)+1)]
}
