package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testRelease returns a release of the repository into a folder of the test.
func testRelease(t *testing.T) *release {
	t.Helper()
	t.Chdir(filepath.Join("..", "..", ".."))
	r, err := newRelease(filepath.Join(t.TempDir(), "dist"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestChoose(t *testing.T) {
	if all, err := choose(nil); err != nil || len(all) != len(platforms) {
		t.Errorf("choose() = %v, %v, want all", all, err)
	}
	got, err := choose([]string{"windows-arm64", "darwin-amd64"})
	if want := []platform{{"windows", "arm64"}, {"darwin", "amd64"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("choose = %v, %v, want %v", got, err, want)
	}
	if got[0].npm() != "win32-arm64" || got[1].npm() != "darwin-x64" {
		t.Errorf("npm's names are %s and %s", got[0].npm(), got[1].npm())
	}
	if _, err := choose([]string{"plan9-mips"}); err == nil || !strings.Contains(err.Error(), "plan9-mips") {
		t.Errorf("choose of an unknown platform: %v, want an error that names it", err)
	}
}

// TestArchives wants the same bytes for the same files, whatever their order.
func TestArchives(t *testing.T) {
	files := []file{{name: "b/bin/run", content: []byte("x"), executable: true}, {name: "a", content: []byte("text")}}
	for name, pack := range map[string]func([]file) ([]byte, error){"tar": tarball, "zip": zipped} {
		first, err := pack(files)
		if err != nil {
			t.Fatal(err)
		}
		second, err := pack([]file{files[1], files[0]})
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: another order gives other bytes, %v", name, err)
		}
	}
}

// placeholder is what a script has where a release fills something in.
var placeholder = regexp.MustCompile(`@[A-Z]+@`)

// TestMarketplace wants each form of the plugin to name executables that its packages bring.
func TestMarketplace(t *testing.T) {
	r := testRelease(t)
	var packages []npmPackage
	for _, p := range platforms {
		packages = append(packages, npmPackage{platform: p, integrity: "sha512-" + p.String(), sum: "sum-of-" + p.String()})
	}
	if err := r.marketplace(packages); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(r.dir, "marketplace")
	tests := []struct {
		plugin, program string
		packages        []string
	}{
		{"recollect", "${CLAUDE_PLUGIN_ROOT}/node_modules/.bin/recollect-hook", []string{"darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"}},
		{"recollect-windows-amd64", "${CLAUDE_PLUGIN_ROOT}/node_modules/@recollect/win32-x64/bin/recollect-hook.exe", []string{"win32-x64"}},
		{"recollect-windows-arm64", "${CLAUDE_PLUGIN_ROOT}/node_modules/@recollect/win32-arm64/bin/recollect-hook.exe", []string{"win32-arm64"}},
	}
	var list struct {
		Plugins []struct{ Name, Source string }
	}
	decode(t, filepath.Join(dir, ".claude-plugin", "marketplace.json"), &list)
	for i, tt := range tests {
		if got := list.Plugins[i]; got.Name != tt.plugin || got.Source != "./"+tt.plugin {
			t.Errorf("entry %d is %+v, want %s", i, got, tt.plugin)
		}
		at := filepath.Join(dir, tt.plugin)
		if got := programs(t, at); !cmp.Equal(got, []string{tt.program}) {
			t.Errorf("%s: hooks start %v, want %s", tt.plugin, got, tt.program)
		}
		var lock struct {
			Packages map[string]struct{ Version, Integrity string }
		}
		decode(t, filepath.Join(at, "package-lock.json"), &lock)
		if len(lock.Packages) != len(tt.packages)+1 {
			t.Errorf("%s: the lock file has %d packages, want the plugin and %v", tt.plugin, len(lock.Packages), tt.packages)
		}
		for _, name := range tt.packages {
			if got := lock.Packages["node_modules/@recollect/"+name]; got.Version != r.version || !strings.HasPrefix(got.Integrity, "sha512-") {
				t.Errorf("%s: the lock file says %+v of %s", tt.plugin, got, name)
			}
		}
	}
	for name, want := range map[string]string{
		"recollect/scripts/ensure":                   "linux-arm64 sum-of-linux-arm64\n",
		"recollect-windows-arm64/scripts/ensure.cmd": `"%root%\node_modules\@recollect\win32-arm64\bin\recollect-hook.exe"`,
	} {
		script, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if s := string(script); placeholder.MatchString(s) || !strings.Contains(s, want) {
			t.Errorf("%s was not filled in:\n%s", name, s)
		}
	}
}

// programs returns the programs of recollect that a plugin's hooks start.
func programs(t *testing.T, plugin string) []string {
	t.Helper()
	var hooks struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string
				Args    []string
			}
		}
	}
	decode(t, filepath.Join(plugin, "hooks", "hooks.json"), &hooks)
	var out []string
	for _, event := range hooks.Hooks {
		for _, matcher := range event {
			for _, h := range matcher.Hooks {
				if h.Command != "sh" && h.Command != "cmd" && !slices.Contains(out, h.Command) {
					out = append(out, h.Command)
				}
			}
		}
	}
	return out
}

func decode(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestExecutables wants each executable wherever they are listed once more.
func TestExecutables(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	licences, err := os.ReadFile("scripts/licenses")
	if err != nil {
		t.Fatal(err)
	}
	goenv, err := os.ReadFile("scripts/goenv")
	if name, value, _ := strings.Cut(goFlags, "="); err != nil || !strings.Contains(string(goenv), name+"='"+value+"'") {
		t.Errorf("scripts/goenv does not have %s: %v", goFlags, err)
	}
	lists := map[string]string{"files/ensure": string(ensure), "files/install.sh": string(install)}
	for _, e := range executables {
		for name, text := range lists {
			if !slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ;\n", r) }), e.name) {
				t.Errorf("%s does not have %s", name, e.name)
			}
		}
		if !strings.Contains(string(licences), e.sources) {
			t.Errorf("scripts/licenses does not have %s", e.sources)
		}
	}
}
