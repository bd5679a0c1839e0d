package upkeep

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"recollect/internal/agents/transcript"
	"recollect/internal/capture"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/traffic"
)

const (
	// backlogFirst is how long an import that a daemon goes on with waits after its start, so
	// that the prompt that started it is answered first.
	backlogFirst = time.Second
	// backlogAgain is the pause after memories could not be stored.
	backlogAgain = time.Minute
	// backlogTries is how often a file is read of which the memories cannot be stored.
	backlogTries = 3
	// backlogRest is the longest rest after a file. The rest is as long as the file took, so
	// that the import uses half a processor at most.
	backlogRest = 2 * time.Second
	// backlogCaughtUp is how long the index and the vectors may take after a file.
	backlogCaughtUp = 10 * time.Second
	// findFor is how long the start of a session waits until its past sessions are counted.
	findFor = 150 * time.Millisecond
)

// A Phase is what has become of the sessions from before the first one with recollect.
type Phase string

// The phases. They are part of the file import.json.
const (
	PhaseNone    Phase = ""        // there were memories already
	PhaseNew     Phase = "new"     // no session has begun yet
	PhaseAsked   Phase = "asked"   // they were found, and the settings leave the import to the user
	PhaseRunning Phase = "running" // they are being imported
	PhaseDone    Phase = "done"    // they were imported
	PhaseSkipped Phase = "skipped" // there were none, or the user imported them
)

// Past is the state of a Backlog, and the content of import.json.
type Past struct {
	V           int       `json:"v"`
	Phase       Phase     `json:"phase"`
	Notified    Phase     `json:"notified,omitempty"` // the phase that the user knows of
	OldNotified Phase     `json:"told,omitempty"`     // what earlier versions called Notified
	Folder      string    `json:"folder,omitempty"`
	Except      string    `json:"except,omitempty"` // transcript of the session that began then
	Begun       time.Time `json:"begun,omitzero"`   // what was written later is captured as it is written
	Last        pastFile  `json:"last,omitzero"`    // the file that was read last
	Sessions    int       `json:"sessions"`
	Files       int       `json:"files"` // with those of sub-agents
	Done        int       `json:"done"`  // files that were read
	Added       int       `json:"added"` // memories
}

// A Backlog imports the sessions from before the first one with recollect, once, in the
// background: one file after the other, the newest first, giving way to prompts. A daemon goes
// on where the one before it stopped. The memories are those of "recollect import".
type Backlog struct {
	file     *durable.State // import.json
	settings *config.Live
	capture  *capture.Capture
	parts    BacklogParts
	log      *slog.Logger
	nudge    chan struct{}

	mu    sync.Mutex
	past  Past
	find  chan struct{} // closed when the past sessions that a session asks for are found; nil if none does
	tries int           // of the file that is read
}

// BacklogParts are what a Backlog uses of the engine.
type BacklogParts struct {
	Input         func(path string) capture.Input // how a transcript is captured
	Project       func(cwd string) memory.Project
	Consolidation *Consolidation
	Traffic       *traffic.Traffic
	CaughtUp      func(context.Context) error // waits for the index and the vectors
	Held          func() error                // an error if the folder is no longer this daemon's
}

// NewBacklog returns the backlog of home, which is new if home has no memories and c has read
// no transcript. Run imports.
func NewBacklog(home string, settings *config.Live, c *capture.Capture, memories int, parts BacklogParts, log *slog.Logger) *Backlog {
	b := &Backlog{
		file: durable.NewState(filepath.Join(home, "import.json")), settings: settings, capture: c, parts: parts, log: log,
		nudge: make(chan struct{}, 1),
	}
	err := b.file.Read(&b.past)
	if err == nil {
		b.past.Notified, b.past.OldNotified = cmp.Or(b.past.Notified, b.past.OldNotified), ""
		return b
	}
	b.past = Past{V: 1}
	if errors.Is(err, fs.ErrNotExist) && memories == 0 && !c.HasRead() {
		b.past.Phase = PhaseNew
	} else if !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read the state of the import; past sessions are not imported", logkey.Error, err)
	}
	return b
}

// Newer returns an error if a newer version wrote the file.
func (b *Backlog) Newer() error { return b.file.Newer() }

// Past returns how far the import is.
func (b *Backlog) Past() Past {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.past
}

// Skip records that the user imports past sessions without being asked.
func (b *Backlog) Skip() {
	b.change(func(p *Past) bool {
		if p.Phase != PhaseNew && p.Phase != PhaseAsked {
			return false
		}
		p.Phase = PhaseSkipped
		return true
	})
}

// SessionBegins looks for past sessions if this is the first session, the transcript of which
// lies, or will lie, at path. It waits a moment until they are counted.
func (b *Backlog) SessionBegins(ctx context.Context, path string, now time.Time) {
	folder := filepath.Dir(filepath.Dir(path))
	if !filepath.IsAbs(path) || filepath.Base(folder) != "projects" {
		return
	}
	b.mu.Lock()
	if b.find == nil && b.mayFind() {
		b.past.Folder, b.past.Except, b.past.Begun = folder, path, now.UTC().Round(0)
		b.find = make(chan struct{})
	}
	found := b.find
	b.mu.Unlock()
	select {
	case b.nudge <- struct{}{}: // also where the settings had stopped the import
	default:
	}
	if found != nil {
		waitFor(ctx, findFor, found)
	}
}

