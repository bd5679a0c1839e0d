package memory

import "path/filepath"

// WorkTree returns the top of the git work tree that dir lies in, and that of the main work tree
// of its repository; "" if dir lies in none. What counts as a repository is what does for
// FindProject. dir need not exist, and links in it are followed.
func WorkTree(dir string) (top, main string) {
	for d := resolve(dir); ; d = filepath.Dir(d) {
		if common := commonGitDir(d); common != "" {
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
func Follow(path string) string { return resolve(path) }
