package teams

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/share/repo"
)

// maxReceived is the most received memories that are listed.
const maxReceived = 500

// List reads the files of the team of a folder's repository, and lists them and the received memories.
func (t *Teams) List(ctx context.Context, in api.Team) (api.TeamFiles, error) {
	project := t.parts.Project(in.Cwd)
	read, err := t.readFiles(ctx, in.Cwd, project, time.Now())
	if err != nil {
		return api.TeamFiles{}, err
	}
	if err := t.parts.WaitForIndex(ctx); err != nil { // so that the next prompt finds the memories
		return api.TeamFiles{}, err
	}
	out := api.TeamFiles{Folder: filepath.Join(project.Path, repo.Folder), Files: []api.TeamFile{}, Why: read.problem}
	now := t.addFiles(&out, project, read)
	if read.why != "" {
		return out, nil
	}
	if err := t.addReceived(&out, project, in.Look); err != nil {
		return out, err
	}
	if in.Look {
		err = t.choices.recordLook(project.Path, now)
	}
	return out, err
}

// addFiles adds the files of a repository, with their changes since the user's last look. It returns
// their digests by name.
func (t *Teams) addFiles(out *api.TeamFiles, project memory.Project, read reading) map[string]string {
	seen, now := t.choices.seenFiles(project.Path), map[string]string{}
	for i := range read.files {
		f := &read.files[i]
		now[f.Name] = f.Digest
		shown := t.showFile(project, f)
		switch before, ok := seen[f.Name]; {
		case !ok:
			shown.Change = api.TeamNew
		case before != f.Digest:
			shown.Change = api.TeamChanged
		}
		out.Files = append(out.Files, shown)
	}
	for name := range seen {
		if _, ok := now[name]; !ok && read.why == "" {
			out.Files = append(out.Files, api.TeamFile{File: name, Change: api.TeamRemoved})
		}
	}
	slices.SortFunc(out.Files, func(a, b api.TeamFile) int { return strings.Compare(a.File, b.File) })
	return now
}

func (t *Teams) showFile(project memory.Project, f *repo.File) api.TeamFile {
	s := &f.Shared
	out := api.TeamFile{File: f.Name, ID: f.ID, Kind: s.Kind, Title: s.Title, Author: s.Author, Date: s.Date, Gone: f.Gone}
	switch {
	case f.Err != nil:
		return api.TeamFile{File: f.Name, Out: f.Err.Error(), Bad: !errors.Is(f.Err, repo.ErrSame)}
	case t.rejectedFile(project, f):
		out.Out = "you rejected it"
	case s.ID != "" && t.parts.Store.Known(s.ID):
		out.Out = "it is a copy of your own " + s.ID
	}
	return out
}

// addReceived adds the received memories, the newest first. With look it records that the user looks at
// them now.
func (t *Teams) addReceived(out *api.TeamFiles, project memory.Project, look bool) error {
	if project.Remote == "" || !t.Stream.Joined(project.Remote) {
		return nil
	}
	all, err := t.receivedFor(project.Remote)
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b memory.Memory) int { return b.OccurredAt.Compare(a.OccurredAt) })
	if len(all) > maxReceived {
		out.Why = strings.TrimPrefix(fmt.Sprintf("%s; of %d on the server the newest %d are shown", out.Why, len(all), maxReceived), "; ")
		all = all[:maxReceived]
	}
	seen := t.choices.seenAt(serverKey(project.Remote))
	for i := range all {
		m := &all[i]
		f := api.TeamFile{File: repo.FileOf(m), ID: m.ID, Title: m.Title, Date: m.OccurredAt}
		f.Kind, f.Author = repo.SaidBy(m)
		if own := repo.OwnID(m); t.parts.Store.Known(own) {
			f.Out = "it is a copy of your own " + own
		}
		if !m.RecordedAt.Before(seen.Truncate(time.Second)) {
			f.Change = api.TeamNew
		}
		out.Files = append(out.Files, f)
	}
	for _, l := range t.Stream.Left(project.Remote) {
		out.Files = append(out.Files, api.TeamFile{File: "server:" + l.ID, Out: l.Why, Bad: true})
	}
	if look {
		return t.choices.recordLookAt(serverKey(project.Remote), time.Now())
	}
	return nil
}
