// Package orientation reads what is injected whatever words a prompt has: at the start of a session, and
// where a prompt asks what was done before. It goes by the sources, the time and the weight of memories.
package orientation

import (
	"cmp"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/request"
	"recollect/internal/store"
	"recollect/internal/text/instruction"
)

// A Reader reads what is injected whatever words a prompt has.
type Reader struct {
	Store  *store.Store
	Wrong  func(id string) bool // whether the owner said that a memory is wrong
	Briefs func(sessions []string) map[string]brief.Brief
}

// Orient returns what is injected into a session before its first prompt, or after its
// context was cut down.
func (r *Reader) Orient(req *request.Request) (request.Result, error) {
	res := request.Result{Keys: map[string]string{}}
	res.Injected, res.Timestamp = []api.Injected{}, req.Now
	sessions, err := r.pastSessions(req, lookedBack(req))
	if err != nil {
		return request.Result{}, err
	}
	s := newStart(req, &res, sessions)
	s.addLast()
	if err := s.addRules(r); err != nil {
		return request.Result{}, err
	}
	if err := s.addEarlier(r); err != nil {
		return request.Result{}, err
	}
	if err := s.addGoals(r); err != nil {
		return request.Result{}, err
	}
	if err := s.addSource(r, memory.Registry, 1, byTime, isAnything); err != nil {
		return request.Result{}, err
	}
	res.Close(req)
	return res, nil
}

// injectSource injects the first memories of a source, as far as there is room.
func (r *Reader) injectSource(res *request.Result, b *block.Budget, req *request.Request, src memory.Source, items int, order func(a, b *memory.Memory) int) error {
	if !req.Settings.Sources.Of(src).Enabled {
		return nil
	}
	first, err := r.readFirst(src, req, items, order, isAnything)
	if err != nil {
		return err
	}
	for i := range first {
		injectAlone(res, b, req, &first[i])
	}
	return nil
}

func isAnything(*memory.Memory) bool { return true }

// injectLast injects lines of the brief of the last session, or its handoff as it is where
// somebody wrote that in a form of their own.
func injectLast(res *request.Result, b *block.Budget, req *request.Request, last brief.Brief, kinds []string, tokens int) bool {
	if len(last.Lines()) == 0 {
		return !last.Handoff.StatesNothing() && !wantsObedience(last.Handoff) && injectAlone(res, b, req, last.Handoff)
	}
	return injectLines(res, b, req, last, kinds, tokens)
}

// injectAlone injects a memory as an entry of its own, unless the session has it or there
// is no room.
func injectAlone(res *request.Result, b *block.Budget, req *request.Request, m *memory.Memory) bool {
	if request.IsInjected(req.Session.Injected, m.ID, m.ContentKey()) {
		return false
	}
	entry, outcome := request.FitForm(b, m, req)
	if entry == "" {
		return false
	}
	res.Add(m, 0, entry, outcome)
	return true
}

