package recall

import (
	"context"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/prompt/dates"
	"recollect/internal/recall/request"
	"recollect/internal/recall/statement"
	"recollect/internal/recall/terms"
	"recollect/internal/text/activity"
)

// Recall returns what is to be injected with a prompt. If nothing matters to it, that is an empty
// Result, not an error.
func (r *Recall) Recall(ctx context.Context, req request.Request) (request.Result, error) {
	asked := &question{req: &req, readings: prompt.Readings(req.Prompt)}
	if past := askedPast(&req, asked.readings[0]); past.Kind != prompt.None {
		return r.recountPast(ctx, asked, past)
	}
	return r.answerPrompt(ctx, asked)
}

// Offer returns the statements that a reader may choose from for a prompt, at most so many, the best first: whatever the
// prompt is worth, and without what the session has in its context. A prompt that says nothing itself gets none.
func (r *Recall) Offer(ctx context.Context, req request.Request, most int) ([]request.Offer, error) {
	req.Offer, req.LastPrompt = most, ""
	req.Settings.Recall.MinWorth, req.Session.Begun, req.Session.Passed = 0, false, nil
	asked := question{req: &req, readings: prompt.Readings(req.Prompt)}
	if askedPast(&req, asked.readings[0]).Kind != prompt.None {
		asked.past = asked.readings[0].Question
	}
	res, err := r.answerPrompt(ctx, &asked)
	return res.Offered, err
}

// Choose returns what a reader chose of an offer, as it is injected: what its memories still say, and nobody injected into
// the session meanwhile.
func (r *Recall) Choose(req request.Request, chosen []request.Offer) request.Result {
	res := request.Result{Keys: map[string]string{}}
	res.Injected, res.Timestamp = []api.Injected{}, req.Now
	budget := request.NewBudget(&req, len(chosen), req.Settings.Budget.Tokens)
	for _, o := range chosen {
		m, err := r.Store.Get(o.ID)
		isGone := err != nil || r.Store.SupersededBy(o.ID) != "" || !statement.Has(&m, o.Text)
		if isGone || r.whyWithheld(&m) != "" || !req.Settings.Sources.Of(m.Source).Enabled {
			continue
		}
		if isNew := !req.Session.HasText(&m, o.Text) && !request.IsInjected(req.Session.Injected, m.ID, m.ContentKey()); isNew && budget.Spend(m.Source, o.Entry) {
			res.AddStatements(&m, 1, o.Entry, []block.Statement{{Text: o.Text}})
		}
	}
	res.Context = block.Frame(res.Entries)
	return res
}

// A question is a prompt as it is read.
type question struct {
	req      *request.Request
	readings []prompt.Reading // of the prompt, or of what it asks to know of past work
	past     string           // the whole of a prompt about past work, "" for others
}

// worded returns the readings of a prompt without a first one that says nothing, such as "fix this" before a paste.
func (q *question) worded() []prompt.Reading {
	first := q.readings[0]
	if len(q.readings) > 1 && first.Evidence != "" && !terms.SaysMore(first, q.req.Now) {
		return q.readings[1:]
	}
	return q.readings
}

// answerPrompt returns what matters to a prompt by its words and its meaning: on what is asked, and if
// nothing does, on the whole with what is pasted into it.
func (r *Recall) answerPrompt(ctx context.Context, asked *question) (request.Result, error) {
	readings := asked.worded()
	first, err := r.answerReading(ctx, asked, readings[0])
	for _, reading := range readings[1:] {
		if err != nil || !first.IsEmpty() {
			break
		}
		var next request.Result
		if next, err = r.answerReading(ctx, asked, reading); !next.IsEmpty() {
			return next, err
		}
	}
	return first, err
}

// answerReading takes one reading of a prompt through the four stages, each of which is made of the
// one before, and injects what was chosen.
func (r *Recall) answerReading(ctx context.Context, asked *question, reading prompt.Reading) (request.Result, error) {
	res := request.NewResult(asked.req)
	q, why := newQuery(asked, reading)
	if why != "" && len(q.activities) == 0 {
		res.Explanation.Skipped = why
		return res, nil
	}
	found, err := r.findCandidates(ctx, q)
	if err != nil {
		return request.Result{}, err
	}
	scored, err := r.scoreCandidates(ctx, found)
	if err != nil {
		return request.Result{}, err
	}
	chosen, err := r.chooseCandidates(ctx, scored)
	if err != nil {
		return request.Result{}, err
	}
	res.FromLastPrompt, res.Asked = q.share < 1, q.Prompt
	res.Words, res.Passed = chosen.KnownTerms(), chosen.passed
	if err := r.injectChosen(ctx, chosen, &res); err != nil {
		return request.Result{}, err
	}
	noteCosts(chosen, &res)
	r.explainChosen(&res.Explanation, chosen, asked.req.All)
	return res, nil
}

// A query is the first stage: what is looked for, for one reading of a prompt.
type query struct {
	terms.Query
	req        *request.Request
	activities []string // that the prompt asks for
	share      float64  // scales the relevance of what has the words of the prompt before
	past       bool     // the prompt asks about past work
	limit      int      // candidates of each retriever
	all        bool     // a candidate needs no relevance
}

// newQuery makes the query for a reading of a prompt. If neither it nor the prompt before has
// significant words, why is the reason for which nothing is found by words.
func newQuery(asked *question, reading prompt.Reading) (q *query, why string) {
	q = &query{req: asked.req, activities: activity.Asked(reading.Question), past: asked.past != "", limit: hitsOfRetriever}
	q.Query, q.share, why = readWords(asked.req, reading)
	if q.past {
		q.Times = dates.In(asked.past, asked.req.Now)
	}
	return q, why
}

// readWords reads the words to look for. A prompt without significant words takes those of the one
// before it, at half the relevance.
func readWords(req *request.Request, reading prompt.Reading) (q terms.Query, share float64, why string) {
	if q = terms.Read(reading, req.Now); q.IsSignificant() {
		return q, 1, ""
	}
	if q = terms.ReadWhole(req.LastPrompt, req.Now); q.IsSignificant() {
		return q, 0.5, ""
	}
	return terms.Read(reading, req.Now), 0, "the prompt has no word to look for"
}

// floor returns the relevance below which no memory of any source is injected. Memories below it
// are not read.
func (q *query) floor() float64 {
	if q.all {
		return 0
	}
	floor := 1.0
	if q.past {
		floor = pastRelevance
	}
	for _, src := range memory.Sources {
		if s := q.req.Settings.Sources.Of(src); s.Enabled {
			floor = min(floor, q.req.Least(src))
		}
	}
	return floor
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
