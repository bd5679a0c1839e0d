package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/share/repo"
	"recollect/internal/share/server"
	"recollect/internal/store"
)

// maxServed is how many memories of a team's server are listed.
const maxServed = 500

// serverOf returns where a team's server is, as the settings have it now.
func serverOf(settings *config.Live) func() server.Server {
	return func() server.Server {
		t := settings.Current().Team
		return server.Server{URL: strings.ReplaceAll(t.URL, " ", ""), Credentials: t.Credentials, CA: t.CA}
	}
}

// servedKey is the key in team.json of what came over the server for a project.
func servedKey(remote string) string { return "server:" + remote }

// receive makes the memories in the store what messages of the team's server say, and says in
// each why it is left out.
func (e *Engine) receive(ctx context.Context, messages []server.Message) error {
	if err := e.lock.Held(); err != nil {
		return err
	}
	put, gone := map[string]clean.Memory{}, map[string]bool{}
	for i := range messages {
		msg := &messages[i]
		id := repo.ServedID(msg.Project, msg.Member, msg.ID)
		delete(put, id)
		delete(gone, id)
		if m, ok := e.servedCarefully(msg, time.Now()); ok {
			put[id] = m
		} else {
			gone[id] = true
		}
	}
	var fresh []clean.Memory
	var lost []string
	for id, m := range put {
		if old, err := e.Store.Get(id); err != nil || !sameTeam(old, m.Memory()) {
			fresh = append(fresh, m.Recorded(time.Now()))
		}
	}
	for id := range gone {
		if _, err := e.Store.Get(id); !errors.Is(err, store.ErrNotFound) {
			lost = append(lost, id)
		}
	}
	if err := e.dropServed(ctx, lost); err != nil || len(fresh) == 0 {
		return err
	}
	slices.SortFunc(fresh, func(a, b clean.Memory) int { return strings.Compare(a.Memory().ID, b.Memory().ID) })
	if err := e.writer.Append(ctx, fresh); err != nil {
		return fmt.Errorf("store what the team shares: %w", err)
	}
	return nil
}

// servedCarefully is served. A message that panics is left out.
func (e *Engine) servedCarefully(msg *server.Message, now time.Time) (m clean.Memory, ok bool) {
	if e.careful("read what a team shares", func() { m, ok = e.served(msg, now) }) {
		msg.Why = "this version cannot read it"
		return clean.Memory{}, false
	}
	return m, ok
}

// served returns the memory of a message, false if it was withdrawn, rejected or must be left out.
func (e *Engine) served(msg *server.Message, now time.Time) (clean.Memory, bool) {
	if len(msg.Text) == 0 || e.teams.rejected(servedKey(msg.Project), repo.VersionOf(msg.Project, msg.Member, msg.ID, msg.Text)) {
		return clean.Memory{}, false
	}
	s, err := repo.ParseServed(msg.ID, msg.Text, now)
	if err != nil {
		msg.Why = err.Error()
		return clean.Memory{}, false
	}
	m, err := clean.Draft(s.Served(msg.Project, msg.Member, msg.Text))
	if err != nil {
		msg.Why = "says nothing that may be stored"
		return clean.Memory{}, false
	}
	said := m.Memory()
	return m, !e.teams.rejected(servedKey(msg.Project), repo.Words(&said))
}

// dropServed deletes memories that came over the team's server.
func (e *Engine) dropServed(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := e.writer.DeleteAll(ctx, ids); err != nil {
		return fmt.Errorf("drop what the team no longer shares: %w", err)
	}
	return e.sessions.DropFallbacks() // a hook would inject them without asking
}

// servedHere returns the memories that came over the team's server for a project.
func (e *Engine) servedHere(remote string) ([]memory.Memory, error) {
	var out []memory.Memory
	for m, err := range e.Store.Source(memory.Team) {
		if err != nil {
			return nil, fmt.Errorf("read what the team shares: %w", err)
		}
		if repo.IsServed(&m) && m.ProjectRemote == remote {
			out = append(out, m)
		}
	}
	return out, nil
}

// addServed adds to the files of a team what came over its server, the newest first.
func (e *Engine) addServed(out *api.TeamFiles, project memory.Project, look bool) error {
	if project.Remote == "" || !e.stream.Joined(project.Remote) {
		return nil
	}
	all, err := e.servedHere(project.Remote)
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b memory.Memory) int { return b.OccurredAt.Compare(a.OccurredAt) })
	if len(all) > maxServed {
		out.Why = strings.TrimPrefix(fmt.Sprintf("%s; of %d on the server the newest %d are shown", out.Why, len(all), maxServed), "; ")
		all = all[:maxServed]
	}
	seen := e.teams.seenAt(servedKey(project.Remote))
	for i := range all {
		m := &all[i]
		f := api.TeamFile{File: repo.FileOf(m), ID: m.ID, Title: m.Title, Date: m.OccurredAt}
		f.Kind, f.Author = repo.SaidBy(m)
		if own := repo.OwnID(m); e.Store.Known(own) {
			f.Out = "it is a copy of your own " + own
		}
		if !m.RecordedAt.Before(seen.Truncate(time.Second)) {
			f.Change = api.TeamNew
		}
		out.Files = append(out.Files, f)
	}
	for _, l := range e.stream.Left(project.Remote) {
		out.Files = append(out.Files, api.TeamFile{File: "server:" + l.ID, Out: l.Why, Bad: true})
	}
	if look {
		return e.teams.lookedAt(servedKey(project.Remote), time.Now())
	}
	return nil
}

// rejectServed hides a memory that came over the team's server, with all copies, or has it read
// again.
func (e *Engine) rejectServed(ctx context.Context, project memory.Project, id string, undo bool) error {
	unknown := &api.BadRequest{Err: fmt.Errorf("%s is nothing that this repository shares", id)}
	if project.Remote == "" {
		return unknown
	}
	if undo {
		marks := e.teams.rejectedOf(servedKey(project.Remote), id)
		if len(marks) == 0 {
			return unknown
		}
		return e.rejectWords(ctx, project, marks, true)
	}
	m, err := e.Store.Get(id)
	if err != nil || !repo.IsServed(&m) || m.ProjectRemote != project.Remote {
		return unknown
	}
	return e.rejectWords(ctx, project, []string{repo.Words(&m)}, false)
}
