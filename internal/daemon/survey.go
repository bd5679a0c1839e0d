package daemon

import (
	"context"
	"path/filepath"
	"time"
)

const (
	// surveyEvery is how often a project's own files are looked at, at most.
	surveyEvery = 10 * time.Minute
	// maxSurveyed bounds the projects that are known to have been looked at.
	maxSurveyed = 1000
)

// surveys knows when each project was looked at. Only the chores use it.
type surveys map[string]time.Time

// due reports whether a project is to be looked at now, and notes that it is.
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
func (d *Daemon) survey(ctx context.Context, cwd string, now time.Time) {
	if !filepath.IsAbs(cwd) {
		return
	}
	home := d.project(cwd)
	d.moves.note(home)
	if !d.surveys.due(home.Path, now) {
		return
	}
	if err := d.capture.Project(ctx, home); err != nil {
		d.log.Warn("survey project", "project", home.Path, "error", err)
	}
}
