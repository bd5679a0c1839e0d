package proof

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/agents/transcript"
	"recollect/internal/store"
)

// A Plan says what is replayed.
type Plan struct {
	Paths []string // transcripts, in any order; what is no session among them is left out
	Dir   string   // a folder of the replay's own, which is created
	// Open opens the memory that is asked, with a folder for what it stores.
	Open     func(ctx context.Context, dir string) (Memory, func() error, error)
	Reading  func(done, all int) // called as files are read first
	Progress func(done, all int) // called as sessions are replayed
	Unread   func(path error)    // called for a file that cannot be read
	Withheld map[string]bool     // the sessions of a trial: whether memories were withheld from them; nil for none
}

// An Interrupted is the error of a replay that ended early. Another run goes on from there.
type Interrupted struct{ Done, All int }

// Error says how far it was.
func (e *Interrupted) Error() string {
	return fmt.Sprintf("interrupted after %d of %d sessions; run the same command again to continue", e.Done, e.All)
}

// Run replays sessions and returns the report. It returns store.ErrLocked if another replay uses the folder, and an
// Interrupted if ctx ends.
func Run(ctx context.Context, p Plan) (*Report, error) {
	began := time.Now()
	lock, err := store.Acquire(p.Dir)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	sources, unread, err := findSources(ctx, sessionsAmong(p.Paths), p.Unread, p.Reading)
	if ctx.Err() != nil {
		return nil, &Interrupted{0, len(p.Paths)}
	}
	if err != nil {
		return nil, err
	}
	report := NewReport()
	report.Unreadable = unread
	r, err := open(ctx, p, sources)
	if err != nil {
		return nil, err
	}
	err = r.replayAll(ctx, report)
	err = errors.Join(err, r.close())
	if ctx.Err() != nil {
		return nil, &Interrupted{r.done, len(sources)}
	}
	if err != nil {
		return nil, err
	}
	report.Took = time.Since(began).Round(time.Millisecond).Seconds()
	report.Comparison = compare(r.compared, p.Withheld)
	report.finish()
	return report, nil
}

func sessionsAmong(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !isSession(path) })
}

// A run is a replay of all sessions.
type run struct {
	Plan
	sources  []Source
	memory   Memory
	closes   func() error
	journal  *journal
	ledger   *ledger
	known    map[uint64]bool
	waiting  []ended // sessions that were replayed and that later ones may not know yet
	done     int
	compared []Replayed // the sessions of a trial
}

type ended struct {
	Source
	facts facts
}

// open opens the folder, and empties it first if what it has is of other sessions.
func open(ctx context.Context, p Plan, sources []Source) (*run, error) {
	sum, stored := checksum(sources), filepath.Join(p.Dir, "memory")
	if !isOf(p.Dir, sum) {
		if err := errors.Join(os.RemoveAll(stored), removeIf(filepath.Join(p.Dir, journalName))); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Join(p.Dir, copiesName), 0o700); err != nil {
		return nil, err
	}
	j, err := openJournal(p.Dir, sum)
	if err != nil {
		return nil, err
	}
	m, closes, err := p.Open(ctx, stored)
	if err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return &run{Plan: p, sources: sources, memory: m, closes: closes, journal: j, ledger: newLedger(), known: map[uint64]bool{}}, nil
}

func removeIf(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (r *run) close() error { return errors.Join(r.closes(), r.journal.file.Close()) }

// replayAll replays the sessions in the order in which they began.
func (r *run) replayAll(ctx context.Context, report *Report) error {
	for i, src := range r.sources {
		if err := r.learnBefore(ctx, src.Begun); err != nil {
			return err
		}
		out, known, err := r.replayOne(ctx, i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if broken := (fatal{}); errors.As(err, &broken) {
			return err
		}
		if err != nil { // it has changed or gone since it was found
			r.Unread(err)
		}
		if report.add(out); out.Begun.IsZero() {
			continue
		}
		for _, id := range known.Turns {
			r.known[id] = true
		}
		known.Turns = nil
		if _, compared := r.Withheld[out.Session]; compared {
			r.compared = append(r.compared, out)
		}
		r.waiting = append(r.waiting, ended{src, known})
		r.done = i + 1
		r.Progress(i+1, len(r.sources))
	}
	return nil
}

// replayOne replays a session, or takes what came of it from the journal.
func (r *run) replayOne(ctx context.Context, i int) (Replayed, facts, error) {
	if i < len(r.journal.replayed) {
		e := r.journal.replayed[i]
		r.journal.replayed[i] = entry{}
		return *e.Session, *e.Facts, nil
	}
	out, known, err := replaySession(ctx, r.memory, r.sources[i], r.ledger, r.known, r.Dir)
	if ctx.Err() != nil {
		return out, known, ctx.Err()
	}
	if broken := (fatal{}); errors.As(err, &broken) {
		return out, known, err
	}
	if err != nil {
		out, known = Replayed{Path: r.sources[i].Path, Findings: []Finding{}}, facts{}
	}
	if unwritten := r.journal.write(entry{Session: &out, Facts: &known}); unwritten != nil {
		return out, known, fatal{unwritten}
	}
	return out, known, err
}

// learnBefore has the memory and the ledger learn the sessions that had ended by then.
func (r *run) learnBefore(ctx context.Context, begun time.Time) error {
	slices.SortStableFunc(r.waiting, func(a, b ended) int { return a.Ended.Compare(b.Ended) })
	n := 0
	var fresh []string
	for n < len(r.waiting) && !r.waiting[n].Ended.After(begun) {
		r.ledger.add(r.waiting[n].facts)
		if path := r.waiting[n].Path; !r.journal.learned[path] {
			fresh = append(fresh, path)
		}
		n++
	}
	r.waiting = slices.Delete(r.waiting, 0, n)
	if len(fresh) == 0 {
		return nil
	}
	if err := r.memory.Learn(ctx, fresh); err != nil {
		return err
	}
	for _, path := range fresh {
		if err := r.journal.write(entry{Learned: path}); err != nil {
			return err
		}
	}
	return nil
}

// withAgents returns the transcript of a session, and those of its sub-agents.
func withAgents(path string) []string {
	out := []string{path}
	agents, _ := os.ReadDir(transcript.AgentFolder(path)) // most sessions have none
	for _, e := range agents {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
			out = append(out, filepath.Join(transcript.AgentFolder(path), e.Name()))
		}
	}
	return out
}
