// Package capture takes memories from files into the store, each only once:
// from transcripts, of which it reads on where it stopped, from Markdown and
// from exports.
//
// What a turn teaches is found by package extract, and by a model where there
// is one; what becomes of it when the same is known already is decided by
// package consolidate.
package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/capture/extract"
	"recollect/internal/capture/outcomes"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/memory/markdown"
	"recollect/internal/store"
	"recollect/internal/store/forgotten"
	"recollect/internal/system/crash"
	"recollect/internal/system/durable"
	"recollect/internal/system/traffic"
)

// Done says what a capture did.
type Done struct {
	Turns     int // read
	Records   int // of another program, read
	Added     int // new memories
	Changed   int // memories that were there and are not as they were
	Unchanged int // memories that were there already
	Forgotten int // memories that were deleted before and stay so
	Skipped   int // unreadable lines, empty records

	// Unreadable is how many turns, records and files could not be read, and were
	// left out; Unread names the first of them, a line each, with why.
	Unreadable int
	Unread     string

	// Left says what was left out, and why, or why nothing was taken; "" where
	// there is nothing to say.
	Left string
}

// isNothing reports whether there was nothing to take.
func (d *Done) isNothing() bool { return d.Added+d.Changed+d.Unchanged+d.Forgotten == 0 }

// maxUnread is how many of the things that could not be read are named.
const maxUnread = 20

// leaveOut counts something that could not be read, and says why.
func (d *Done) leaveOut(why error) {
	if d.Unreadable++; d.Unreadable > maxUnread {
		return
	}
	line := strings.Join(strings.Fields(why.Error()), " ")
	d.Unread = strings.TrimPrefix(d.Unread+"\n"+memory.Clip(line, maxWhy), "\n")
}

// maxWhy is how long the reason may be why something could not be read, in bytes.
const maxWhy = 500

// Capture takes memories from files into the store, each only once. It is
// safe for concurrent use.
type Capture struct {
	// Forgotten is what transcripts do not teach again; nil for nothing.
	Forgotten *forgotten.Rules
	// Skips are the turns that are left out; nil stores none.
	Skips *Skips
	// Outcomes are how commands ended, which is recorded there; nil records nothing.
	Outcomes *outcomes.Log
	// Traffic is what a capture gives way to, between turns; nil for nothing.
	Traffic *traffic.Traffic

	offsets offsets
	refined offsets // how far a model has read transcripts; see Refine
	store   *store.Store
	write   func(context.Context, []clean.Memory) error
	states  *lru.Cache[string, state]

	beginnings beginnings
	mu         sync.Mutex // one capture at a time: each checks what is stored before it writes
	work       *traffic.Work
}

// begin waits until a capture may begin; the returned function ends it.
func (c *Capture) begin(ctx context.Context) (end func()) {
	c.mu.Lock()
	c.work = c.Traffic.Begin(ctx)
	return func() {
		c.work.End()
		c.mu.Unlock()
	}
}

// New returns a Capture that stores its offsets in dir, reads what is known from
// s, and stores memories through write.
func New(dir string, s *store.Store, write func(context.Context, []clean.Memory) error) *Capture {
	latest, err := lru.New[string, state](maxStates)
	if err != nil {
		panic(err) // maxStates is no size of a cache
	}
	return &Capture{offsets: offsets{dir}, refined: offsets{filepath.Join(dir, "refined")}, store: s, write: write, states: latest,
		beginnings: beginnings{durable.NewState(filepath.Join(dir, "beginnings.json"))}}
}

// An Input is a file to capture: a transcript, Markdown, or an export.
type Input struct {
	Path string
	// LastReply is what Claude said at the end of a transcript's last turn.
	// Claude Code reports it before it writes it to the transcript.
	LastReply string
	// Whole asks for a transcript from its beginning, whatever was read
	// before: the memories of it may have been lost since.
	Whole bool
	// Ignore are globs of files whose content is never stored.
	Ignore []string
	// Backwards says that files are captured the newest first, so that a goal may
	// be reached in one file and set in a later one.
	Backwards bool
	// Each is handed every turn of a transcript that is learned from, if it is there.
	Each func(claudecode.Turn)
	// Review says of which sources what a session teaches waits for the user's
	// review; nil for none.
	Review func(memory.Source) bool
	// Allow says what may be learned from a turn, which belongs to a project; nil
	// for all.
	Allow func(claudecode.Turn, memory.Project) Allowance
}

