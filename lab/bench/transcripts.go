package bench

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"

	"recollect/internal/agents/transcript"
	"recollect/internal/capture"
	"recollect/internal/config"
	"recollect/internal/memory"
)

// projectsName is the folder of the transcripts, as in Claude Code's own folder.
const projectsName = "projects"

// importTranscripts opens an engine with the memories from the transcripts below dir/projects.
func importTranscripts(ctx context.Context, dir string, settings config.Settings, log *slog.Logger) (*tempEngine, error) {
	root := filepath.Join(dir, projectsName)
	paths, err := transcript.Files(root)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("import %s: there is no transcript", root)
	}
	return openEngine(ctx, settings, log, func(ctx context.Context, e *tempEngine) error {
		if err := e.importAll(ctx, paths); err != nil {
			return fmt.Errorf("import %s: %w", root, err)
		}
		return nil
	})
}

// importAll captures transcripts as hooks do, which is without the handoffs that an import writes.
func (e *tempEngine) importAll(ctx context.Context, paths []string) error {
	c := capture.New(filepath.Join(e.dir, "sessions"), e.Store, e.Append)
	for _, path := range paths {
		done, err := c.File(ctx, capture.Input{Path: path}, projectOf)
		if err != nil {
			return err
		}
		e.skipped += done.Skipped
	}
	for m, err := range e.Store.All() {
		if err != nil {
			return err
		}
		e.memories = append(e.memories, m)
		if m.When().After(e.newest) {
			e.newest = m.When()
		}
	}
	return nil
}

// projectOf returns the project of a folder as recorded for a session there.
func projectOf(dir string) memory.Project { return memory.FindProject(dir, "") }

// projectsOf lists the projects of memories, by path. Memories without a project give the zero project.
func projectsOf(ms []memory.Memory) []memory.Project {
	var all []memory.Project
	for i := range ms {
		if project := ms[i].Home(); !slices.Contains(all, project) {
			all = append(all, project)
		}
	}
	slices.SortFunc(all, func(a, b memory.Project) int {
		return slices.Compare([]string{a.Path, a.Remote, a.Name}, []string{b.Path, b.Remote, b.Name})
	})
	return all
}
