package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/engine/upkeep"
	"recollect/internal/memory/clean"
	"recollect/internal/system/logkey"
)

// Claude Code reports that a turn has ended before it has written all of it, so a
// transcript is read again, readAgain after each flush.
const readAgain = 2 * time.Second

// captureFlushed captures what is new in a transcript, and queues the second
// reading.
func (e *Engine) captureFlushed(ctx context.Context, f api.Flush) {
	in := e.captureInput(f.TranscriptPath)
	in.LastReply = f.LastReply
	e.captureFile(ctx, in)
	again := upkeep.Revisit{Path: f.TranscriptPath, Session: f.SessionID, Due: time.Now().Add(readAgain)}
	if !e.upkeep.Revisits.Add(again) {
		e.log.Warn("second reading dropped: queue is full")
	}
	e.catchUpAgents(f.TranscriptPath, time.Now())
	e.upkeep.Refinement.Later(f.TranscriptPath, f.Reason, time.Now())
	e.upkeep.Confirmation.Later(f.TranscriptPath, clean.ID(f.SessionID), f.Reason, time.Now())
	if f.Reason == "SessionEnd" {
		e.Machines.Soon()
	}
	if f.Reason == "Stop" {
		e.surveyProject(ctx, f.Cwd, time.Now())
		e.Teams.Follow(ctx, f.Cwd, time.Now())
	}
}

// revisitTranscript captures what a transcript has gained since.
func (e *Engine) revisitTranscript(ctx context.Context, k upkeep.Revisit) {
	if e.lock.Held() != nil {
		return // as in runJob
	}
	if e.captureFile(ctx, e.captureInput(k.Path)) > 0 && k.Session != "" {
		e.renewFallback(ctx, e.sessions.Get(k.Session))
	}
}

// captureFile captures what is new in a transcript, and returns the number of
// memories that came of it.
func (e *Engine) captureFile(ctx context.Context, in capture.Input) int {
	in.Each = func(t claudecode.Turn) { e.usage.Assess(t, e.Store, e.index, e.partGiven) }
	done, err := e.capture.File(ctx, in, e.Projects.Meet)
	e.learnHabits()
	if err != nil && isElsewhere(in.Path) {
		err = fmt.Errorf("%w: the session runs in a container whose files the daemon does not see", err)
	} else if errors.Is(err, capture.ErrLater) || err != nil && isMissing(in.Path) { // the client never wrote it, or has deleted it
		e.log.Debug("capture", logkey.Transcript, in.Path, logkey.Error, err)
		return done.Added + done.Changed
	}
	e.tally.Captured(time.Now(), err)
	if err != nil {
		e.log.Warn("capture", logkey.Transcript, in.Path, logkey.Error, err)
		return done.Added + done.Changed
	}
	e.log.Debug("captured", logkey.Transcript, in.Path, logkey.Added, done.Added, logkey.Changed, done.Changed)
	return done.Added + done.Changed
}

// isMissing reports whether there is no file at path.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// isElsewhere reports whether not even Claude Code's folder of transcripts, to which path leads, is
// there: the hook named a file of another container.
func isElsewhere(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "projects" {
			return isMissing(dir)
		}
	}
	return false
}

// catchUpAfter is how long reading waits after the start of the daemon, so that
// the prompt that started it is answered first.
const catchUpAfter = time.Second

// expectTranscript has the next daemon read a transcript, should this one end before a hook asks
// for it; "" names none. A session may be killed in its first turn.
func (e *Engine) expectTranscript(path string) {
	if path == "" || !e.settings.Current().Hooks.On("Stop") {
		return
	}
	if err := e.capture.Expect(path); err != nil {
		e.log.Warn("expect transcript", logkey.Transcript, path, logkey.Error, err)
	}
}

// catchUp queues the transcripts that have begun, grown or were replaced while no daemon
// ran. One that no hook ever named is left out: hooks were switched off for it.
func (e *Engine) catchUp(now time.Time) {
	if !e.settings.Current().Hooks.On("Stop") {
		return
	}
	paths := e.capture.Behind()
	for _, path := range paths {
		if !e.upkeep.Revisits.Add(upkeep.Revisit{Path: path, Optional: true, Due: now.Add(catchUpAfter)}) {
			e.log.Warn("catch up: too many transcripts, the rest when the daemon starts again", logkey.Transcripts, len(paths))
			return
		}
	}
}

// catchUpAgents queues the sub-agents of a session that nothing was heard of when they ended, or that work on.
func (e *Engine) catchUpAgents(transcript string, now time.Time) {
	for _, path := range e.capture.AgentsBehind(transcript) {
		if !e.upkeep.Revisits.Add(upkeep.Revisit{Path: path, Optional: true, Due: now.Add(readAgain)}) {
			return // the next event of the session, or the next daemon, finds the rest
		}
	}
}

const (
	// surveyEvery is how often a project's own files are read, at most.
	surveyEvery = 10 * time.Minute
	// maxSurveyed bounds the projects that are known to have been surveyed.
	maxSurveyed = 1000
)

// surveys knows when each project was surveyed. Only the jobs use it.
type surveys map[string]time.Time

// due reports whether a project is to be surveyed now, and records that it is.
func (s surveys) due(path string, now time.Time) bool {
	if at, ok := s[path]; path == "" || ok && now.Sub(at).Abs() < surveyEvery {
		return false
	}
	if len(s) >= maxSurveyed {
		clear(s)
	}
	s[path] = now
	return true
}

// surveyProject brings what is stored about the project that a folder lies in up to date
// with the project's own files.
func (e *Engine) surveyProject(ctx context.Context, cwd string, now time.Time) {
	if !filepath.IsAbs(cwd) {
		return
	}
	project := e.Projects.Adopt(cwd)
	e.Projects.Record(project)
	if e.pauses.Now("", project) || e.narrowingOf(cwd).NoCapture || !e.surveys.due(project.Path, now) {
		return
	}
	if err := e.capture.Project(ctx, project); err != nil {
		e.log.Warn("survey project", logkey.Project, project.Path, logkey.Error, err)
	}
}
