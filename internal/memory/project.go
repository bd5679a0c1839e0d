package memory

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"recollect/internal/system/regular"
)

// A Project is the repository, or the folder outside any repository, that a memory belongs to. Name is
// for display; Path and Remote identify it.
type Project struct {
	Name   string `json:"name,omitempty"`
	Path   string `json:"path,omitempty"`   // root of the main work tree
	Remote string `json:"remote,omitempty"` // host/owner/name of "origin", without credentials
}

// Same reports whether p and q are one project: they have the same remote or the same root. Two checkouts
// that only share a name are two projects, but a project that has only a name is the same as any with
// that name.
func (p Project) Same(q Project) bool {
	if p.Remote != "" && p.Remote == q.Remote {
		return true
	}
	if p.nameOnly() || q.nameOnly() {
		return p.Name == q.Name
	}
	return p.Path != "" && p.Path == q.Path
}

func (p Project) nameOnly() bool { return p.Path == "" && p.Remote == "" }

// Zero reports whether p names no project at all.
func (p Project) Zero() bool { return p == Project{} }

// FindProject returns the project that contains dir: its git repository, which is the same for every work
// tree and sub-folder; else the folder below workspaceRoot that contains dir; else dir itself. dir need
// not exist. FindProject follows links, so that a folder is one project whatever path leads to it.
func FindProject(dir, workspaceRoot string) Project {
	if dir == "" {
		return Project{}
	}
	dir = resolve(dir)
	for d := dir; ; d = filepath.Dir(d) {
		common, found := findGitDir(d)
		if found && common == "" {
			return Project{Name: filepath.Base(d), Path: d}
		}
		if found {
			root := d
			if filepath.Base(common) == ".git" {
				root = filepath.Dir(common)
			}
			return Project{Name: filepath.Base(root), Path: root, Remote: originRemote(common)}
		}
		if filepath.Dir(d) == d {
			break
		}
	}
	if workspaceRoot != "" {
		workspaceRoot = resolve(workspaceRoot)
	}
	if rel, err := filepath.Rel(workspaceRoot, dir); workspaceRoot != "" && err == nil && isWithin(rel) {
		name, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		return Project{Name: name, Path: filepath.Join(workspaceRoot, name)}
	}
	return Project{Name: filepath.Base(dir), Path: dir}
}

// resolve follows the links in a path, as far as the path exists.
func resolve(path string) string {
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

// maxGitFile is the number of bytes that are read of one of git's own files.
const maxGitFile = 1 << 20

// readGit reads one of git's own files. A foreign folder may contain anything in its place.
func readGit(path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxGitFile))
}

func joinFrom(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// normalRemote reduces a remote's address to host/path, so that the ssh and https forms of one repository
// are equal and no credentials are stored. It returns "" for a local path, because no other machine or
// clone shares it.
func normalRemote(addr string) string {
	if !strings.Contains(addr, "://") {
		host, path, ok := strings.Cut(addr, ":")
		if !ok || strings.ContainsAny(host, `/\`) || len(host) < 2 {
			return ""
		}
		addr = "ssh://" + host + "/" + path
	}
	u, err := url.Parse(addr)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	path := strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
	if path == "" {
		return ""
	}
	return strings.ToLower(u.Hostname()) + "/" + path
}

// isWithin reports whether a relative path leads into the folder, and not to the folder itself.
func isWithin(rel string) bool { return rel != "." && filepath.IsLocal(rel) }
