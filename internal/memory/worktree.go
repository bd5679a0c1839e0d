package memory

import "path/filepath"

// WorkTree returns the top of the git work tree that contains dir, and the top of the main work tree of
// its repository; both are "" if there is none. It recognizes repositories as FindProject does. dir need
// not exist, and links in it are followed.
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

// Follow follows the links in a path, as far as the path exists.
func Follow(path string) string { return resolve(path) }
