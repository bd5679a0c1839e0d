package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/share/repo"
	"recollect/internal/share/server"
)

// TeamServer does something about the team's server, and returns how that stands.
func (e *Engine) TeamServer(ctx context.Context, in api.TeamServer) (api.TeamServerState, error) {
	project := e.adoptProject(in.Cwd)
	var err error
	switch in.Do {
	case "":
	case api.ServerJoin:
		err = e.joinServer(in.Cwd, project)
	case api.ServerLeave:
		err = e.leaveServer(ctx, project)
	case api.ServerShare:
		err = e.sendShared(project, in.Files)
	case api.ServerWithdraw:
		err = e.withdraw(project, in.IDs)
	default:
		err = &api.BadRequest{Err: fmt.Errorf("do: %q is nothing that can be done", in.Do)}
	}
	if err != nil {
		return api.TeamServerState{}, err
	}
	return e.serverState(ctx)
}

// mayServe says why nothing can be shared over the team's server for a project.
func (e *Engine) mayServe(cwd string, project memory.Project) error {
	if e.settings.Current().Team.URL == "" {
		return errors.New("no server is set: team.url in config.toml names it")
	}
	if why := e.whyNoTeam(cwd, project); why != "" {
		return errors.New(why)
	}
	if project.Remote == "" {
		return errors.New("this repository has no remote called origin, by which its team knows it")
	}
	return nil
}

func (e *Engine) joinServer(cwd string, project memory.Project) error {
	if err := e.mayServe(cwd, project); err != nil {
		return &api.BadRequest{Err: err}
	}
	if _, err := e.stream.Member(); err != nil {
		return &api.BadRequest{Err: err}
	}
	return e.stream.Join(project.Remote)
}

// leaveServer has nothing of a project sent and received any more, and deletes what came.
func (e *Engine) leaveServer(ctx context.Context, project memory.Project) error {
	if project.Remote == "" || !e.stream.Joined(project.Remote) {
		return &api.BadRequest{Err: errors.New("this project was not joined")}
	}
	if err := e.stream.Leave(project.Remote); err != nil {
		return err
	}
	all, err := e.servedHere(project.Remote)
	if err != nil {
		return err
	}
	var ids []string
	for _, m := range all {
		ids = append(ids, m.ID)
	}
	return e.dropServed(ctx, ids)
}

// sendShared puts what the user was shown into the outbox, if others would read it.
func (e *Engine) sendShared(project memory.Project, files []api.SharedFile) error {
	var entries []server.Entry
	for _, f := range files {
		if _, err := repo.ParseServed(f.ID, []byte(f.Text), time.Now()); err != nil {
			return &api.BadRequest{Err: fmt.Errorf("%s %w", f.ID, err)}
		}
		entries = append(entries, server.Entry{Project: project.Remote, ID: f.ID, Text: f.Text})
	}
	return e.stream.Send(entries...)
}

// withdraw takes back what this member shared, by the ids of the user's own memories or of the
// team's. It was sent by the name that the project had then, which may be another one now.
func (e *Engine) withdraw(project memory.Project, ids []string) error {
	member, err := e.stream.Member()
	if err != nil {
		return &api.BadRequest{Err: err}
	}
	remotes := e.stream.Status().Projects
	if e.stream.Joined(project.Remote) {
		remotes = append([]string{project.Remote}, remotes...)
	}
	var entries []server.Entry
	for _, id := range ids {
		entry, ok := e.sentAs(remotes, member, id)
		if !ok {
			return &api.BadRequest{Err: fmt.Errorf("%s is nothing that you share over the server, for this project or another that you joined", id)}
		}
		entries = append(entries, entry)
	}
	return e.stream.Send(entries...)
}

// sentAs returns what withdraws a memory from the first of the projects for which this member
// shared it.
func (e *Engine) sentAs(remotes []string, member, id string) (server.Entry, bool) {
	own := id
	if m, err := e.Store.Get(id); err == nil && repo.IsServed(&m) {
		own = repo.OwnID(&m)
	}
	for _, remote := range remotes {
		served := repo.ServedID(remote, member, own)
		_, err := e.Store.Get(served)
		sent := err == nil || e.stream.Waits(remote, own) || len(e.teams.rejectedOf(servedKey(remote), served)) > 0
		if sent && (own == id || served == id) {
			return server.Entry{Project: remote, ID: own}, true
		}
	}
	return server.Entry{}, false
}

// serverState returns how the team's server stands.
func (e *Engine) serverState(ctx context.Context) (api.TeamServerState, error) {
	member, err := e.stream.Member()
	if err != nil {
		return api.TeamServerState{}, &api.BadRequest{Err: err}
	}
	unanswered := e.stream.Check(ctx)
	st := e.stream.Status()
	if st.Connected && unanswered != nil {
		st.Connected, st.Problem = false, unanswered.Error()
	}
	out := api.TeamServerState{URL: e.settings.Current().Team.URL, Member: member, Connected: st.Connected, Problem: st.Problem, Waiting: st.Waiting, Projects: []api.TeamProject{}}
	counts := map[string]int{}
	for m, err := range e.Store.Source(memory.Team) {
		if err != nil {
			return out, fmt.Errorf("read what the team shares: %w", err)
		}
		if repo.IsServed(&m) {
			counts[m.ProjectRemote]++
		}
	}
	for _, p := range st.Projects {
		out.Projects = append(out.Projects, api.TeamProject{Project: p, Subject: server.Filter(p), Memories: counts[p], Last: st.At[p], Refused: st.Refused[p], Left: len(e.stream.Left(p))})
	}
	return out, nil
}

// serverProblems names what is wrong with the team's server, for health.
func (e *Engine) serverProblems() []string {
	st := e.stream.Status()
	var out []string
	if st.Problem != "" && !st.Connected {
		out = append(out, strings.ReplaceAll(st.Problem, "\n", " "))
	}
	for _, p := range slices.Sorted(maps.Keys(st.Refused)) {
		out = append(out, fmt.Sprintf("the server does not let you %s %s", st.Refused[p], p))
	}
	for _, p := range st.Projects {
		if left := e.stream.Left(p); len(left) > 0 {
			out = append(out, fmt.Sprintf("%s of %s is left out: %s", left[0].ID, p, left[0].Why))
		}
	}
	return out
}

// serverSummary says how the team's server stands, "" if none is used.
func (e *Engine) serverSummary() string {
	st := e.stream.Status()
	if e.settings.Current().Team.URL == "" || len(st.Projects) == 0 {
		return ""
	}
	state := "not connected"
	if st.Connected {
		state = "connected"
	}
	var last time.Time
	for _, at := range st.At {
		if at.After(last) {
			last = at
		}
	}
	text := fmt.Sprintf("%s, %d joined, %d waiting to be sent", state, len(st.Projects), st.Waiting)
	if !last.IsZero() {
		text += ", last memory of " + last.Local().Format(time.DateTime)
	}
	return text
}
