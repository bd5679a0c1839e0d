package memory

import "path/filepath"

// WorkTree returns the top of the git work tree that dir lies in, and that of the main work tree
// of its repository; "" if dir lies in none. What counts as a repository is what does for
// FindProject. dir need not exist, and links in it are followed.
func WorkTree(dir string) (top, main string) {
	for d := Follow(dir); ; d = filepath.Dir(d) {
		if common := commonGitDir(filepath.Join(d, ".git")); common != "" {
			if filepath.Base(common) == ".git" {
				return d, filepath.Dir(common)
			}
			return d, d
		}
		if filepath.Dir(d) == d {
			return "", ""
		}
	}
}

// Follow returns a path without the links in it, as far as it exists.
func Follow(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if filepath.Dir(dir) == dir {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
