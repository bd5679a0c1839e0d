package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/cli/app"
	"recollect/internal/cli/manual"
)

// A release has a page for every command and a completion for every shell, the same ones each time.
func TestManual(t *testing.T) {
	write := func() map[string]string {
		dir := t.TempDir()
		t.Chdir(dir) // no page may say where it was made
		if err := manual.Write(newRoot(app.Terminal{}, "1.2.3"), "1.2.3", dir); err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, pattern := range []string{"man/man1/*", "completions/*"} {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files[filepath.Base(path)] = string(b)
			}
		}
		return files
	}
	files := write()
	if diff := cmp.Diff(files, write()); diff != "" {
		t.Errorf("written again (-first +second):\n%s", diff)
	}
	for name, part := range map[string]string{
		"recollect.1":                ".BR recollect\\-search (1)\nFind memories",
		"recollect-search.1":         ".TP\n.B \\-n, \\-\\-limit int\nhow many results at most",
		"recollect-journal-list.1":   ".SH SEE ALSO\n.BR recollect\\-journal (1)",
		"recollect-completion-zsh.1": "zsh",
		"recollect-backup.1":         ".SH EXAMPLES\n.nf\n",
		"recollect.bash":             "recollect",
		"_recollect":                 "#compdef recollect",
		"recollect.fish":             "complete -c recollect",
		"recollect.ps1":              "Register-ArgumentCompleter",
	} {
		if !strings.Contains(files[name], part) {
			t.Errorf("%s has no %q:\n%.2000s", name, part, files[name])
		}
	}
	for name, text := range files {
		if strings.Contains(name, "bench") || strings.Contains(text, os.TempDir()) {
			t.Errorf("%s is for no user, or says where it was made", name)
		}
		for line := range strings.Lines(text) {
			odd := strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII })
			if strings.HasSuffix(name, ".1") && (strings.HasPrefix(line, "'") || odd) {
				t.Errorf("%s: not what every troff prints: %q", name, line)
			}
		}
	}
}
