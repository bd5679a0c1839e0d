package replica

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Sync brings the memories of m together with those in a target, an absolute path of a folder. With
// anew set everything is read again, and all of our own segments are written again.
func (m *Machine) Sync(ctx context.Context, to string, anew bool) (api.Synced, error) {
	to, err := Locate(to)
	if err != nil {
		return api.Synced{}, &api.BadRequest{Err: err}
	}
	s, err := openState(m.Home, to, sourceNames(m.Sources))
	if err != nil {
		return api.Synced{}, err
	}
	done, err := m.syncFolder(ctx, to, s, anew)
	done.Target = to
	if err != nil {
		return done, fmt.Errorf("sync %s: %w", to, err)
	}
	return done, nil
}

// Locate returns a target as Sync wants it.
func Locate(to string) (string, error) {
	if strings.Contains(to, "://") {
		return "", fmt.Errorf("target %q: must be a folder", to)
	}
	if !filepath.IsAbs(to) {
		return "", fmt.Errorf("target %q: must be an absolute path", to)
	}
	return filepath.Clean(to), nil
}

func (m *Machine) syncFolder(ctx context.Context, dir string, s *state, anew bool) (api.Synced, error) {
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

// Leave removes from a target what this machine has written there, and forgets the target. What
// other machines have received stays with them.
func (m *Machine) Leave(ctx context.Context, to string) error {
	to, err := Locate(to)
	if err != nil {
		return &api.BadRequest{Err: err}
	}
	f, err := openFolder(to)
	if err != nil {
		return fmt.Errorf("leave %s: %w", to, err)
	}
	defer f.root.Close()
	if err := f.root.RemoveAll(filepath.Join(top, m.Writer)); err != nil {
		return fmt.Errorf("leave %s: %w", to, err)
	}
	if err := os.Remove(stateFile(m.Home, to) + ".json"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func sourceNames(sources []memory.Source) string {
	names := make([]string, len(sources))
	for i, src := range sources {
		names[i] = string(src)
	}
	return strings.Join(names, ",")
}
