package recall

import (
	"context"

	"recollect/internal/recall/orientation"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/prompt/dates"
	"recollect/internal/recall/request"
	"recollect/internal/recall/terms"
)

// orientation reads what is injected whatever words a prompt has.
func (r *Recall) orientation() *orientation.Reader {
	return &orientation.Reader{Store: r.Store, Wrong: r.isWrong, Briefs: r.sessions().Briefs}
}

// Orient returns what is injected into a session before its first prompt, or after its
// context was cut down.
func (r *Recall) Orient(_ context.Context, req request.Request) (request.Result, error) {
	return r.orientation().Orient(&req)
}

// Reorient is Orient for a session that was cut down to a summary. Of the memories injected
// before, whose content keys by id are in injected, it also returns what matters to the last
// prompt.
func (r *Recall) Reorient(ctx context.Context, req request.Request, injected map[string]string) (request.Result, error) {
	res, err := r.Orient(ctx, req)
	if err != nil || len(injected) == 0 || req.LastPrompt == "" {
		return res, err
	}
	again := req
	again.Prompt, again.LastPrompt, again.Only = req.LastPrompt, "", injected
	again.Session.Injected = nil
	res, err = r.After(ctx, res, again)
	res.Close(&req)
	return res, err
}

// After is Recall for what is injected together with the result of Orient, in front of it.
func (r *Recall) After(ctx context.Context, start request.Result, req request.Request) (request.Result, error) {
	req.Follow(start)
	res, err := r.Recall(ctx, req)
	if err != nil {
		return request.Result{}, err
	}
	return start.With(res), nil
}

// pastRelevance is the relevance that a memory of the project needs if the prompt asks about
// past work: there is an answer, and the question is only which.
const pastRelevance = 0.06

// askedPast returns what the prompt asks about past work. To go on means with past work only at the
// beginning of a session.
func askedPast(req *request.Request, reading prompt.Reading) prompt.Past {
	q := prompt.AskedPast(reading.Question)
	if q.Kind == prompt.Resume && req.Session.Begun {
		return prompt.Past{}
	}
	return q
}

// recountPast returns what is injected with a prompt about past work: what is known of the matter that it names, which may
// be nothing, or if it names none, the newest sessions of the project or those of the time that it names.
func (r *Recall) recountPast(ctx context.Context, asked *question, past prompt.Past) (request.Result, error) {
	times := dates.In(asked.readings[0].Question, asked.req.Now)
	if about := asked.narrow(past); about != nil {
		res, err := r.answerPrompt(ctx, about)
		res.Explanation.Past = past.Kind.String() + ", about: " + past.About
		if err != nil || len(res.Injected) > 0 || len(times) == 0 {
			return res, err
		}
	}
	res, err := r.orientation().RecountSessions(asked.req, times, past.Kind)
	res.Explanation.Past = past.Kind.String()
	return res, err
}

// narrow returns the question for what a prompt asks about in past work, or nil if that is nothing in particular.
func (q *question) narrow(past prompt.Past) *question {
	about := terms.ReadWhole(past.About, q.req.Now)
	if past.Kind == prompt.None || !about.IsSignificant() {
		return nil
	}
	narrowed := *q.req
	narrowed.Prompt = past.About
	return &question{req: &narrowed, readings: prompt.Readings(past.About), past: q.readings[0].Question}
}
