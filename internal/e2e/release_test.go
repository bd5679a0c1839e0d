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
)

// platform is the folder of a release that is for this machine.
const platform = runtime.GOOS + "-" + runtime.GOARCH

func TestRelease(t *testing.T) {
	k := newKit(t)
	dist := makeRelease(t, k)
	t.Run("checksums", func(t *testing.T) { testChecksums(t, dist) })
	t.Run("licences", func(t *testing.T) { testLicences(t, dist) })
	t.Run("the same twice", func(t *testing.T) {
		if diff := cmp.Diff(checksums(t, dist), checksums(t, makeRelease(t, k))); diff != "" {
			t.Errorf("a second release has other files (-first +second):\n%s", diff)
		}
	})
	installs := []struct{ name, marketplace, plugin string }{
		{"from the marketplace of all platforms", dist, "recollect-" + platform + "@recollect"},
		{"from the folder of one platform", filepath.Join(dist, platform), "recollect@recollect"},
	}
	for _, test := range installs {
		t.Run(test.name, func(t *testing.T) { testReleased(t, k, test.marketplace, test.plugin) })
	}
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
		files["./"+path] = hex.EncodeToString(sum[:])
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
	modules := []string{"go"}
	for _, name := range []string{"recollect", "recollect-hook"} {
		info, err := buildinfo.ReadFile(filepath.Join(dist, platform, "bin", name))
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
	for _, module := range modules {
		files, _ := filepath.Glob(filepath.Join(dist, platform, "licenses", module, "*"))
		if len(files) == 0 {
			t.Errorf("%s is linked, but none of its licences is in the release", module)
		}
	}
}

// testReleased installs a plugin and runs two sessions. However the entry of
// the marketplace is called, commands and tools keep their names.
func testReleased(t *testing.T, k kit, marketplace, plugin string) {
	w := newWorld(t, k)
	w.client.plugin = ""
	claude := func(args ...string) result { return w.must(t, k.client, append([]string{"plugin"}, args...)...) }
	claude("validate", marketplace)
	claude("marketplace", "add", marketplace)
	claude("install", plugin)

	w.teach(t)
	// Told at the start of the session or with the prompt.
	told := w.ask(t, question, []turn{{text: "It is 25."}}).text()
	id := memoryID.FindString(told)
	if id == "" || !strings.Contains(told, key) {
		t.Fatalf("the model got %q, want what was taught, with its id", told)
	}
	if got := w.useTool(t, "what exactly did we note there?", "memory_expand", map[string]any{"ids": []string{id}}); !strings.Contains(got, "HasOpenOrders") {
		t.Errorf("memory_expand %s: the model got %q, want the whole memory", id, got)
	}
	w.api.say(turn{text: "Fine."})
	w.must(t, k.client, "-p", "/recollect:status")
	if want := "version " + version(t, k) + ", "; !strings.Contains(w.api.last(t).text(), want) {
		t.Errorf("/recollect:status did not tell the model %q", want)
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
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
