package machines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
)

const sshScheme = "ssh://"

// Sync synchronizes the memories of m with a target: the absolute path of a folder, or the address of a
// folder on another machine or of a git repository. With anew it reads everything and writes all of
// our own segments again.
func (m *Machine) Sync(ctx context.Context, to string, anew bool) (api.Synced, error) {
	to, err := checkTarget(to)
	if err != nil {
		return api.Synced{}, &api.BadRequest{Err: err}
	}
	var done api.Synced
	if address, ok := gitAddress(to); ok {
		done, err = m.syncGit(ctx, to, address, anew)
	} else if strings.HasPrefix(to, sshScheme) {
		done, err = m.syncSSH(ctx, to, anew)
	} else {
		done, err = m.syncFolder(ctx, to, anew)
	}
	done.Target = to
	if err != nil {
		return done, fmt.Errorf("sync %s: %w", to, err)
	}
	return done, nil
}

// checkTarget checks a target, and returns it in the form that the other functions expect.
func checkTarget(to string) (string, error) {
	if _, ok := gitAddress(to); ok || strings.HasPrefix(to, sshScheme) {
		return to, nil
	}
	if !filepath.IsAbs(to) {
		return "", fmt.Errorf("target %q: must be an absolute path, or begin with ssh://, git+ssh://, git+https:// or git+file://", to)
	}
	return filepath.Clean(to), nil
}

func (m *Machine) syncFolder(ctx context.Context, dir string, anew bool) (api.Synced, error) {
	s, err := m.openState(dir)
	if err != nil {
		return api.Synced{}, err
	}
	f, err := openFolder(dir)
	if err != nil {
		return api.Synced{}, err
	}
	defer f.root.Close()
	done, err := m.sync(ctx, f, s, anew)
	if err != nil {
		return done, err
	}
	return done, s.save()
}

// Leave removes this machine's segments from a target, and forgets the target. Other machines keep the
// memories that they have received.
func (m *Machine) Leave(ctx context.Context, to string) error {
	to, err := checkTarget(to)
	if err != nil {
		return &api.BadRequest{Err: err}
	}
	if address, ok := gitAddress(to); ok {
		err = m.leaveGit(ctx, to, address)
	} else if strings.HasPrefix(to, sshScheme) {
		err = m.leaveSSH(ctx, to)
	} else {
		err = m.leaveFolder(to)
	}
	if err != nil {
		return fmt.Errorf("leave %s: %w", to, err)
	}
	if err := os.Remove(stateFile(m.Home, to) + ".json"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (m *Machine) syncSSH(ctx context.Context, to string, anew bool) (api.Synced, error) {
	r, err := parseSSH(to)
	if err != nil {
		return api.Synced{}, err
	}
	s, err := m.openState(to)
	if err != nil {
		return api.Synced{}, err
	}
	done, err := m.sync(ctx, r, s, anew)
	if err != nil {
		return done, err
	}
	return done, s.save()
}

func (m *Machine) leaveSSH(ctx context.Context, to string) error {
	r, err := parseSSH(to)
	if err != nil {
		return err
	}
	return r.leave(ctx, m.Writer)
}

func (m *Machine) leaveFolder(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.root.Close()
	return f.root.RemoveAll(path.Join(top, m.Writer))
}

func sourceNames(sources []memory.Source) string {
	names := make([]string, len(sources))
	for i, src := range sources {
		names[i] = string(src)
	}
	return strings.Join(names, ",")
}
