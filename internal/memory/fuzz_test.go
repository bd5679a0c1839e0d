package memory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder from elsewhere may have anything in the place of git's files.
func FuzzFindProject(f *testing.F) {
	f.Add("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://me:secret@git.example.com/a/b.git\n", "x y name <a@b> 1 +0000\tcommit: a\n", "ref: refs/heads/main\n")
	f.Add("[remote \"origin\"]\nurl = git@git.example.com:a/b.git", "\n", "../..\n")
	f.Add("[remote\"origin\"]\nurl=ssh://[::1]:22/%zz", "", "\x00")
	f.Fuzz(func(t *testing.T, config, log, common string) {
		dir := t.TempDir()
		git := filepath.Join(dir, ".git")
		for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": config, "logs/HEAD": log} {
			path := filepath.Join(git, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p := FindProject(dir, "")
		if p.Path != dir {
			t.Errorf("project %+v, want the folder %s", p, dir)
		}
		if _, credentials, ok := strings.Cut(p.Remote, "@"); ok && strings.Contains(strings.Split(p.Remote, "/")[0], "@") {
			t.Errorf("remote %q has credentials: %q", p.Remote, credentials)
		}
		if step := p.LastStep(); step != "" && !p.Steps()[step] {
			t.Errorf("the last step %s is none of all", step)
		}
		tree := t.TempDir()
		if err := os.WriteFile(filepath.Join(tree, ".git"), []byte("gitdir: "+common), 0o600); err != nil {
			t.Fatal(err)
		}
		FindProject(tree, "")
	})
}
