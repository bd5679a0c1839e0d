package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
)

// A Place is where a command works: its folder, as if it had been typed there, and the project whose
// memories it is about. The flags mean the same in every command.
type Place struct {
	Dir     string
	Project string
	All     bool
}

// AddDirFlag adds --dir.
func (p *Place) AddDirFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.Dir, "dir", "", "act as in this `folder` (default: the current one)")
	cmd.MarkFlagDirname("dir")
}

// AddProjectFlag adds --project; what describes what the flag does.
func (p *Place) AddProjectFlag(cmd *cobra.Command, what string) {
	cmd.Flags().StringVar(&p.Project, "project", "", what+": its `name`, or a folder in it")
}

// AddListFlags adds the flags of a list. By default it lists the memories of the current project.
func (p *Place) AddListFlags(cmd *cobra.Command) {
	p.AddDirFlag(cmd)
	p.AddProjectFlag(cmd, "only memories of this project (default: that of the folder, with what holds everywhere)")
	cmd.Flags().BoolVar(&p.All, "all", false, "memories of all projects")
}

// Folder returns the absolute path of the folder.
func (p *Place) Folder() (string, error) {
	if p.Dir == "" {
		return WorkingDir(), nil
	}
	return absolutePath(p.Dir)
}

// Named returns the project: a name unchanged, or the absolute path of a folder.
func (p *Place) Named() (string, error) {
	if isPath(p.Project) {
		return absolutePath(p.Project)
	}
	return p.Project, nil
}

// isPath reports whether a user names a project by a folder.
func isPath(word string) bool {
	return strings.ContainsAny(word, `/\`) || slices.Contains([]string{".", "..", "~"}, word)
}

// Read returns Folder and Named.
func (p *Place) Read() (folder, project string, err error) {
	folder, dirErr := p.Folder()
	project, err = p.Named()
	return folder, project, errors.Join(dirErr, err)
}

// Where checks the flags of a list, and its limit, and returns what they select.
func (p *Place) Where(limit int) (api.Where, error) {
	if limit < 1 {
		return api.Where{}, cli.Usage(fmt.Errorf("limit %d: must be 1 or more", limit))
	}
	if p.All && p.Project != "" {
		return api.Where{}, cli.Usage(errors.New("--all and --project exclude each other"))
	}
	folder, project, err := p.Read()
	return api.Where{Cwd: folder, Project: project, All: p.All}, err
}

// absolutePath returns the absolute path of a folder, which need not exist. It expands a leading ~,
// because shells do not expand that of --dir=~/src.
func absolutePath(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find folder %s: %w", path, err)
		}
		return filepath.Join(home, rest), nil
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find folder %s: %w", path, err)
	}
	return whole, nil
}
