package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
)

// A place is where a command works: the folder that it acts as if it was typed in, and the project
// whose memories it is about. Both mean the same in every command.
type place struct {
	dir     string
	project string
	all     bool
}

// dirFlag adds --dir.
func (p *place) dirFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.dir, "dir", "", "act as in this `folder` (default: the current one)")
	cmd.MarkFlagDirname("dir")
}

// projectFlag adds --project; what is what it does to the memories of a project.
func (p *place) projectFlag(cmd *cobra.Command, what string) {
	cmd.Flags().StringVar(&p.project, "project", "", what+": its `name`, or a folder in it")
}

// listFlags adds the flags of a list, which is of the project at hand unless they say otherwise.
func (p *place) listFlags(cmd *cobra.Command) {
	p.dirFlag(cmd)
	p.projectFlag(cmd, "only memories of this project (default: that of the folder, with what holds everywhere)")
	cmd.Flags().BoolVar(&p.all, "all", false, "memories of all projects")
}

// folder returns the folder to act in.
func (p *place) folder() (string, error) {
	if p.dir == "" {
		return here(), nil
	}
	return absolutePath(p.dir)
}

// named returns the project: a name as it is, a folder with its whole path.
func (p *place) named() (string, error) {
	if !strings.ContainsAny(p.project, `/\`) && p.project != "." && p.project != ".." && p.project != "~" {
		return p.project, nil
	}
	return absolutePath(p.project)
}

// read returns both.
func (p *place) read() (folder, project string, err error) {
	folder, dirErr := p.folder()
	project, err = p.named()
	return folder, project, errors.Join(dirErr, err)
}

// where checks the flags of a list, and limit, and returns what they select.
func (p *place) where(limit int) (api.Where, error) {
	if limit < 1 {
		return api.Where{}, cli.Usage(fmt.Errorf("limit %d: must be 1 or more", limit))
	}
	if p.all && p.project != "" {
		return api.Where{}, cli.Usage(errors.New("--all and --project exclude each other"))
	}
	folder, project, err := p.read()
	return api.Where{Cwd: folder, Project: project, All: p.all}, err
}

// absolutePath returns the whole path of a folder, which need not exist. A shell leaves the ~ of
// --dir=~/src as it is.
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
