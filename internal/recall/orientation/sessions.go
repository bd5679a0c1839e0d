package orientation

import (
	"slices"
	"time"

	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/prompt/dates"
	"recollect/internal/recall/request"
)

// What a prompt about past work gets, in tokens: the newest session, and each
// other one of the same day or period.
const (
	pastTokens   = 300
	besideTokens = 120
)

const (
	// maxPast is how many sessions are looked at for a period that a prompt names.
	maxPast = 40
	// maxBeside is how many sessions besides the newest are injected.
	maxBeside = 3
	// sameDay is how close to the newest session others count as the same day's.
	sameDay = 16 * time.Hour
)

// The kinds of lines, in their order, that answer each kind of question.
var answering = map[prompt.PastKind][]string{
	prompt.Resume:  {brief.Next, brief.Open, brief.Decided, brief.Cause, brief.Done},
	prompt.Next:    {brief.Next, brief.Open, brief.Decided, brief.Cause, brief.Done},
	prompt.Decided: {brief.Decided, brief.Cause, brief.Assumed},
	prompt.Last:    {brief.Done, brief.Cause, brief.Decided, brief.Open, brief.Next},
}

// RecountSessions returns what is injected of whole sessions, those of some periods if there are any.
func (r *Reader) RecountSessions(req *request.Request, periods []dates.Window, kind prompt.PastKind) (request.Result, error) {
	res := request.NewResult(req)
	sessions, err := r.pastSessions(req, maxPast)
	if err != nil {
		return request.Result{}, err
	}
	sessions = ofPeriod(sessions, periods)
	b := request.NewBudget(req, req.Settings.Budget.Items, req.Settings.Budget.Tokens)
	for i, of := range sessions[:min(len(sessions), 1+maxBeside)] {
		if i == 0 {
			injectLast(&res, &b, req, of, answering[kind], pastTokens)
			continue
		}
		injectLines(&res, &b, req, of, answering[kind], besideTokens)
	}
	if err := r.recountGoals(&res, &b, req, kind); err != nil {
		return request.Result{}, err
	}
	res.Seal()
	res.Explanation.Context, res.Explanation.Tokens = res.Context, block.Tokens(res.Context)
	return res, nil
}

// recountGoals adds the newest open goals of the project to the answer to what
// comes next.
func (r *Reader) recountGoals(res *request.Result, b *block.Budget, req *request.Request, kind prompt.PastKind) error {
	if kind != prompt.Next && kind != prompt.Resume {
		return nil
	}
	return r.injectSource(res, b, req, memory.Goals, maxGoals, byTime)
}

// maxGoals is how many open goals answer what comes next.
const maxGoals = 3

// ofPeriod returns the sessions of the periods, or without periods the newest one and
// those of the same day. The newest comes first.
func ofPeriod(sessions []brief.Brief, periods []dates.Window) []brief.Brief {
	if len(sessions) == 0 {
		return nil
	}
	newest := sessions[0].Handoff.When()
	within := func(b brief.Brief) bool {
		at := b.Handoff.When()
		return slices.ContainsFunc(periods, func(w dates.Window) bool { return !at.Before(w.From) && at.Before(w.To) })
	}
	if slices.ContainsFunc(sessions, within) {
		return slices.DeleteFunc(slices.Clone(sessions), func(b brief.Brief) bool { return !within(b) })
	}
	return slices.DeleteFunc(slices.Clone(sessions), func(b brief.Brief) bool { return newest.Sub(b.Handoff.When()) > sameDay })
}
