package memory

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// commonGitDir returns the git folder that all work trees of the repository at dir share, or "".
func commonGitDir(dir string) string {
	common, _ := findGitDir(dir)
	return common
}

// findGitDir does what commonGitDir does, and reports whether dir has a git folder at all. A .git file
// can point to the git folder of any repository, so it counts only if that repository points back to dir.
func findGitDir(dir string) (common string, found bool) {
	entry := filepath.Join(dir, ".git")
	fi, err := os.Lstat(entry)
	if err != nil {
		return "", false
	}
	gitDir := entry
	if !fi.IsDir() {
		if gitDir = target(entry, fi); gitDir == "" {
			return "", false
		}
	}
	if _, err := os.Stat(filepath.Join(gitDir, "HEAD")); err != nil {
		return "", false
	}
	known := fi.IsDir() || knowsModule(gitDir, dir)
	common = gitDir
	if b, err := readGit(filepath.Join(gitDir, "commondir")); err == nil {
		common = joinFrom(gitDir, strings.TrimSpace(string(b)))
		known = knowsWorkTree(common, gitDir, dir)
	}
	if !known {
		return "", true
	}
	return common, true
}

// target returns the folder to which a file or link called .git points, or "".
func target(entry string, fi os.FileInfo) string {
	if fi.Mode()&os.ModeSymlink != 0 {
		real, err := filepath.EvalSymlinks(entry)
		if fi, statErr := os.Stat(entry); err == nil && statErr == nil && fi.IsDir() {
			return real
		}
		if err != nil {
			return ""
		}
		entry = real
	}
	b, err := readGit(entry)
	path, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir:")
	if err != nil || !ok {
		return ""
	}
	return joinFrom(filepath.Dir(entry), strings.TrimSpace(path))
}

// knowsWorkTree reports whether the repository with the git folder common uses gitDir for the work tree
// dir. git always writes the path of the work tree; if the file is missing, no other folder is named
// there, so dir is believed.
func knowsWorkTree(common, gitDir, dir string) bool {
	if !same(filepath.Dir(gitDir), filepath.Join(common, "worktrees")) {
		return false
	}
	b, err := readGit(filepath.Join(gitDir, "gitdir"))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return same(filepath.Dir(joinFrom(gitDir, strings.TrimSpace(string(b)))), dir)
}

// knowsModule reports whether a git folder belongs to the work tree dir. It names dir as its work tree,
// as that of a submodule does. If it names none, it must be among the modules of a repository that
// contains dir.
func knowsModule(gitDir, dir string) bool {
	if tree := configValue(gitDir, "core", "worktree"); tree != "" {
		return same(joinFrom(gitDir, tree), dir)
	}
	for d := filepath.Dir(dir); ; d = filepath.Dir(d) {
		if rel, err := filepath.Rel(filepath.Join(d, ".git", "modules"), gitDir); err == nil && rel != "." && filepath.IsLocal(rel) {
			return true
		}
		if filepath.Dir(d) == d {
			return false
		}
	}
}

// same reports whether two paths lead to the same file.
func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// configValue returns the value of a key in a section of a git folder's config, or "".
func configValue(gitDir, section, key string) string {
	b, err := readGit(filepath.Join(gitDir, "config"))
	if err != nil {
		return ""
	}
	in := false
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if strings.HasPrefix(line, "[") {
			in = strings.EqualFold(strings.ReplaceAll(line, " ", ""), "["+section+"]")
			continue
		}
		if k, value, ok := strings.Cut(line, "="); in && ok && strings.EqualFold(strings.TrimSpace(k), key) {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// originRemote reads the address of the remote "origin" from a git folder's config and returns it in
// normal form, or "".
func originRemote(gitDir string) string {
	return normalRemote(configValue(gitDir, `remote"origin"`, "url"))
}
