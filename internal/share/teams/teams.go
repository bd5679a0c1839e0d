// Package teams joins the two ways in which a team shares memories: files in its repository, which
// package repo reads, and messages over the team's server, which package server carries. Both become
// memories of the source team in the store.
//
// A received memory came over the server. The choices record which memories the user has looked at, and
// which the user has rejected.
package teams

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/share/repo"
	"recollect/internal/share/server"
	"recollect/internal/store"
	"recollect/internal/system/logkey"
	"recollect/internal/system/trust"
)

// Teams keeps the memories of teams up to date. New is the only way to make one.
type Teams struct {
	Stream *server.Stream // to the team's server

	home     string
	settings *config.Live
	parts    Parts
	choices  *choices
	log      *slog.Logger
}

// Parts are the parts of the engine that Teams uses.
type Parts struct {
	Store         *store.Store
	Append        func(context.Context, []clean.Memory) error
	Delete        func(context.Context, []string) ([]memory.Memory, error)
	DropFallbacks func() error // removes the fallbacks, which hooks inject without asking the daemon
	Project       func(cwd string) memory.Project
	Repository    func(cwd string) config.Narrowing
	Paused        func(memory.Project) bool
	WaitForIndex  func(context.Context) error
	Held          func() error // returns an error if the folder is no longer this daemon's
}

// New returns the teams of a data folder.
func New(home string, settings *config.Live, parts Parts, log *slog.Logger) *Teams {
	address := func() server.Server {
		s := settings.Current().Team
		return server.Server{URL: strings.ReplaceAll(s.URL, " ", ""), Credentials: s.Credentials, CA: s.CA}
	}
	return &Teams{home: home, settings: settings, parts: parts, Stream: server.Open(home, address, log), choices: openChoices(home, log), log: log}
}

// Run sends and receives over the team's server until ctx ends.
func (t *Teams) Run(ctx context.Context) { t.Stream.Run(ctx, t.receiveMessages) }

// Newer returns an error if a newer version wrote the file of choices.
func (t *Teams) Newer() error { return t.choices.file.Newer() }

// Problems names the files that are left out.
func (t *Teams) Problems() []string { return t.choices.listProblems() }

// Follow updates the memories that a team shares in the repository of a folder, if its files have
// changed.
func (t *Teams) Follow(ctx context.Context, cwd string, now time.Time) {
	if !filepath.IsAbs(cwd) {
		return
	}
	project := t.parts.Project(cwd)
	if t.parts.Paused(project) {
		return
	}
	if _, err := t.readFiles(ctx, cwd, project, now); err != nil {
		t.log.Warn("follow team", logkey.Project, project.Path, logkey.Error, err)
	}
}

// whyNotRead returns why the repository of a folder is not read, "" if it is.
func (t *Teams) whyNotRead(cwd string, project memory.Project) string {
	switch {
	case project.Path == "" || filepath.Dir(project.Path) == project.Path || holdsUsersHome(project.Path):
		return "this is no repository, but the home folder or one around it"
	case !isRepository(project.Path):
		return "this is no git repository of yours"
	case sameFolder(filepath.Join(project.Path, repo.Folder), t.home):
		return "this is recollect's own data folder"
	case !t.settings.Current().Sources.Team.Enabled:
		return "sources.team is off in your config.toml"
	case t.parts.Repository(cwd).NoTeam:
		return "team = false in .recollect.toml"
	}
	return ""
}

// checkServer returns an error if nothing can be shared over the team's server for a project.
func (t *Teams) checkServer(cwd string, project memory.Project) error {
	if t.settings.Current().Team.URL == "" {
		return errors.New("no server is set: team.url in config.toml names it")
	}
	if why := t.whyNotRead(cwd, project); why != "" {
		return errors.New(why)
	}
	if project.Remote == "" {
		return errors.New("this repository has no remote called origin, by which its team knows it")
	}
	return nil
}

// isRepository reports whether a folder is a git repository whose files do not belong to another
// user of this machine. Git does not read such repositories either.
func isRepository(path string) bool {
	if trust.Foreign(filepath.Join(path, repo.Folder)) || trust.Foreign(filepath.Join(path, ".git")) {
		return false
	}
	top, _ := memory.WorkTree(path)
	return top == memory.Follow(path)
}

// holdsUsersHome reports whether a folder is or contains the user's home folder.
func holdsUsersHome(path string) bool {
	user, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(path, user)
	return err == nil && filepath.IsLocal(rel)
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
