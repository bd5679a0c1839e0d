//go:build e2e

package e2e

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect"
)

// platform is this machine's, as Go names it, and npmPlatform as npm does.
const platform = runtime.GOOS + "-" + runtime.GOARCH

var npmPlatform = runtime.GOOS + "-" + strings.Replace(runtime.GOARCH, "amd64", "x64", 1)

// TestRelease makes two releases, and installs from them in all ways.
func TestRelease(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dist := makeRelease(t, k)
	t.Run("checksums", func(t *testing.T) { testChecksums(t, dist) })
	t.Run("licences", func(t *testing.T) { testLicences(t, dist) })
	t.Run("valid", func(t *testing.T) {
		w := newWorld(t, k)
		for _, dir := range []string{"marketplace", "marketplace/recollect"} {
			w.must(t, k.client, "plugin", "validate", filepath.Join(dist, dir))
		}
	})
	t.Run("the same twice", func(t *testing.T) {
		elsewhere := t.TempDir()
		copyTracked(t, k.root, elsewhere)
		if diff := cmp.Diff(checksums(t, dist), checksums(t, makeRelease(t, kit{root: elsewhere}))); diff != "" {
			t.Errorf("a second release, made in another folder, has other files (-first +second):\n%s", diff)
		}
	})
	shop := newShop(t)
	next := makeNextRelease(t, k, shop)
	t.Run("readme", func(t *testing.T) { testReadme(t, k, shop, dist) })
	t.Run("life", func(t *testing.T) { testLife(t, k, shop, dist, next) })
	t.Run("healing", func(t *testing.T) { testHealing(t, k, shop, dist, next) })
	t.Run("command", func(t *testing.T) { testCommand(t, k, shop, next) })
}

// makeRelease makes a release for this machine and returns its folder.
func makeRelease(t *testing.T, k kit) string {
	t.Helper()
	dist := filepath.Join(t.TempDir(), "dist")
	cmd := exec.CommandContext(t.Context(), filepath.Join(k.root, "scripts", "release"), "-o", dist, "host")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("scripts/release: %v\n%s", err, out)
	}
	return dist
}

// checksums reads what SHA256SUMS says of each file.
func checksums(t *testing.T, dist string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for line := range strings.Lines(readFile(t, filepath.Join(dist, "SHA256SUMS"))) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		sums[name] = sum
	}
	return sums
}

// testChecksums wants each file but SHA256SUMS itself in there, as it is.
func testChecksums(t *testing.T, dist string) {
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dist), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "SHA256SUMS" {
			return err
		}
		sum := sha256.Sum256([]byte(readFile(t, filepath.Join(dist, path))))
		files[path] = hex.EncodeToString(sum[:])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files, checksums(t, dist)); diff != "" {
		t.Errorf("SHA256SUMS (-files +listed):\n%s", diff)
	}
}

// testLicences asks the executables themselves what they link.
func testLicences(t *testing.T, dist string) {
	dir := t.TempDir()
	unzip(t, filepath.Join(dist, "archives", "recollect-"+recollect.Version()+"-"+platform+".zip"), dir)
	modules := []string{"go"}
	for _, name := range []string{"recollect", "recollect-hook", "recollect-import"} {
		info, err := buildinfo.ReadFile(filepath.Join(dir, "bin", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, dep := range info.Deps {
			modules = append(modules, dep.Path)
		}
	}
	if len(modules) < 10 {
		t.Fatalf("only %d modules are linked", len(modules))
	}
	bill := readFile(t, filepath.Join(dist, "sbom.json"))
	for _, module := range modules {
		files, _ := filepath.Glob(filepath.Join(dir, "licenses", module, "*"))
		if len(files) == 0 {
			t.Errorf("%s is linked, but none of its licences is in the release", module)
		}
		if module != "go" && !strings.Contains(bill, `"`+module+`"`) {
			t.Errorf("%s is linked, but not in sbom.json", module)
		}
	}
}

// version is what plugin.json states.
func version(t *testing.T, k kit) string {
	t.Helper()
	var manifest struct{ Version string }
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(k.root, ".claude-plugin", "plugin.json"))), &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Version
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
