package recall

import (
	"context"
	"slices"
	"time"

	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/prompt/dates"
	"recollect/internal/recall/terms"
)

// What a prompt about past work gets, in tokens: the newest session, and each
// other one of the same day or period.
const (
	pastTokens   = 300
	besideTokens = 120
)

// pastRelevance is the relevance that a memory of the project needs if the prompt asks about
// past work: there is an answer, and the question is only which. At most maxAbout are given.
const (
	pastRelevance = 0.06
	maxAbout      = 3
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

// askedPast returns what the prompt asks about past work. To go on means with past work only at the
// beginning of a session.
func askedPast(req *Request, reading prompt.Reading) prompt.Past {
	q := prompt.AskedPast(reading.Question)
	if q.Kind == prompt.Resume && req.LastPrompt != "" {
		return prompt.Past{}
	}
	return q
}

// recountPast returns what is injected with a prompt about past work: what it is
// narrowed to, if there is any such thing, else the newest sessions of the project or
// those of the time that it names.
func (r *Recall) recountPast(ctx context.Context, req *Request, whole string, asked prompt.Past) (Result, error) {
	about := terms.ReadWhole(asked.About, req.Now)
	if about.IsSignificant() {
		narrowed := *req
		narrowed.Prompt = asked.About
		narrowed.Settings.Budget.Items = min(req.Settings.Budget.Items, maxAbout)
		res, err := r.answerPrompt(ctx, &question{req: &narrowed, readings: prompt.Readings(asked.About), past: whole})
		res.Explanation.Past = asked.Kind.String() + ", about: " + asked.About
		if err != nil || len(res.Injected) > 0 {
			return res, err
		}
	}
	res, err := r.recountSessions(req, dates.In(whole, req.Now), asked.Kind, about.IsSignificant())
	res.Explanation.Past = asked.Kind.String()
	return res, err
}

// recountSessions returns what is injected of whole sessions, those of some periods if there are any. A prompt that is about something
// of which nothing was found, because it has other words, gets what each of several sessions
// decided rather than all about the newest.
func (r *Recall) recountSessions(req *Request, periods []dates.Window, kind prompt.PastKind, about bool) (Result, error) {
	res := newResult(req)
	sessions, err := r.pastSessions(req, maxPast)
	if err != nil {
		return Result{}, err
	}
	if !about || len(periods) > 0 {
		sessions = ofPeriod(sessions, periods)
	}
	if about { // which none of these is, as far as is known
		sessions = req.withoutRaised(sessions)
	}
	b := newBudget(req, req.Settings.Budget.Items, req.Settings.Budget.Tokens)
	for i, of := range sessions[:min(len(sessions), 1+maxBeside)] {
		switch {
		case about:
			res.injectLines(&b, req, of, earlierSession, besideTokens)
		case i == 0:
			res.injectLast(&b, req, of, answering[kind], pastTokens)
		default:
			res.injectLines(&b, req, of, answering[kind], besideTokens)
		}
	}
	if err := r.recountGoals(&res, &b, req, kind); err != nil {
		return Result{}, err
	}
	res.Context = block.Frame(res.Entries)
	res.Explanation.Context, res.Explanation.Tokens = res.Context, block.Tokens(res.Context)
	return res, nil
}

// recountGoals adds the newest open goals of the project to the answer to what
// comes next.
func (r *Recall) recountGoals(res *Result, b *block.Budget, req *Request, kind prompt.PastKind) error {
	if kind != prompt.Next && kind != prompt.Resume {
		return nil
	}
	return r.orientSource(res, b, req, memory.Goals, maxGoals, byTime)
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
