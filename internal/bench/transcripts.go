package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/capture"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/transcript"
)

// projectsName is the folder of the transcripts, as below Claude Code's own.
const projectsName = "projects"

// A past is a home filled from transcripts.
type past struct {
	*home
	memories []memory.Memory
	newest   time.Time
	skipped  int // unreadable lines
}

// importPast imports the transcripts below dir/projects into a home of their
// own.
func importPast(ctx context.Context, dir string, settings config.Settings, log *slog.Logger) (*past, error) {
	root := filepath.Join(dir, projectsName)
	paths, err := transcript.Files(root)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("import %s: there is no transcript", root)
	}
	h, err := openHome(ctx, settings, log)
	if err != nil {
		return nil, err
	}
	p := &past{home: h}
	if err := p.importAll(ctx, paths); err != nil {
		return nil, errors.Join(fmt.Errorf("import %s: %w", root, err), h.close())
	}
	return p, nil
}

// importAll captures the transcripts as the daemon does.
func (p *past) importAll(ctx context.Context, paths []string) error {
	offsets := filepath.Join(p.dir, "sessions")
	if err := os.Mkdir(offsets, 0o700); err != nil {
		return err
	}
	c := capture.New(offsets, p.store, p.put)
	for _, path := range paths {
		done, err := c.File(ctx, capture.Input{Path: path}, projectOf)
		if err != nil {
			return err
		}
		p.skipped += done.Skipped
	}
	for m, err := range p.store.All() {
		if err != nil {
			return err
		}
		p.memories = append(p.memories, m)
		if m.When().After(p.newest) {
			p.newest = m.When()
		}
	}
	return nil
}

// projectOf returns the project of a folder as recorded for a session there.
func projectOf(dir string) memory.Project { return memory.FindProject(dir, "") }

// homes lists the projects that have memories, by path; the zero project
// stands for memories without one.
func homes(ms []memory.Memory) []memory.Project {
	var all []memory.Project
	for i := range ms {
		if home := ms[i].Home(); !slices.Contains(all, home) {
			all = append(all, home)
		}
	}
	slices.SortFunc(all, func(a, b memory.Project) int {
		return slices.Compare([]string{a.Path, a.Remote, a.Name}, []string{b.Path, b.Remote, b.Name})
	})
	return all
}
