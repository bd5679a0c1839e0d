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
// else those below it. Folders for whose name skip is true are left out, and links
// in a folder are not followed. Folders that cannot be read are reported together with what was
// found.
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

// Ending lists what in a folder has a name with an ending, sorted. Unlike in a pattern, every
// character of the folder's path stands for itself.
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