// An Allowance says what may be learned from a turn.
type Allowance struct {
	// Never says that nothing may, now or later.
	Never bool
	// Later says that nothing may at present: the transcript is read on from this
	// turn another time.
	Later bool
	// Ignore are further globs of files whose content is not stored.
	Ignore []string
}

// ErrLater means that a part of a transcript may not be learned from at present. The rest
// was, and the next capture goes on from there.
var ErrLater = errors.New("it may not be learned from at present")

// File takes what is new in a file into the store. project returns the project
// of a folder. When ctx ends half way, what was stored remains and the next call
// goes on from there.
func (c *Capture) File(ctx context.Context, in Input, project func(cwd string) memory.Project) (Done, error) {
	path, err := filepath.Abs(in.Path)
	if err != nil {
		return Done{}, fmt.Errorf("read %s: %w", in.Path, err)
	}
	in.Path = path
	// Nothing is opened while the lock is held: on a file system that does not
	// answer, all captures would wait for one.
	f, err := transcript.Open(path)
	if err != nil {
		return Done{}, err
	}
	defer f.Close()
	read := c.transcript
	switch {
	case strings.EqualFold(filepath.Ext(path), ".md"):
		read = c.markdown
	case isExport(f.File):
		read = c.export
	}
	defer c.begin(ctx)()
	var done Done
	err = crash.Catch(func() (err error) {
		done, err = read(ctx, f, in, project)
		return err
	})
	var caught *crash.Error
	if errors.As(err, &caught) {
		err = fmt.Errorf("read %s: %w", path, err)
	}
	return done, err
}

// date gives an undated draft the time of its file, or that which it was given
// when it was imported before.
func (c *Capture) date(d *memory.Draft, modified time.Time) error {
	if !d.OccurredAt.IsZero() {
		return nil
	}
	m, err := clean.Draft(*d)
	if err != nil {
		return err
	}
	if old, err := c.store.Get(m.Memory().ID); err == nil {
		modified = old.OccurredAt
	}
	d.OccurredAt = modified.UTC().Truncate(time.Second)
	return nil
}

func (c *Capture) markdown(ctx context.Context, f *transcript.File, in Input, _ func(string) memory.Project) (Done, error) {
	fi, err := f.Stat()
	if err != nil {
		return Done{}, err
	}
	b := batch{capture: c}
	err = markdown.Read(io.NewSectionReader(f, 0, fi.Size()), in.Path, func(d memory.Draft, unread error) error {
		if unread == nil {
			unread = c.date(&d, fi.ModTime())
		}
		if unread != nil {
			b.done.leaveOut(unread)
			return nil
		}
		return b.record(ctx, in.Path, d)
	})
	if err != nil {
		return b.done, errors.Join(err, b.finish(ctx))
	}
	if err = b.finish(ctx); err == nil && b.done.isNothing() && b.done.Unreadable == 0 {
		b.done.Left = "the file is empty"
	}
	return b.done, err
}