// mayFind reports whether past sessions are to be looked for.
func (b *Backlog) mayFind() bool {
	return b.past.Phase == PhaseNew || b.past.Phase == PhaseAsked && b.isWanted()
}

// isWanted reports whether the settings allow to read past sessions without being asked.
func (b *Backlog) isWanted() bool {
	s := b.settings.Current()
	return s.Import.Auto && s.Hooks.On("Stop")
}

// change changes the state and saves it, if f says that something changed.
func (b *Backlog) change(f func(*Past) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f(&b.past) {
		b.save()
	}
}

// save writes the state. A folder that was removed is not made again.
func (b *Backlog) save() {
	if b.parts.Held() != nil {
		return
	}
	if err := b.file.Write(b.past); err != nil {
		b.log.Warn("save the state of the import", logkey.Error, err)
	}
}

// Run imports until ctx ends.
func (b *Backlog) Run(ctx context.Context) {
	switch b.Past().Phase {
	case PhaseNew:
		b.change(func(*Past) bool { return true }) // memories may come before the first session begins
	case PhaseRunning:
		waitFor(ctx, backlogFirst, nil)
	}
	for ctx.Err() == nil {
		b.findPast()
		var again <-chan time.Time
		if !b.pass(ctx) {
			again = time.After(backlogAgain)
		}
		select {
		case <-ctx.Done():
		case <-b.nudge:
		case <-again:
		}
	}
}

// findPast finds the past sessions that a session has asked for.
func (b *Backlog) findPast() {
	b.mu.Lock()
	find, past := b.find, b.past
	b.mu.Unlock()
	if find == nil {
		return
	}
	files, err := pastFiles(past)
	if err != nil {
		b.log.Warn("find past sessions", logkey.Error, err)
	}
	b.change(func(p *Past) bool {
		p.Sessions, p.Files = sessionsAmong(files), len(files)
		switch {
		case p.Phase != PhaseNew && p.Phase != PhaseAsked: // the user was quicker
		case p.Sessions == 0:
			p.Phase = PhaseSkipped
		case b.isWanted():
			p.Phase = PhaseRunning
		default:
			p.Phase = PhaseAsked
		}
		b.find = nil
		return true
	})
	close(find)
}

// pass imports what is left, and reports whether it need not be called again.
func (b *Backlog) pass(ctx context.Context) bool {
	past := b.Past()
	if past.Phase != PhaseRunning || !b.isWanted() {
		return true
	}
	files, err := pastFiles(past)
	if err != nil {
		b.log.Debug("find past sessions", logkey.Error, err)
	}
	b.change(func(p *Past) bool {
		p.Files = p.Done + len(files) // some may be gone
		return true
	})
	for _, f := range files {
		b.parts.Traffic.Yield(ctx)
		if ctx.Err() != nil || !b.isWanted() || b.parts.Held() != nil {
			return true
		}
		began := time.Now()
		if !b.importFile(ctx, f) {
			return ctx.Err() != nil
		}
		b.catchUp(ctx)
		waitFor(ctx, min(time.Since(began), backlogRest), nil)
	}
	return b.finishImport(ctx)
}

// importFile imports a file, and reports whether it is done with.
func (b *Backlog) importFile(ctx context.Context, f pastFile) bool {
	in := b.parts.Input(f.Path)
	in.Whole, in.Backwards = true, true
	done, err := b.capture.File(ctx, in, b.parts.Project)
	if ctx.Err() != nil {
		return false // what was stored of it is found to be stored
	}
	b.tries++
	if err != nil && !errors.Is(err, capture.ErrLater) {
		b.log.Warn("import a past session", logkey.Transcript, f.Path, logkey.Error, err)
		if b.tries < backlogTries && isReadable(f.Path) {
			return false // the store refuses
		}
	}
	b.tries = 0
	b.change(func(p *Past) bool {
		p.Last, p.Done, p.Added = f, p.Done+1, p.Added+done.Added
		return true
	})
	return true
}

// isReadable reports whether a transcript can be opened.
func isReadable(path string) bool {
	f, err := transcript.Open(path)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// catchUp lets the index and the vectors have what was imported before more is.
func (b *Backlog) catchUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, backlogCaughtUp)
	defer cancel()
	if err := b.parts.CaughtUp(ctx); err != nil {
		b.log.Debug("import: not found yet", logkey.Error, err)
	}
}

// finishImport merges what several transcripts contain, as at the end of any import.
func (b *Backlog) finishImport(ctx context.Context) bool {
	if _, err := b.parts.Consolidation.All(ctx, false); err != nil {
		b.log.Warn("consolidate what was imported", logkey.Error, err)
		return ctx.Err() != nil
	}
	b.change(func(p *Past) bool {
		p.Phase = PhaseDone
		return true
	})
	past := b.Past()
	b.log.Info("past sessions imported", logkey.Transcripts, past.Files, logkey.Added, past.Added)
	return true
}

// Notify records that the user knows of a phase.
func (b *Backlog) Notify(phase Phase) {
	b.change(func(p *Past) bool {
		p.Notified = cmp.Or(phase, p.Notified)
		return phase != ""
	})
}

// waitFor waits for a while, or until something else happens.
func waitFor(ctx context.Context, most time.Duration, until <-chan struct{}) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-until:
	}
}
