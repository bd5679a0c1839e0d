package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/capture"
	"recollect/internal/capture/model"
	"recollect/internal/config"
	"recollect/internal/engine/writer"
	"recollect/internal/memory"
	"recollect/internal/store"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
	"recollect/internal/text/consolidate"
	"recollect/internal/text/prose"
)

const (
	// confirmAfter is how long a session must be quiet before the reader is asked about it: that long, most are over.
	confirmAfter = 20 * time.Minute
	// confirmAtEnd is how long after its end it is asked, when the transcript has been read.
	confirmAtEnd = 10 * time.Second
	// mostConfirmed is how many sentences of a session it is asked about, the likeliest: of the rules and decisions that
	// readers of real work labelled, 46 and 41 % are among ten of each session, 56 and 52 % among twenty.
	mostConfirmed = 20
)

// confirmTask is what the reader is asked to do with candidates.
const confirmTask = `Below are prompts that a user typed to a coding agent, each with sentences of it by number. For each sentence,
say whether the user there settled something that is meant to hold in later sessions as well (a decision about the product or
the work, or a standing rule for the agent): "yes", or whether it only asks for something now, reports, thinks aloud, or
describes what a program should do at that place: "no". Leave out what you cannot tell.`

// Confirmation has the user's reader say which candidates of a session stand, in one question when the session is over.
// Nothing waits for it, and what cannot be asked stays a candidate.
type Confirmation struct {
	capture  *capture.Capture
	store    *store.Store
	writer   *writer.Writer
	settings *config.Live
	input    func(path string) capture.Input
	project  func(cwd string) memory.Project
	log      *slog.Logger
	revisits *Revisits

	state sync.Mutex
	err   error                // of the last question, or nil
	asked map[string]time.Time // the last turn of a session of which sentences were asked about
}

// NewConfirmation returns the confirmation of the candidates in s, which c captures; input says how a transcript is read.
// Run asks.
func NewConfirmation(c *capture.Capture, s *store.Store, w *writer.Writer, settings *config.Live, input func(string) capture.Input, project func(string) memory.Project, log *slog.Logger) *Confirmation {
	return &Confirmation{capture: c, store: s, writer: w, settings: settings, input: input, project: project, log: log, revisits: NewRevisits(), asked: map[string]time.Time{}}
}

// Later queues the question about a session for when it is over.
func (c *Confirmation) Later(path, session, reason string, now time.Time) {
	if !c.settings.Current().Reader.ConfirmsCandidates() || session == "" || reason == "SubagentStop" {
		return
	}
	due := now.Add(confirmAfter)
	if reason == "SessionEnd" {
		due = now.Add(confirmAtEnd)
		c.revisits.Drop(path)
	}
	c.revisits.Add(Revisit{Path: path, Session: session, Due: due})
}

// Run asks about the sessions that are over, one after the other, until ctx ends.
func (c *Confirmation) Run(ctx context.Context) { c.revisits.run(ctx, c.Pass) }

// Pass asks about the sessions that are due.
func (c *Confirmation) Pass(ctx context.Context, now time.Time) {
	for k, ok := c.revisits.Take(now); ok; k, ok = c.revisits.Take(now) {
		err := crash.Catch(func() error { return c.ask(ctx, k, now) })
		if ctx.Err() != nil {
			return
		}
		c.record(err)
	}
}

func (c *Confirmation) record(err error) {
	c.state.Lock()
	defer c.state.Unlock()
	if err != nil && c.err == nil {
		c.log.Warn("a model did not say which candidates stand", logkey.Error, err)
	}
	c.err = err
}

// Problem returns the error of the last question, or nil.
func (c *Confirmation) Problem() error {
	c.state.Lock()
	defer c.state.Unlock()
	return c.err
}

// A Suggestion is a sentence of a session that may decide or rule.
type Suggestion struct {
	Memory memory.Memory
	Prompt string // that it stands in, cleaned

	draft *memory.Draft // of one that no rule recognized and that is not stored, else nil
}

// ask asks about one session, and makes the candidates stand that are confirmed, and closes those that are refused.
func (c *Confirmation) ask(ctx context.Context, k Revisit, now time.Time) error {
	settings := c.settings.Current().Reader
	if !settings.ConfirmsCandidates() {
		return nil
	}
	all, err := c.Suggestions(ctx, k.Path, k.Session)
	if err != nil || len(all) == 0 {
		return err
	}
	m, err := model.Open(settings.Asked())
	if err != nil {
		return err
	}
	choice, err := m.Choose(ctx, confirmTask, confirmQuestion(all, m.Room()), len(all), len(all))
	if err != nil {
		return err
	}
	c.noteAsked(k.Session, all)
	return c.storeChoice(ctx, k.Path, all, choice, now)
}

