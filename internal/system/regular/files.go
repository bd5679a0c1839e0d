package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files lists the regular files at root that are wanted, sorted: root itself if it is a file (isRoot),
// else those below it. It does not enter folders whose name skip accepts, or follow links in a folder. It
// reports folders that cannot be read together with what it found.
func Files(root string, wanted func(path string, isRoot bool) bool, skip func(folder string) bool) ([]string, error) {
	named := root
	root, err := filepath.EvalSymlinks(named)
	if err != nil {
		return nil, fmt.Errorf("look in %s: %w", named, err)
	}
	var files []string
	var problems []error
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && path != root && skip(d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() && wanted(path, path == root):
			files = append(files, path)
		case path == root && !d.IsDir():
			problems = append(problems, fmt.Errorf("%s: must be a folder, or a file that can be read", root))
		}
		return nil
	})
	slices.Sort(files)
	return files, errors.Join(append(problems, err)...)
}

// Ending lists the paths in a folder whose name has an ending, sorted. Unlike filepath.Glob, it treats no
// character of the folder's path specially.
func Ending(dir, ending string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}
