package engine

import (
	"context"
	"path/filepath"
	"time"

	"recollect/internal/system/logkey"
)

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

// survey brings what is stored about the project that a folder lies in up to date
// with the project's own files.
func (e *Engine) survey(ctx context.Context, cwd string, now time.Time) {
	if !filepath.IsAbs(cwd) {
		return
	}
	project := e.Projects.Adopt(cwd)
	e.Projects.Record(project)
	if e.pauses.Now("", project) || e.repository(cwd).NoCapture || !e.surveys.due(project.Path, now) {
		return
	}
	if err := e.capture.Project(ctx, project); err != nil {
		e.log.Warn("survey project", logkey.Project, project.Path, logkey.Error, err)
	}
}
