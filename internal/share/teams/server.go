package teams

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

// Server carries out an action on the team's server, and returns the server's state.
func (t *Teams) Server(ctx context.Context, in api.TeamServer) (api.TeamServerState, error) {
	project := t.parts.Project(in.Cwd)
	var err error
	switch in.Do {
	case "":
	case api.ServerJoin:
		err = t.joinServer(in.Cwd, project)
	case api.ServerLeave:
		err = t.leaveServer(ctx, project)
	case api.ServerShare:
		err = t.sendShared(project, in.Files)
	case api.ServerWithdraw:
		err = t.withdrawEntries(project, in.IDs)
	default:
		err = &api.BadRequest{Err: fmt.Errorf("do: %q is nothing that can be done", in.Do)}
	}
	if err != nil {
		return api.TeamServerState{}, err
	}
	return t.serverState(ctx)
}

func (t *Teams) joinServer(cwd string, project memory.Project) error {
	if err := t.checkServer(cwd, project); err != nil {
		return &api.BadRequest{Err: err}
	}
	if _, err := t.Stream.Member(); err != nil {
		return &api.BadRequest{Err: err}
	}
	return t.Stream.Join(project.Remote)
}

// leaveServer leaves a project, and deletes its received memories.
func (t *Teams) leaveServer(ctx context.Context, project memory.Project) error {
	if project.Remote == "" || !t.Stream.Joined(project.Remote) {
		return &api.BadRequest{Err: errors.New("this project was not joined")}
	}
	if err := t.Stream.Leave(project.Remote); err != nil {
		return err
	}
	all, err := t.receivedFor(project.Remote)
	if err != nil {
		return err
	}
	var ids []string
	for _, m := range all {
		ids = append(ids, m.ID)
	}
	return t.dropMemories(ctx, ids)
}

// sendShared sends the files that the user was shown, if others can read them.
func (t *Teams) sendShared(project memory.Project, files []api.SharedFile) error {
	var entries []server.Entry
	for _, f := range files {
		if _, err := repo.ParseReceived(f.ID, []byte(f.Text), time.Now()); err != nil {
			return &api.BadRequest{Err: fmt.Errorf("%s %w", f.ID, err)}
		}
		entries = append(entries, server.Entry{Project: project.Remote, ID: f.ID, Text: f.Text})
	}
	return t.Stream.Send(entries...)
}

// withdrawEntries withdraws memories that this member has shared. The ids are those of the user's own
// memories or of received ones. It searches all joined projects, because the remote of the project may
// have changed.
func (t *Teams) withdrawEntries(project memory.Project, ids []string) error {
	member, err := t.Stream.Member()
	if err != nil {
		return &api.BadRequest{Err: err}
	}
	remotes := t.Stream.Status().Projects
	if t.Stream.Joined(project.Remote) {
		remotes = append([]string{project.Remote}, remotes...)
	}
	var entries []server.Entry
	for _, id := range ids {
		entry, ok := t.sentAs(remotes, member, id)
		if !ok {
			return &api.BadRequest{Err: fmt.Errorf("%s is nothing that you share over the server, for this project or another that you joined", id)}
		}
		entries = append(entries, entry)
	}
	return t.Stream.Send(entries...)
}

// sentAs returns the entry that withdraws a memory from the first project for which this member has
// shared it.
func (t *Teams) sentAs(remotes []string, member, id string) (server.Entry, bool) {
	own := id
	if m, err := t.parts.Store.Get(id); err == nil && repo.IsReceived(&m) {
		own = repo.OwnID(&m)
	}
	for _, remote := range remotes {
		received := repo.ReceivedID(remote, member, own)
		_, err := t.parts.Store.Get(received)
		sent := err == nil || t.Stream.Waits(remote, own) || len(t.choices.rejectedOf(serverKey(remote), received)) > 0
		if sent && (own == id || received == id) {
			return server.Entry{Project: remote, ID: own}, true
		}
	}
	return server.Entry{}, false
}

func (t *Teams) serverState(ctx context.Context) (api.TeamServerState, error) {
	member, err := t.Stream.Member()
	if err != nil {
		return api.TeamServerState{}, &api.BadRequest{Err: err}
	}
	unanswered := t.Stream.Check(ctx)
	st := t.Stream.Status()
	if st.Connected && unanswered != nil {
		st.Connected, st.Problem = false, unanswered.Error()
	}
	out := api.TeamServerState{URL: t.settings.Current().Team.URL, Member: member, Connected: st.Connected, Problem: st.Problem, Waiting: st.Waiting, Projects: []api.TeamProject{}}
	counts := map[string]int{}
	for m, err := range t.parts.Store.Source(memory.Team) {
		if err != nil {
			return out, fmt.Errorf("read what the team shares: %w", err)
		}
		if repo.IsReceived(&m) {
			counts[m.ProjectRemote]++
		}
	}
	for _, p := range st.Projects {
		out.Projects = append(out.Projects, api.TeamProject{Project: p, Subject: server.Filter(p), Memories: counts[p], Last: st.At[p], Refused: st.Refused[p], Left: len(t.Stream.Left(p))})
	}
	return out, nil
}

// ServerProblems lists the problems with the team's server.
func (t *Teams) ServerProblems() []string {
	st := t.Stream.Status()
	var out []string
	if st.Problem != "" && !st.Connected {
		out = append(out, strings.ReplaceAll(st.Problem, "\n", " "))
	}
	for _, p := range slices.Sorted(maps.Keys(st.Refused)) {
		out = append(out, fmt.Sprintf("the server does not let you %s %s", st.Refused[p], p))
	}
	for _, p := range st.Projects {
		if left := t.Stream.Left(p); len(left) > 0 {
			out = append(out, fmt.Sprintf("%s of %s is left out: %s", left[0].ID, p, left[0].Why))
		}
	}
	return out
}

// ServerSummary returns the state of the team's server in words, "" if none is used.
func (t *Teams) ServerSummary() string {
	st := t.Stream.Status()
	if t.settings.Current().Team.URL == "" || len(st.Projects) == 0 {
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
