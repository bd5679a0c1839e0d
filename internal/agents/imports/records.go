package imports

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
)

// database reads the database of a program.
func (r *reader) database(ctx context.Context) error {
	return runImporter(ctx, r.program, r.path, r.line)
}

// line passes on a record as a memory, or an error that something cannot be read.
func (r *reader) line(line record.Line) error {
	switch rec := line.Record; {
	case line.Unread != "":
		return r.skip(errors.New(line.Unread))
	case rec != nil && len(rec.ID) > 0:
		return r.record(*rec)
	}
	return nil
}

func (r *reader) record(rec record.Record) error {
	home := r.projectOf(rec.Folder, rec.Project)
	rec.Files = within(home, rec.Files...)
	return r.emit(rec.Draft(home), rec.Kind, rec.ID...)
}

// projectOf returns the project of a folder if it has the given name, else a project with only that name.
func (r *reader) projectOf(dir, name string) memory.Project {
	if filepath.IsAbs(dir) {
		if p := r.project(dir); name == "" || strings.EqualFold(p.Name, name) || strings.EqualFold(filepath.Base(dir), name) {
			return p
		}
	}
	return memory.Project{Name: name}
}

// within makes paths below a project relative to it.
func within(home memory.Project, paths ...string) []string {
	for i, path := range paths {
		if home.Path != "" && filepath.IsAbs(path) {
			if rel, err := filepath.Rel(home.Path, path); err == nil && filepath.IsLocal(rel) {
				path = rel
			}
		}
		paths[i] = filepath.ToSlash(path)
	}
	return paths
}
