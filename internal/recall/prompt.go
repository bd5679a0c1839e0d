package recall

import (
	"context"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/prompt/dates"
	"recollect/internal/recall/terms"
	"recollect/internal/text/activity"
)

// Recall returns what is to be injected with a prompt. If nothing bears on it, that is an empty
// Result, not an error.
func (r *Recall) Recall(ctx context.Context, req Request) (Result, error) {
	req.readings = prompt.Readings(req.Prompt)
	if asked := askedPast(&req); asked.Kind != prompt.None {
		return r.recount(ctx, req, asked)
	}
	return r.answer(ctx, req)
}

// answer returns what bears on a prompt by its words and its meaning: on what is asked, and if
// nothing does, on the whole with what is pasted into it.
func (r *Recall) answer(ctx context.Context, req Request) (Result, error) {
	readings := req.readings
	if len(readings) > 1 && readings[0].Evidence != "" && !terms.SaysMore(readings[0], req.Now) {
		readings = readings[1:] // such as "fix this": what is pasted says what
	}
	first, err := r.answerTo(ctx, req, readings[0])
	for _, reading := range readings[1:] {
		if err != nil || len(first.Passed) > 0 {
			break
		}
		var next Result
		if next, err = r.answerTo(ctx, req, reading); len(next.Passed) > 0 {
			return next, err
		}
	}
	return first, err
}

// answerTo returns what bears on one reading of a prompt.
func (r *Recall) answerTo(ctx context.Context, req Request, reading prompt.Reading) (Result, error) {
	res := Result{Explanation: newExplanation(req)}
	res.Injected = []api.Injected{}
	res.Timestamp = req.Now
	q, share, why := r.query(req, reading)
	asked := activity.Asked(reading.Question)
	if why != "" && len(asked) == 0 {
		res.Explanation.Skipped = why
		return res, nil
	}
	if req.asksPast != "" {
		q.Times = dates.In(req.asksPast, req.Now)
	}
	res.Borrowed, res.Asked = share < 1, q.Prompt
	all := req.All
	req.All = false
	t, err := r.retrieve(ctx, &q, req, share)
	if err != nil {
		return Result{}, err
	}
	if err := r.addBearing(ctx, t, asked); err != nil {
		return Result{}, err
	}
	res.Words = q.KnownTerms()
	r.addSuccessors(t)
	t.topic = r.sameTopic(t)
	t.gate(q)
	if all {
		t.found = append(t.found, r.rest(t, q)...)
	}
	rank(t.found, q, req)
	res.Passed = t.holdSame()
	t.reserve()
	if err := r.readBriefs(ctx, t); err != nil {
		return Result{}, err
	}
	t.fit(&res)
	r.explain(&res.Explanation, t, q, all)
	return res, nil
}

// query makes the query for a reading of a prompt. A prompt without significant words takes those of the one
// before it, at half the relevance. If neither has any, why is the reason.
func (r *Recall) query(req Request, reading prompt.Reading) (q terms.Query, share float64, why string) {
	if q = terms.Read(reading, req.Now); q.IsSignificant() {
		return q, 1, ""
	}
	if q = terms.ReadWhole(req.LastPrompt, req.Now); q.IsSignificant() {
		return q, 0.5, ""
	}
	return terms.Read(reading, req.Now), 0, "the prompt has no word to look for"
}

// ReadRules reads the rules and tables by which prompts are read, and the synonyms, so that the first
// prompt has them at once. It needs neither Store nor Index.
func (r *Recall) ReadRules(s *config.Synonyms) {
	var rules sync.WaitGroup
	rules.Go(func() { activity.Asked("please commit the change") })
	rules.Go(func() { terms.ReadWhole("how big is the pool?", time.Time{}) })
	prompt.AskedPast("where were we?")
	r.synonymsOf(s)
	rules.Wait()
}