// pastSessions returns the briefs of the newest n sessions of the project that Claude does
// not know otherwise, the newest first.
func (r *Reader) pastSessions(req *request.Request, n int) ([]brief.Brief, error) {
	if !req.Settings.Sources.Of(memory.Handoffs).Enabled {
		return nil, nil
	}
	again := *req
	again.Session.Injected = nil // of a session that was injected before, more may be
	handoffs, err := r.readNewest(memory.Handoffs, &again, n)
	if err != nil {
		return nil, err
	}
	var sessions []string
	for i := range handoffs {
		if handoffs[i].Session != "" {
			sessions = append(sessions, handoffs[i].Session)
		}
	}
	known := r.Briefs(sessions)
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

// lastSession has the kinds of lines, in their order, that the last session of a young project has at the start of the next.
var lastSession = []string{brief.Open, brief.Next, brief.Decided, brief.Cause, brief.Done}

// earlierSession has the kinds of lines, in their order, that a session has which a prompt does not ask for by name.
var earlierSession = []string{brief.Decided, brief.Cause, brief.Open}

// MaxLine is the length of a line at the start of a session, in bytes.
const MaxLine = 160

// injectLines injects the lines of a brief that are of some kinds, as many of the first as
// there is room for and as tokens allow. It reports whether there was room for any.
func injectLines(res *request.Result, b *block.Budget, req *request.Request, of brief.Brief, kinds []string, tokens int) bool {
	if of.Handoff != nil && instruction.In(of.Handoff.Title) {
		return false
	}
	var lines []brief.Shown
	for _, line := range of.Lines() {
		as := line.Short(MaxLine)
		wanted := slices.Contains(kinds, line.Kind) && !req.Session.HasLine(line)
		harmless := line.Memory.Origin == memory.OriginUser || !instruction.In(as)
		if as != "" && wanted && harmless {
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
		res.AddEntry(e, 0)
		return true
	}
	return false
}

// readFirst returns the first n memories of a source in an order, among those that apply to the
// project and that Claude does not know otherwise. They are sorted by time, the newest first.
func (r *Reader) readFirst(src memory.Source, req *request.Request, n int, order func(a, b *memory.Memory) int, test func(*memory.Memory) bool) ([]memory.Memory, error) {
	var out []memory.Memory
	for m, err := range r.Store.Source(src) {
		if err != nil {
			return nil, err
		}
		if !r.mayStartWith(req, &m) || wantsObedience(&m) || !test(&m) {
			continue
		}
		out = insertInOrder(out, m, n, order)
	}
	slices.SortStableFunc(out, func(a, b memory.Memory) int { return byTime(&a, &b) })
	return out, nil
}

// mayStartWith reports whether a memory may be injected at the start of a session: it applies to the
// project, is up to date and right, and Claude does not know it otherwise.
func (r *Reader) mayStartWith(req *request.Request, m *memory.Memory) bool {
	upToDate := r.Store.SupersededBy(m.ID) == "" && !m.Done() && !r.Wrong(m.ID)
	return upToDate && req.Applies(m) && !req.KnownOtherwise(m)
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
	}
	return instruction.In(text)
}

// readNewest is first by time. There are as many handoffs as sessions: of most it reads only
// when and in which project they were.
func (r *Reader) readNewest(src memory.Source, req *request.Request, n int) ([]memory.Memory, error) {
	var out []memory.Memory
	applies := map[string]bool{}
	skip := func(h store.Head) bool {
		if len(out) == n && h.When.Before(out[n-1].When()) {
			return true
		}
		if _, known := applies[h.Home]; !known {
			p, err := h.Project()
			m := memory.Memory{Project: p.Name, ProjectPath: p.Path, ProjectRemote: p.Remote}
			applies[h.Home] = err != nil || req.Applies(&m) // in a folder below, more exactly once it is read
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

// byTime puts the newer memory first.
func byTime(a, b *memory.Memory) int { return b.When().Compare(a.When()) }

// ByWeight orders memories by importance, then by how often and with what confidence they were
// stated, then by time.
func ByWeight(a, b *memory.Memory) int {
	return cmp.Or(
		cmp.Compare(importanceOf(b), importanceOf(a)),
		cmp.Compare(weightOf(b), weightOf(a)),
		byTime(a, b),
	)
}

func importanceOf(m *memory.Memory) int {
	switch m.Importance {
	case memory.High:
		return 1
	case memory.Low:
		return -1
	}
	return 0
}

// weightOf returns occurrences × confidence; a memory without a confidence has 1.
func weightOf(m *memory.Memory) float64 {
	confidence := m.Confidence
	if confidence == 0 {
		confidence = 1
	}
	return confidence * float64(m.Occurrences())
}

// insertInOrder adds m to the first n memories in an order. Of two equal ones, the one that was stored
// later comes first.
func insertInOrder(ms []memory.Memory, m memory.Memory, n int, order func(a, b *memory.Memory) int) []memory.Memory {
	at := len(ms)
	for at > 0 && order(&m, &ms[at-1]) <= 0 {
		at--
	}
	if at == n {
		return ms
	}
	return slices.Insert(ms, at, m)[:min(n, len(ms)+1)]
}
