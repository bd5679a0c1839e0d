//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A shop is what a release is installed from: an npm registry and a git server,
// both on loopback.
type shop struct {
	npm, git *httptest.Server
	bare     string // the repository of the marketplace

	mu       sync.Mutex
	packages map[string][]byte // by the name of their file
	fetched  []string
	bytes    int
	cutShort bool // the registry hangs up in the middle of a package
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{packages: map[string][]byte{}, bare: filepath.Join(t.TempDir(), "recollect.git")}
	s.npm = httptest.NewServer(http.HandlerFunc(s.registry))
	t.Cleanup(s.npm.Close)
	runGit(t, "", "init", "-q", "--bare", "-b", "main", s.bare)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	s.git = httptest.NewServer(&cgi.Handler{
		Path: git, Args: []string{"http-backend"},
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(s.bare), "GIT_HTTP_EXPORT_ALL=1"},
	})
	t.Cleanup(s.git.Close)
	return s
}

// marketplace is the address that a user adds.
func (s *shop) marketplace() string { return s.git.URL + "/" + filepath.Base(s.bare) }

// publish puts a release on the servers, as scripts/publish would.
func (s *shop) publish(t *testing.T, dist string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dist, "npm", "*.tgz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no packages in %s: %v", dist, err)
	}
	s.mu.Lock()
	for _, f := range files {
		s.packages[filepath.Base(f)] = []byte(readFile(t, f))
	}
	s.mu.Unlock()
	work := t.TempDir()
	runGit(t, "", "clone", "-q", s.bare, work)
	runGit(t, work, "rm", "-rfq", "--ignore-unmatch", ".")
	copyTree(t, filepath.Join(dist, "marketplace"), work)
	runGit(t, work, "add", "-A")
	runGit(t, work, "-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "release", "--allow-empty")
	runGit(t, work, "push", "-q", "origin", "HEAD:main")
}

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// registry answers as one of npm does: with the description of a package, or its file.
func (s *shop) registry(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, "/")
	if file, ok := strings.CutPrefix(path, "files/"); ok { // of the release itself
		path = "release/-/" + file
	}
	if name, file, ok := strings.Cut(path, "/-/"); ok {
		b, ok := s.packages[file]
		if !ok {
			http.NotFound(w, r)
			return
		}
		s.fetched, s.bytes = append(s.fetched, name), s.bytes+len(b)
		w.Header().Set("Content-Length", fmt.Sprint(len(b)))
		if s.cutShort {
			w.Write(b[:len(b)/2])
			panic(http.ErrAbortHandler)
		}
		w.Write(b)
		return
	}
	scope, platform, _ := strings.Cut(strings.TrimPrefix(path, "@"), "/")
	versions := map[string]any{}
	for file := range s.packages {
		version, ok := strings.CutPrefix(strings.TrimSuffix(file, ".tgz"), scope+"-"+platform+"-")
		if !ok {
			continue
		}
		versions[version] = map[string]any{
			"name": path, "version": version,
			"dist": map[string]string{"tarball": s.npm.URL + "/" + path + "/-/" + file},
		}
	}
	if len(versions) == 0 {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"name": path, "versions": versions})
}

// deliver makes the registry work, or hang up in the middle of each package.
func (s *shop) deliver(whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutShort = !whole
}

// orders returns the packages that were fetched since the last call, and their bytes.
func (s *shop) orders() ([]string, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fetched, bytes := s.fetched, s.bytes
	s.fetched, s.bytes = nil, 0
	return fetched, bytes
}
