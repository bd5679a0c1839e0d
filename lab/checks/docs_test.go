package checks

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
)

// What the README and the page for users say of hooks and defaults must be so.
func TestReadme(t *testing.T) {
	readme := read(t, "../../README.md")
	using := read(t, "../../docs/using.md")
	c := config.Default()
	for _, want := range []string{
		fmt.Sprintf("at most %d memories and %d tokens", c.Budget.Items, c.Budget.Tokens),
		"scripts/try ", "scripts/test ",
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
	for event, want := range map[string]string{
		"SessionStart":     fmt.Sprintf("at most %d tokens", c.Orientation.Tokens),
		"UserPromptSubmit": fmt.Sprintf("at most %d memories and %d tokens", c.Budget.Items, c.Budget.Tokens),
		"PreToolUse":       fmt.Sprintf("at most %d memories and %d tokens", c.Tools.Items, c.Tools.Tokens),
	} {
		if _, row, _ := strings.Cut(using, "| `"+event+"` |"); !strings.Contains(strings.SplitN(row, "\n", 2)[0], want) {
			t.Errorf("docs/using.md does not say %q of %s", want, event)
		}
	}
	var events []string
	for _, line := range strings.Split(using, "\n") {
		if cells := strings.Split(line, "`"); strings.HasPrefix(line, "| `") && len(cells) > 2 && (strings.Contains(line, " s |") || strings.Contains(line, " ms |")) {
			events = append(events, cells[1])
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(hooks(t))), slices.Sorted(slices.Values(events))); diff != "" {
		t.Errorf("docs/using.md has other events than hooks.json:\n%s", diff)
	}
}

// What a document points to: a test, a script of the commands, and a document
// or a part of one.
var (
	namedTest   = regexp.MustCompile(`\bTest[A-Z]\w*`)
	namedScript = regexp.MustCompile(`\b\w+\.txtar\b`)
	namedPlace  = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	testFunc    = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	namedPath   = regexp.MustCompile(`(?m)(?:^|[\s("'=./])((?:internal|cmd|lab)/[\w./-]*[\w-])`)
	heading     = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// Each file and folder of the sources that a script or NOTICE names is there.
func TestScriptsNameWhatThereIs(t *testing.T) {
	scripts, err := filepath.Glob("../../scripts/*")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	named := 0
	for _, name := range append(scripts, "../../NOTICE", "../../.ci/run") {
		for _, path := range namedPath.FindAllStringSubmatch(read(t, name), -1) {
			if named++; strings.Contains(read(t, name), "/"+path[1]+"@") {
				continue // of another module
			}
			if _, err := os.Stat(filepath.Join("../..", path[1])); err != nil {
				t.Errorf("%s names a file: %v", name, err)
			}
		}
	}
	if named < 20 {
		t.Errorf("%d files are named, want more", named)
	}
}

// Each test and script that a document names is there, and so is each place
// that it links to.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	tests := testNames(t)
	for _, name := range documents(t) {
		text := read(t, name)
		for _, test := range namedTest.FindAllString(text, -1) {
			if !tests[test] {
				t.Errorf("%s names %s, which is no test", name, test)
			}
		}
		for _, script := range namedScript.FindAllString(text, -1) {
			if _, err := os.Stat(filepath.Join("../../cmd/recollect/testdata/script", script)); err != nil {
				t.Errorf("%s names a script: %v", name, err)
			}
		}
		for _, link := range namedPlace.FindAllStringSubmatch(text, -1) {
			file := name
			if link[1] != "" {
				file = filepath.Join(filepath.Dir(name), link[1])
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to a file: %v", name, err)
			} else if link[2] != "" && !slices.Contains(anchors(read(t, file)), link[2]) {
				t.Errorf("%s links to #%s, which %s does not have", name, link[2], file)
			}
		}
	}
}

// mostWords is how many words the pages of docs may have together.
const mostWords = 15_000

// The design is short enough to be read at once, prose has short lines, and all pages can be read in
// an hour.
func TestDocumentsAreShort(t *testing.T) {
	words := 0
	for _, name := range documents(t) {
		text := read(t, name)
		if name != "../../README.md" {
			words += len(strings.Fields(text))
		}
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if filepath.Base(name) == "design.md" && len(lines) > 300 {
			t.Errorf("%s has %d lines, at most 300", name, len(lines))
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > 120 && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s:%d: %d characters, at most 120", name, i+1, n)
			}
		}
	}
	if words > mostWords {
		t.Errorf("docs has %d words, at most %d", words, mostWords)
	}
}

// documents lists the README and the pages of docs.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("pages of docs: %q, %v", pages, err)
	}
	return append(pages, "../../README.md")
}

// testNames are the names of all tests in the sources, with whatever build tag.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, f := range testFunc.FindAllStringSubmatch(read(t, path), -1) {
			names[f[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// anchors are what links may name within a page: its headings, as GitHub
// spells them.
func anchors(page string) []string {
	var out []string
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		keep := func(r rune) rune {
			if r == '-' || r == '_' || r == ' ' || '0' <= r && r <= '9' || r > 127 || 'a' <= r && r <= 'z' {
				return r
			}
			return -1
		}
		out = append(out, strings.ReplaceAll(strings.Map(keep, strings.ToLower(h[1])), " ", "-"))
	}
	return out
}

// Every hook is in exec form, so that no shell starts, and gives up before
// the client would show a notice. No tool call waits for what only listens.
func TestHooksJSON(t *testing.T) {
	for event, entries := range hooks(t) {
		listens := strings.HasPrefix(event, "PostToolUse")
		for _, e := range entries {
			for _, h := range e.Hooks {
				if h.Type != "command" || h.Command != "${CLAUDE_PLUGIN_ROOT}/bin/recollect-hook" || h.Args == nil || h.Timeout != 2 || h.Async != listens {
					t.Errorf("%s: hook %+v", event, h)
				}
			}
		}
	}
}

type entry struct {
	Hooks []struct {
		Type, Command string
		Args          []string
		Timeout       int
		Async         bool
	}
}

func hooks(t *testing.T) map[string][]entry {
	t.Helper()
	var file struct{ Hooks map[string][]entry }
	if err := json.Unmarshal([]byte(read(t, "../../hooks/hooks.json")), &file); err != nil {
		t.Fatal(err)
	}
	return file.Hooks
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