// transcript reads on from the stored offset: the start of the last turn,
// which may have grown since.
func (c *Capture) transcript(ctx context.Context, f *transcript.File, in Input, project func(string) memory.Project) (Done, error) {
	r, again := newReading(c, f, in, c.offsets.load(f.File, in.Path), project), c.Skips.isOutdated(in.Path)
	scan, err := r.readFile(ctx, in.Whole || again)
	r.done.Skipped = scan.Skipped
	end := scan.End
	if err == nil && r.held != nil {
		if reply := strings.TrimSpace(in.LastReply); reply != "" && !r.unread && !endsTurn(r.held.Replies, reply) {
			r.held.Replies = append(r.held.Replies, reply)
			// The next look has the last word: if the file did not even have
			// the prompt yet, this was the reply to another one.
			end = scan.Offset + 1
		}
		if err = c.offsets.try(in.Path, r.was, end); err == nil {
			err = r.release(ctx)
		}
	}
	if err == nil {
		err = r.handOff(ctx)
	} else if errors.Is(err, ErrLater) {
		err = errors.Join(err, r.flush(ctx))
	}
	if err = cmp.Or(err, r.refused); err != nil { // what was refused is read again
		return r.done, fmt.Errorf("read %s: %w", in.Path, err)
	}
	if again {
		c.Skips.recordTried(in.Path)
	}
	if r.unread {
		c.states.Remove(in.Path)
		return r.done, nil
	}
	r.keepState(scan.Offset)
	if in.Whole && r.done.isNothing() && r.done.Unreadable == 0 {
		r.done.Left = whyNothing(f.File, scan, r.done.Turns)
	}
	return r.done, c.offsets.save(f.File, in.Path, scan.Offset, end)
}

// readFile reads what is new in the file, or all of it. Where not even the records can be read, what came
// before is taken, and this version leaves out the file from then on.
func (r *reading) readFile(ctx context.Context, whole bool) (scan claudecode.Scan, err error) {
	skips, file := r.capture.Skips, Skip{Path: r.path}
	if known, skip := skips.find(file); skip {
		r.unread = true
		r.done.leaveOut(known.isUnread())
		return scan, nil
	}
	err = crash.Catch(func() (err error) {
		if err = r.takeBack(ctx, whole); err == nil {
			err = r.begin(ctx, r.was.Offset)
		}
		if err == nil {
			scan, err = r.turns(ctx)
		}
		return err
	})
	var caught *crash.Error
	if errors.As(err, &caught) {
		r.unread = true
		file.Reason = caught.Error()
		skips.add(file, caught)
		r.done.leaveOut(file.isUnread())
		err = nil
	}
	return scan, err
}

// takeBack withdraws what the user took back, and has the file read from its beginning if that is
// asked for, or if something was taken back: other turns may have said the same.
func (r *reading) takeBack(ctx context.Context, whole bool) error {
	taken, err := r.file.Taken(r.was.Offset)
	if err == nil {
		err = r.capture.withdraw(ctx, taken)
	}
	if whole || len(taken) > 0 {
		r.was.Offset, r.was.Head, r.was.Sum, r.was.Tail = 0, 0, 0, 0
	}
	return err
}

// turns takes the turns of the file that were not read before.
func (r *reading) turns(ctx context.Context) (claudecode.Scan, error) {
	return r.file.Turns(r.was.Offset, func(t claudecode.Turn) error {
		if r.capture.work.Next(ctx); ctx.Err() != nil {
			return ctx.Err()
		}
		return r.next(ctx, t)
	})
}

// endsTurn reports whether the replies of a turn end with this one.
func endsTurn(replies []string, reply string) bool {
	return len(replies) > 0 && strings.HasSuffix(strings.TrimSpace(replies[len(replies)-1]), reply)
}

// A reading is one pass over a transcript. It holds each turn back until the
// next one begins, because only then it is known not to be the last.
type reading struct {
	batch
	file     *transcript.File
	path     string
	was      offset // how far the file was read before
	project  func(string) memory.Project
	projects map[string]memory.Project
	before   map[string]*extract.Turn // the turn before, by conversation: "" is the main one
	prior    *extract.Turn            // of the main conversation, before its last turn
	held     *claudecode.Turn
	session  session
	ignore   toolcall.Ignored
	each     func(claudecode.Turn)
	allow    func(claudecode.Turn, memory.Project) Allowance
	gap      bool // a turn of the main conversation may not be learned from
	unread   bool // the file is left out from some record on
	below    *below
}

// newReading returns a reading of a file of which was says how far it was read before.
func newReading(c *Capture, f *transcript.File, in Input, was offset, project func(cwd string) memory.Project) reading {
	return reading{
		batch: batch{capture: c, later: in.Backwards, review: in.Review}, file: f, path: in.Path, was: was, project: project, projects: map[string]memory.Project{},
		before: map[string]*extract.Turn{}, ignore: in.Ignore, each: in.Each, allow: in.Allow,
	}
}

