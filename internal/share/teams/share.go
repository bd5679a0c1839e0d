package teams

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/share/repo"
)

// maxShared is the most memories that are shared at once.
const maxShared = 50

// Share returns the files that would leave the machine if memories were shared. It writes
// nothing, because the user has to look at them first.
func (t *Teams) Share(ctx context.Context, in api.Share) (api.Shared, error) {
	project := t.parts.Project(in.Cwd)
	if err := t.checkFolder(project); err != nil {
		return api.Shared{}, &api.BadRequest{Err: err}
	}
	if in.Server {
		if err := t.checkServer(in.Cwd, project); err != nil {
			return api.Shared{}, &api.BadRequest{Err: err}
		}
		if !t.Stream.Joined(project.Remote) {
			return api.Shared{}, &api.BadRequest{Err: errors.New("this project was not joined: recollect team join")}
		}
	}
	sharer, err := repo.NewSharer(project.Path, in.Author, thisMachine())
	if err != nil {
		return api.Shared{}, &api.BadRequest{Err: fmt.Errorf("%w; --as gives another name", err)}
	}
	out := api.Shared{Folder: filepath.Join(project.Path, repo.Folder), Files: []api.SharedFile{}, Server: in.Server}
	chosen, err := t.chooseShared(ctx, in)
	if err != nil {
		return out, err
	}
	there, err := repo.Read(project.Path, time.Now())
	if errors.Is(err, repo.ErrNotFolder) {
		return out, &api.BadRequest{Err: fmt.Errorf("%s %w", out.Folder, err)}
	}
	for _, m := range chosen {
		file, err := t.shareFile(sharer, project, m, in.Preferences)
		if err != nil {
			out.Refused = append(out.Refused, api.Refused{ID: m.ID, Title: m.Title, Why: err.Error()})
			continue
		}
		if in.Server {
			file.There, err = t.isOnServer(project, &file)
			if err != nil {
				return out, &api.BadRequest{Err: err}
			}
		} else {
			file.There, file.Replaces = findStanding(there, m.ID, file.Name)
		}
		out.Files = append(out.Files, file)
	}
	return out, nil
}

// checkFolder returns an error if nothing can be shared in the repository of a project.
func (t *Teams) checkFolder(project memory.Project) error {
	if holdsUsersHome(project.Path) || sameFolder(filepath.Join(project.Path, repo.Folder), t.home) {
		return fmt.Errorf("%s is the home folder, or one around it, and no repository of a team", project.Path)
	}
	if top, _ := memory.WorkTree(project.Path); top != memory.Follow(project.Path) {
		return errors.New("this folder is in no git repository, so there is nobody to share with")
	}
	return nil
}

// thisMachine returns the names that must not leave this machine.
func thisMachine() repo.Machine {
	var m repo.Machine
	m.Home, _ = os.UserHomeDir()
	m.Host, _ = os.Hostname()
	if u, err := user.Current(); err == nil {
		m.User = u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
	}
	return m
}

// chooseShared returns the memories with the ids, and those of the session that may be
// shared.
func (t *Teams) chooseShared(ctx context.Context, in api.Share) ([]memory.Memory, error) {
	var out []memory.Memory
	for _, id := range in.IDs {
		m, err := t.parts.Store.Get(id)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	if in.Session == "" {
		return checkNumber(out)
	}
	for m, err := range t.parts.Store.All() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("look for what to share: %w", err)
		}
		if m.Session == in.Session && isShareable(m.Source, in.Preferences) && t.parts.Store.SupersededBy(m.ID) == "" {
			out = append(out, m)
		}
	}
	return checkNumber(out)
}

// isShareable reports whether memories of a source may be shared.
func isShareable(src memory.Source, preferences bool) bool {
	return repo.Shareable(src) && (preferences || src != memory.Preferences)
}

func checkNumber(ms []memory.Memory) ([]memory.Memory, error) {
	if len(ms) > maxShared {
		return nil, &api.BadRequest{Err: fmt.Errorf("%d memories are more than you can look through (%d at most)", len(ms), maxShared)}
	}
	return ms, nil
}

// shareFile returns the file of a memory, or an error that says why it is not shared.
func (t *Teams) shareFile(sharer *repo.Sharer, project memory.Project, m memory.Memory, preferences bool) (api.SharedFile, error) {
	switch by := t.parts.Store.SupersededBy(m.ID); {
	case m.Source == memory.Preferences && !preferences:
		return api.SharedFile{}, errors.New("a wish of yours, which is shared only with --preferences")
	case !m.Everywhere() && !m.Home().Same(project):
		return api.SharedFile{}, fmt.Errorf("of another project, %s", m.Project)
	case by != "":
		return api.SharedFile{}, errors.New("out of date: " + by + " replaces it")
	}
	s, err := sharer.Of(m, time.Now())
	if err != nil {
		return api.SharedFile{}, err
	}
	return api.SharedFile{ID: m.ID, Name: s.Name(), Text: s.Markdown()}, nil
}

// isOnServer reports whether the team's server has the file, with the same text, from this member.
func (t *Teams) isOnServer(project memory.Project, f *api.SharedFile) (same bool, err error) {
	member, err := t.Stream.Member()
	if err != nil {
		return false, err
	}
	if _, err := repo.ParseReceived(f.ID, []byte(f.Text), time.Now()); err != nil {
		return false, fmt.Errorf("%s %w", f.ID, err)
	}
	m, err := t.parts.Store.Get(repo.ReceivedID(project.Remote, member, f.ID))
	return err == nil && repo.Version(&m) == repo.VersionOf(project.Remote, member, f.ID, []byte(f.Text)), nil
}

// findStanding reports whether the file name exists, and returns the other files with the memory id of
// the user: older versions, or versions under another name of the author.
func findStanding(there []repo.File, id, name string) (same bool, older []string) {
	for i := range there {
		f := &there[i]
		readable := f.Err == nil || errors.Is(f.Err, repo.ErrSame)
		switch {
		case f.Name == name:
			same = true
		case readable && f.Shared.ID == id && !slices.Contains(older, f.Name):
			older = append(older, f.Name)
		}
	}
	return same, older
}