// Suggestions returns what the reader is asked about a session, in its order: its candidates that nobody has refused, then
// sentences that no rule recognized, the likeliest of each. Where the transcript is gone, or may not be learned
// from at present, there are none.
func (c *Confirmation) Suggestions(ctx context.Context, path, session string) ([]Suggestion, error) {
	suggested, err := c.capture.Suggest(ctx, c.input(path), c.project)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, capture.ErrLater) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all, more []Suggestion
	for m, err := range c.store.Candidates() {
		if err != nil {
			return nil, fmt.Errorf("read candidates: %w", err)
		}
		if m.Session == session && !m.IsRefused() {
			all = append(all, Suggestion{Memory: m, Prompt: suggested.Prompts[m.Turn]})
		}
	}
	last := c.lastAsked(session)
	for _, d := range suggested.Drafts {
		if d.OccurredAt.After(last) {
			more = append(more, Suggestion{d.Memory, suggested.Prompts[d.Turn], &d})
		}
	}
	for _, part := range [][]Suggestion{all, more} {
		slices.SortStableFunc(part, func(a, b Suggestion) int { return cmp.Compare(b.Memory.Candidate, a.Memory.Candidate) })
	}
	all = slices.DeleteFunc(append(all, more...), func(s Suggestion) bool { return s.Prompt == "" })
	all = all[:min(len(all), mostConfirmed)]
	slices.SortStableFunc(all, func(a, b Suggestion) int {
		return cmp.Or(a.Memory.OccurredAt.Compare(b.Memory.OccurredAt), cmp.Compare(a.Memory.Turn, b.Memory.Turn))
	})
	return all, nil
}

// lastAsked returns when the last turn was of which sentences of a session were asked about.
func (c *Confirmation) lastAsked(session string) time.Time {
	c.state.Lock()
	defer c.state.Unlock()
	return c.asked[session]
}

// noteAsked records that these were asked about.
func (c *Confirmation) noteAsked(session string, all []Suggestion) {
	c.state.Lock()
	defer c.state.Unlock()
	if len(c.asked) >= maxRevisits {
		clear(c.asked)
	}
	for _, s := range all {
		if s.Memory.OccurredAt.After(c.asked[session]) {
			c.asked[session] = s.Memory.OccurredAt
		}
	}
}

// confirmQuestion returns the question, which has about as many bytes at most: each prompt, and its sentences by number.
func confirmQuestion(all []Suggestion, room int) string {
	prompts := map[string]bool{}
	for _, s := range all {
		prompts[s.Memory.Turn] = true
		room -= len(s.Memory.Evidence)
	}
	var b strings.Builder
	for i, s := range all {
		if i == 0 || s.Memory.Turn != all[i-1].Memory.Turn {
			fmt.Fprintf(&b, "\nA prompt:\n%s\nIts sentences:\n", prose.CutMiddle(s.Prompt, max(0, room/len(prompts))))
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, prose.Fold(cmp.Or(s.Memory.Evidence, s.Memory.Title)))
	}
	return b.String()
}

// storeChoice stores what the reader said, unless it has changed since.
func (c *Confirmation) storeChoice(ctx context.Context, path string, all []Suggestion, choice model.Choice, now time.Time) error {
	var changes []consolidate.Change
	var learned []memory.Draft
	why := "your reader took it for meant to last on " + now.Format(time.DateOnly)
	for _, at := range choice.Yes {
		m := all[at].Memory
		if d := all[at].draft; d != nil {
			d.Candidate, d.Stands = 0, why
			learned = append(learned, *d)
			continue
		}
		m.Stand(why)
		changes = append(changes, consolidate.Change{Was: all[at].Memory, Now: m})
	}
	for _, at := range choice.No {
		m := all[at].Memory
		if m.Refuse("your reader took it for meant for then on " + now.Format(time.DateOnly)); all[at].draft == nil {
			changes = append(changes, consolidate.Change{Was: all[at].Memory, Now: m})
		}
	}
	c.log.Info("the reader judged candidates", logkey.Memories, len(all), logkey.Changed, len(changes), logkey.Added, len(learned))
	if _, err := c.writer.Amend(ctx, changes); err != nil {
		return err
	}
	return c.capture.Learn(ctx, c.input(path), learned)
}
