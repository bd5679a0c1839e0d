package engine

import (
	"context"
	"path/filepath"
	"time"

	"recollect/internal/logkey"
)

const (
	// surveyEvery is how often a project's own files are read, at most.
	surveyEvery = 10 * time.Minute
	// maxSurveyed bounds the projects that are known to have been surveyed.
	maxSurveyed = 1000
)

// surveys knows when each project was surveyed. Only the jobs use it.
type surveys map[string]time.Time

// due reports whether a project is to be surveyed now, and notes that it is.
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

// survey keeps what is known of the project that a folder lies in as its files
// are.
func (e *Engine) survey(ctx context.Context, cwd string, now time.Time) {
	if !filepath.IsAbs(cwd) {
		return
	}
	home := e.adoptProject(cwd)
	e.moves.note(home)
	if !e.surveys.due(home.Path, now) {
		return
	}
	if err := e.capture.Project(ctx, home); err != nil {
		e.log.Warn("survey project", logkey.Project, home.Path, logkey.Error, err)
	}
}