func (r *reading) next(ctx context.Context, t claudecode.Turn) error {
	r.done.Turns++
	err := r.release(ctx)
	r.held = &t
	return err
}

// release takes what the held turn teaches. The offset is saved after each
// batch, once what lies before it is durable.
func (r *reading) release(ctx context.Context) error {
	t := r.held
	if t == nil {
		return nil
	}
	r.held = nil
	if err := r.readGuarded(t, func() error { return r.learnTurn(ctx, t) }); err != nil {
		return err
	}
	if len(r.fresh) < maxBatch {
		return nil
	}
	if err := r.flush(ctx); err != nil || r.refused != nil {
		return err
	}
	return r.capture.offsets.save(r.file.File, r.path, t.Start, t.Stop)
}

// learnTurn takes what a turn teaches.
func (r *reading) learnTurn(ctx context.Context, t *claudecode.Turn) error {
	if d, ok := r.leaveSession(t); ok {
		if err := r.learn(d, false); err != nil {
			return err
		}
	}
	if t.Agent == "" {
		r.prior = r.before[""]
	}
	before := r.before[t.Agent]
	s, err := r.turnOf(*t)
	if s == nil || err != nil {
		return err
	}
	if r.each != nil {
		r.each(*t)
	}
	r.observe(before, s)
	grown := r.was.hasGrown(t.Start, t.Stop)
	drafts, err := r.drafts(ctx, s)
	if err != nil {
		return err
	}
	if !r.isForgotten(s) {
		r.session.addTurn(s, grown)
	}
	for _, d := range drafts {
		r.narrow(&d, t)
		if err := r.learn(d, grown); err != nil {
			return err
		}
	}
	return nil
}

// observe records how the commands of a turn ended, and what of the turn before it fixed.
func (r *reading) observe(before, s *extract.Turn) {
	waits := r.review != nil && r.review(memory.Failures)
	if r.capture.Outcomes == nil || waits {
		return
	}
	if before != nil && slices.ContainsFunc(before.Actions, func(a claudecode.Action) bool { return a.Failed }) {
		r.observeRuns(before, s.Actions)
	}
	r.observeRuns(s, nil)
}

// observeRuns records the runs of a turn, unless it was forgotten. A fix may be among later.
func (r *reading) observeRuns(s *extract.Turn, later []claudecode.Action) {
	d := s.Draft(memory.Failures, memory.OriginTool)
	d.SetHome(clean.Project(d.Home()))
	if !r.capture.Forgotten.Cover(&d.Memory) {
		r.capture.Outcomes.Add(outcomes.NewTurn(&d.Memory, toolcall.Runs(s.Actions, later, s.Paths)))
	}
}

// unknownFolder is the project of what happened nobody knows where: no session runs in it.
var unknownFolder = memory.Project{Name: "unknown folder"}

// turnOf sees a turn after those that were seen before. It returns nil for one that may
// never be learned from, and ErrLater for one that may not at present.
func (r *reading) turnOf(t claudecode.Turn) (*extract.Turn, error) {
	if last := r.before[t.Agent]; t.Cwd == "" && last != nil {
		t.Cwd = last.Cwd
	}
	project, ok := r.projects[t.Cwd]
	if t.Cwd == "" {
		project, ok = unknownFolder, true
	}
	if !ok {
		project = r.project(t.Cwd)
		r.projects[t.Cwd] = project
	}
	var allowed Allowance
	if r.allow != nil {
		allowed = r.allow(t, project)
	}
	if allowed.Never {
		delete(r.before, t.Agent) // what comes next answers this turn, and not the one before it
		r.gap = r.gap || t.Agent == ""
		return nil, nil
	}
	if allowed.Later {
		return nil, ErrLater
	}
	if r.gap {
		t.Summary = "" // it also says what may not be learned
	}
	s := extract.NewTurn(slices.Concat(r.ignore, allowed.Ignore).Hide(t), project, r.before[t.Agent])
	r.before[t.Agent] = s
	return s, nil
}
