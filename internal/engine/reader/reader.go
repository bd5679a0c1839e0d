// Package reader has a model of the user's choose what answers a prompt, after the prompt was sent: nobody waits for it.
//
// A question is a prompt and the statements that may be injected, by number. The answer is numbers, so that only what
// recollect holds can be injected, whatever a model says. A choice is what it chose; it waits for the next tool
// call or prompt of its session, which takes it, once. A session has one question at a time: its next prompt ends the
// one before. Where a model fails, is late or answers something else, nothing is injected, and it rests.
package reader

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/errgroup"

	"recollect/internal/capture/finding"
	"recollect/internal/capture/model"
	"recollect/internal/config"
	"recollect/internal/recall"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

const (
	atOnce      = 2  // questions that are asked at a time, of different sessions
	maxWaiting  = 16 // questions that wait
	maxSessions = 64 // sessions of which a question or a choice is known

	// mostChosen is how many statements a model may choose: one that takes more does not choose.
	mostChosen = 4

	// leastRest is how long a model that failed is not asked. Each further failure doubles it, up to mostRest.
	leastRest = time.Minute
	mostRest  = time.Hour
)

// An Asking makes the question for a prompt, when its turn comes.
type Asking func(context.Context) (Question, error)

// Reader asks the model. New is the only way to make one.
type Reader struct {
	settings *config.Live
	log      *slog.Logger
	waiting  chan *pending

	mu        sync.Mutex
	bySession *lru.Cache[string, *pending]
	err       error         // of the last question, or nil
	rest      time.Duration // after the last failure in a row, 0 for none
	until     time.Time     // no question is asked before
}

// A pending is what is asked for one prompt, and then what was chosen.
type pending struct {
	ask    Asking
	ended  chan struct{}  // closed when nobody wants the answer any more
	chosen []recall.Offer // guarded by Reader.mu
}

// New returns a reader. Run asks.
func New(settings *config.Live, log *slog.Logger) *Reader {
	r := &Reader{settings: settings, log: log, waiting: make(chan *pending, maxWaiting)}
	r.bySession, _ = lru.NewWithEvict(maxSessions, func(_ string, q *pending) { close(q.ended) }) // a constant that is a size
	return r
}

// Ask queues a question for the last prompt of a session, in place of the one before. If the queue is full, or the
// model rests, there is none.
func (r *Reader) Ask(session string, ask Asking, now time.Time) {
	q := &pending{ask: ask, ended: make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bySession.Remove(session)
	if now.Before(r.until) {
		return
	}
	select {
	case r.waiting <- q:
		r.bySession.Add(session, q)
	default:
		r.log.Debug("reader: queue is full", logkey.Session, session)
	}
}

// HasChosen reports whether a choice waits for a session.
func (r *Reader) HasChosen(session string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	q, ok := r.bySession.Peek(session)
	return ok && len(q.chosen) > 0
}

// TakeChosen returns what was chosen for a session, if anything was; it is returned once. A question that has no answer
// yet goes on.
func (r *Reader) TakeChosen(session string) []recall.Offer {
	r.mu.Lock()
	defer r.mu.Unlock()
	q, ok := r.bySession.Peek(session)
	if !ok || len(q.chosen) == 0 {
		return nil
	}
	r.bySession.Remove(session)
	return q.chosen
}

// End returns what was chosen for a session, and ends its question if there is no answer yet.
func (r *Reader) End(session string) []recall.Offer {
	chosen := r.TakeChosen(session)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bySession.Remove(session)
	return chosen
}

// Forget ends all questions and drops all choices: what was forgotten may be among them.
func (r *Reader) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bySession.Purge()
}

// Run asks until ctx ends.
func (r *Reader) Run(ctx context.Context) {
	var g errgroup.Group
	for range atOnce {
		g.Go(func() error {
			for {
				select {
				case <-ctx.Done():
					return nil
				case q := <-r.waiting:
					r.answer(ctx, q)
				}
			}
		})
	}
	g.Wait()
}

// answer has the model answer a question, as long as somebody wants the answer.
func (r *Reader) answer(ctx context.Context, q *pending) {
	ctx, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer cancel()
	watch.Go(func() {
		select {
		case <-q.ended:
			cancel()
		case <-ctx.Done():
		}
	})
	var chosen []recall.Offer
	err := crash.Catch(func() (err error) {
		chosen, err = r.choose(ctx, q)
		return err
	})
	if ctx.Err() != nil {
		return // nobody wants it
	}
	r.mu.Lock()
	q.chosen = chosen
	r.mu.Unlock()
	r.record(err, time.Now())
}

// choose returns what the model chooses for a prompt.
func (r *Reader) choose(ctx context.Context, p *pending) ([]recall.Offer, error) {
	settings := r.settings.Current().Reader
	if !settings.ChoosesStatements() || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	q, err := p.ask(ctx)
	if err != nil || len(q.Offered) == 0 {
		return nil, err
	}
	m, err := model.Open(settings.Asked())
	if err != nil {
		return nil, err
	}
	choice, err := m.Choose(ctx, task, q.text(), len(q.Offered), mostChosen)
	var chosen []recall.Offer
	for _, at := range choice.Yes {
		chosen = append(chosen, q.Offered[at])
	}
	return chosen, err
}

// record stores how a question went. It logs the first error in a row.
func (r *Reader) record(err error, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && r.err == nil {
		r.log.Warn("a model did not choose what answers a prompt", logkey.Error, err)
	}
	if r.err = err; err == nil {
		r.rest = 0
		return
	}
	r.rest = min(max(2*r.rest, leastRest), mostRest)
	if errors.Is(err, finding.ErrAnswer) {
		r.rest = leastRest // it works, and may know the next answer
	}
	r.until = now.Add(r.rest)
}

// Problem returns the error of the last question, or nil.
func (r *Reader) Problem() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
