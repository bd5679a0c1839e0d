package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"recollect/internal/capture/survey"
	"recollect/internal/memory"
	"recollect/internal/system/crash"
)

// Project writes down what the files of a project say of it, unless it is
// known. The home folder and what holds it are no projects.
func (c *Capture) Project(ctx context.Context, project memory.Project) error {
	user, err := os.UserHomeDir()
	isAboveUser := err == nil && liesIn(user, project.Path)
	if project.Path == "" || isAboveUser || filepath.Dir(project.Path) == project.Path {
		return nil
	}
	var d memory.Draft
	var ok bool
	err = crash.Catch(func() error {
		d, ok = survey.Describe(project.Path, project)
		return nil
	})
	if err != nil || !ok {
		return err
	}
	defer c.begin(ctx)()
	b := batch{capture: c}
	if err := b.learn(d, false); err != nil {
		return fmt.Errorf("register %s: %w", project.Path, err)
	}
	return b.finish(ctx)
}

// liesIn reports whether path is folder or lies in it.
func liesIn(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
