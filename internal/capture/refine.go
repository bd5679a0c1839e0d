package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/capture/finding"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/system/regular"
	"recollect/internal/text/consolidate"
)

// Refine has a model read what a transcript has gained since it was read last,
// and adds what it found to what the rules did. A question holds at most room
// bytes. What was learned before an error remains, and the next call goes on
// from there. An answer that is unusable is passed over and returned at the
// end.
func (c *Capture) Refine(ctx context.Context, in Input, project func(cwd string) memory.Project, room int, read finding.Reader) (Done, error) {
	f, err := transcript.Open(in.Path)
	if err != nil {
		return Done{}, fmt.Errorf("refine %s: %w", in.Path, err)
	}
	defer f.Close()
	was := c.refined.load(f.File, in.Path)
	r := refinement{reading: newReading(c, f, in, offset{}, project), room: room, read: read}
	scan, err := f.Turns(was.Offset, func(t claudecode.Turn) error {
		excerpt, err := r.excerpt(t)
		if excerpt == nil || err != nil || t.Stop <= was.End {
			return cmp.Or(err, ctx.Err())
		}
		return r.next(ctx, *excerpt)
	})
	if err == nil {
		err = r.ask(ctx)
	}
	if err != nil {
		return r.done, fmt.Errorf("refine %s: %w", in.Path, err)
	}
	if err := c.refined.save(f.File, in.Path, scan.Offset, scan.End); err != nil {
		return r.done, err
	}
	return r.done, r.flaw
}

// Await records that a transcript is to be refined: Unrefined lists it until it
// is, and in later sessions of the daemon too.
func (c *Capture) Await(path string) error {
	if _, err := os.Stat(c.refined.file(path)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.refined.save(f, path, 0, 0)
}

// Unrefined lists the transcripts that wait to be refined, or have changed
// since they were, sorted.
func (c *Capture) Unrefined() []string {
	paths := slices.DeleteFunc(c.refined.paths(), func(path string) bool { return !c.refined.behind(path) })
	slices.Sort(paths)
	return paths
}

// A refinement is one pass of a model over a transcript.
type refinement struct {
	reading
	room     int // bytes that a question may hold
	read     finding.Reader
	excerpts []finding.Excerpt // of the next question
	size     int               // their bytes
	flaw     error             // of the first answer that was unusable
}

// excerpt returns what a model is to read of a turn, nil for nothing.
func (r *refinement) excerpt(t claudecode.Turn) (excerpt *finding.Excerpt, err error) {
	err = r.readGuarded(&t, func() error {
		s, err := r.turnOf(t)
		if err != nil || s == nil || !s.ByUser() {
			return err
		}
		e := finding.NewExcerpt(s)
		excerpt = &e
		return nil
	})
	return excerpt, err
}

// next puts a turn into the next question, which is asked before it becomes
// too long.
func (r *refinement) next(ctx context.Context, e finding.Excerpt) error {
	e.Text = memory.Clip(e.Text, r.room)
	if len(r.excerpts) > 0 && r.size+len(e.Text) > r.room {
		if err := r.ask(ctx); err != nil {
			return err
		}
	}
	r.excerpts, r.size = append(r.excerpts, e), r.size+len(e.Text)
	r.done.Turns++
	return ctx.Err()
}

// ask has the model read the turns that are collected, and learns what it
// found.
func (r *refinement) ask(ctx context.Context) error {
	if len(r.excerpts) == 0 {
		return nil
	}
	texts := make([]string, len(r.excerpts))
	for i, e := range r.excerpts {
		texts[i] = e.Text
	}
	found, err := r.read(ctx, texts)
	if errors.Is(err, finding.ErrAnswer) {
		if r.flaw == nil {
			r.flaw = err
		}
	} else if err != nil {
		return err
	}
	if err := r.store(ctx, found); err != nil {
		return err
	}
	last := r.excerpts[len(r.excerpts)-1].Turn
	r.excerpts, r.size = nil, 0
	return r.capture.refined.save(r.file.File, r.path, last.Start, last.Stop)
}

// maxFound is how many memories one turn may teach a model: what has more is
// chatter.
const maxFound = 4

// store stores the findings that pass the checks.
func (r *refinement) store(ctx context.Context, found []finding.Finding) error {
	defer r.capture.begin(ctx)()
	stored := make([]int, len(r.excerpts))
	for _, f := range found {
		if f.Turn < 0 || f.Turn >= len(r.excerpts) || stored[f.Turn] == maxFound {
			r.done.Skipped++
			continue
		}
		d, ok := r.excerpts[f.Turn].Draft(f)
		if !ok {
			r.done.Skipped++
			continue
		}
		stored[f.Turn]++
		if err := r.refine(d, r.excerpts[f.Turn].Known); err != nil {
			return err
		}
	}
	return r.finish(ctx)
}

// refine learns d. Where the rules found the same in the turn, d only adds
// what that lacks, and makes a candidate stand.
func (r *refinement) refine(d memory.Draft, known []memory.Draft) error {
	i := slices.IndexFunc(known, func(own memory.Draft) bool { return finding.Duplicate(own, d) })
	if i < 0 {
		return r.learn(d, false)
	}
	own, err := clean.Draft(known[i])
	if err != nil {
		return err
	}
	found, err := clean.Draft(d)
	if err != nil {
		return err
	}
	if _, _, err := r.known(own.Memory().ID); err != nil {
		r.done.Unchanged++ // the rules' was forgotten, or gave way to another
		return nil
	}
	return r.put(own, func(old, _ memory.Memory) memory.Memory {
		m := consolidate.FillIn(old, found.Memory())
		if m.IsCandidate() {
			m.Stand("a model that read the session found it, too")
		}
		return m
	})
}
