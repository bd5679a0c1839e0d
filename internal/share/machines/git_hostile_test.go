//go:build unix

package machines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hooks are those that git knows; whoever can write to a repository chooses them.
var hooks = []string{
	"applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit", "post-index-change", "post-merge", "post-receive",
	"post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive",
	"prepare-commit-msg", "proc-receive", "push-to-checkout", "reference-transaction", "sendemail-validate", "update",
}

func plantHooks(t *testing.T, dir, command string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range hooks {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+command+"\nexit 0\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func runGit(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

// alternate gives a repository another one from which it borrows objects, with settings of its own.
func alternate(t *testing.T, dir, settings string) {
	t.Helper()
	other := filepath.Join(t.TempDir(), "other.git")
	runGit(t, "init", "--quiet", "--bare", other)
	appendTo(t, filepath.Join(other, "config"), settings)
	appendTo(t, filepath.Join(dir, "objects", "info", "alternates"), filepath.Join(other, "objects")+"\n")
}

// plants are ways in which a repository has somebody's command run. %s is the command.
var plants = []struct {
	name  string
	plant func(t *testing.T, dir, command string)
}{
	{"every hook", func(t *testing.T, dir, command string) { plantHooks(t, filepath.Join(dir, "hooks"), command) }},
	{"hooks elsewhere", func(t *testing.T, dir, command string) {
		plantHooks(t, filepath.Join(dir, "elsewhere"), command)
		appendTo(t, filepath.Join(dir, "config"), "[core]\n\thooksPath = "+filepath.Join(dir, "elsewhere")+"\n")
	}},
	{"hooks of settings", setting("[hook \"x\"]\n\tcommand = %[1]s\n\tevent = pre-receive\n\tevent = post-receive\n\tevent = reference-transaction\n\tevent = update\n")},
	{"refs of an alternate", func(t *testing.T, dir, command string) {
		alternate(t, dir, "")
		setting("[core]\n\talternateRefsCommand = \"%[1]s; true\"\n")(t, dir, command)
	}},
	{"settings of an alternate", func(t *testing.T, dir, command string) {
		alternate(t, dir, fmt.Sprintf("[core]\n\tfsmonitor = %[1]s\n\talternateRefsCommand = %[1]s\n\tpager = %[1]s\n", command))
	}},
	{"watcher of files", setting("[core]\n\tfsmonitor = %[1]s\n\tbare = false\n")},
	{"packing of objects", setting("[uploadpack]\n\tpackObjectsHook = %[1]s; exec\n\tallowFilter = true\n")},
	{"refs that a program receives", func(t *testing.T, dir, command string) {
		plantHooks(t, filepath.Join(dir, "hooks"), command)
		setting("[receive]\n\tprocReceiveRefs = refs\n")(t, dir, command)
	}},
	{"pushes that change the work tree", func(t *testing.T, dir, command string) {
		plantHooks(t, filepath.Join(dir, "hooks"), command)
		tree := t.TempDir()
		appendTo(t, filepath.Join(tree, ".gitattributes"), "* filter=x\n")
		appendTo(t, filepath.Join(dir, "info", "attributes"), "* filter=x\n")
		setting("[core]\n\tbare = false\n\tworktree = "+tree+"\n[receive]\n\tdenyCurrentBranch = updateInstead\n[filter \"x\"]\n\tsmudge = %[1]s; cat\n\tclean = %[1]s; cat\n\tprocess = %[1]s\n")(t, dir, command)
		appendTo(t, filepath.Join(dir, "HEAD.new"), "ref: refs/heads/"+branch+"\n")
		if err := os.Rename(filepath.Join(dir, "HEAD.new"), filepath.Join(dir, "HEAD")); err != nil {
			t.Fatal(err)
		}
	}},
	{"objects that somebody else has", setting("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = x\n[remote \"x\"]\n\tpromisor = true\n\turl = ext::%[1]s\n\tuploadpack = %[1]s\n[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n")},
	{"programs of ssh, proxies and credentials", setting("[core]\n\tsshCommand = %[1]s\n\tgitProxy = %[1]s\n\taskPass = %[1]s\n\teditor = %[1]s\n\tpager = %[1]s\n[credential]\n\thelper = !%[1]s\n[sequence]\n\teditor = %[1]s\n")},
	{"filters, drivers and signatures", setting("[filter \"lfs\"]\n\tsmudge = %[1]s\n\tclean = %[1]s\n\tprocess = %[1]s\n\trequired = true\n[diff]\n\texternal = %[1]s\n[diff \"x\"]\n\ttextconv = %[1]s\n\tcommand = %[1]s\n[merge \"x\"]\n\tdriver = %[1]s\n[gpg]\n\tprogram = %[1]s\n[commit]\n\tgpgSign = true\n[receive]\n\tcertNonceSeed = x\n")},
	{"tidying", setting("[gc]\n\tauto = 1\n\trecentObjectsHook = %[1]s\n\tautoDetach = false\n[receive]\n\tautogc = true\n[maintenance]\n\tauto = true\n")},
	{"aliases", setting("[alias]\n\tupload-pack = !%[1]s\n\treceive-pack = !%[1]s\n\tfor-each-ref = !%[1]s\n\trev-list = !%[1]s\n")},
	{"settings that are included", func(t *testing.T, dir, command string) {
		plantHooks(t, filepath.Join(dir, "elsewhere"), command)
		appendTo(t, filepath.Join(dir, "more"), "[core]\n\thooksPath = "+filepath.Join(dir, "elsewhere")+"\n")
		appendTo(t, filepath.Join(dir, "config"), "[include]\n\tpath = more\n[includeIf \"gitdir:/\"]\n\tpath = more\n")
	}},
	{"settings of a work tree", func(t *testing.T, dir, command string) {
		plantHooks(t, filepath.Join(dir, "elsewhere"), command)
		appendTo(t, filepath.Join(dir, "config.worktree"), "[core]\n\thooksPath = "+filepath.Join(dir, "elsewhere")+"\n")
		appendTo(t, filepath.Join(dir, "config"), "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n")
	}},
	{"settings that git cannot read", setting("[core\nno settings at all; %[1]s\n")},
}

func setting(text string) func(t *testing.T, dir, command string) {
	return func(t *testing.T, dir, command string) {
		t.Helper()
		appendTo(t, filepath.Join(dir, "config"), fmt.Sprintf(text, command))
	}
}

// Nothing that the repository of a target says is run, by whatever git; and memories arrive.
func TestTargetRunsNothing(t *testing.T) {
	for _, tt := range plants {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "memories.git")
			runGit(t, "init", "--quiet", "--bare", dir)
			first, second := newUser(t, 0), newUser(t, 0)
			id := first.store(1, "of the first")
			if _, err := first.m.Sync(t.Context(), dir, false); err != nil { // so that there are refs and objects
				t.Fatal(err)
			}
			ran := filepath.Join(t.TempDir(), "ran")
			tt.plant(t, dir, "touch "+ran)
			first.store(2, "later")
			for _, u := range []*replicaUser{first, second, first} {
				for _, to := range []string{dir, "git+file://" + dir} {
					if _, err := u.m.Sync(t.Context(), to, false); err != nil {
						t.Errorf("sync %s: %v", to, err)
					}
				}
			}
			if _, err := second.m.Sync(t.Context(), dir, true); err != nil {
				t.Errorf("sync anew: %v", err)
			}
			if m, err := second.m.Store.Newest(id); err != nil || m.Text != "of the first" {
				t.Errorf("second machine has %+v, %v", m, err)
			}
			if err := first.m.Leave(t.Context(), dir); err != nil {
				t.Errorf("leave: %v", err)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("a command of the repository was run")
			}
			if views, _ := filepath.Glob(filepath.Join(first.m.Home, Folder, "*.view")); len(views) > 0 {
				t.Errorf("%q is left", views)
			}
		})
	}
}

// A repository whose parts lead elsewhere or have no end is refused at once, and says why.
func TestTargetThatIsRefused(t *testing.T) {
	tests := []struct {
		name, want string
		spoil      func(dir string) error
	}{
		{"no repository", "no git repository", os.RemoveAll},
		{"objects are elsewhere", "objects", moveAway("objects")},
		{"packs are elsewhere", "pack", moveAway("objects/pack")},
		{"refs are elsewhere", "refs", moveAway("refs")},
		{"heads are elsewhere", "heads", moveAway("refs/heads")},
		{"branch is a link", "neither", func(dir string) error {
			return os.Symlink("/etc/passwd", filepath.Join(dir, "refs", "heads", "recollect"))
		}},
		{"branch is a pipe", "neither", func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "refs", "heads", "recollect"), 0o600) }},
		{"tag is a pipe", "neither", func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "refs", "tags", "v1"), 0o600) }},
		{"packed refs are a pipe", "packed-refs", func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "packed-refs"), 0o600) }},
		{"alternates are a pipe", "neither", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "objects", "info", "alternates"), 0o600)
		}},
		{"pack is a pipe", "neither", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "objects", "pack", "pack-1.idx"), 0o600)
		}},
		{"branch of gigabytes", "bytes", sparse("refs/heads/recollect")},
		{"tag of gigabytes", "bytes", sparse("refs/tags/v1")},
		{"packed refs of gigabytes", "packed-refs", sparse("packed-refs")},
		{"files of terabytes in a few objects", "GiB", manyFiles(600, 0)},
		{"folders in folders without an end", "more than", manyFiles(10, 9)},
		{"refs in a table", "reftable", func(dir string) error { return os.Mkdir(filepath.Join(dir, "reftable"), 0o700) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "memories.git")
			runGit(t, "init", "--quiet", "--bare", dir)
			if err := tt.spoil(dir); err != nil {
				t.Fatal(err)
			}
			u, began := newUser(t, 0), time.Now()
			u.store(1, "mine")
			_, err := u.m.Sync(t.Context(), dir, false)
			if err == nil || !strings.Contains(err.Error(), tt.want) || time.Since(began) > time.Minute {
				t.Errorf("sync: %v after %s, want an error that says %q", err, time.Since(began), tt.want)
			}
		})
	}
}

func sparse(file string) func(dir string) error {
	return func(dir string) error {
		path := filepath.Join(dir, file)
		return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<36))
	}
}

// manyFiles pushes one file of 8 MiB under so many names, in folders that are each as often in
// another.
func manyFiles(names, folders int) func(dir string) error {
	return func(dir string) error {
		script := `cd "$1" || exit; object=$(head -c 8388608 /dev/zero | git hash-object -w --stdin); kind="100644 blob"
			for level in $(seq 0 $3); do
				object=$(for name in $(seq $2); do printf '%s %s\tf%s\n' "$kind" $object $name; done | git mktree); kind="040000 tree"
			done
			git update-ref refs/heads/recollect $(git -c user.name=x -c user.email=x@x commit-tree -m x $object)`
		out, err := exec.Command("sh", "-c", script, "sh", dir, strconv.Itoa(names), strconv.Itoa(folders)).CombinedOutput()
		if err != nil {
			return fmt.Errorf("push: %w: %s", err, out)
		}
		return nil
	}
}

func moveAway(part string) func(dir string) error {
	return func(dir string) error {
		there := filepath.Join(filepath.Dir(dir), "elsewhere")
		return errors.Join(os.Rename(filepath.Join(dir, part), there), os.Symlink(there, filepath.Join(dir, part)))
	}
}

// The settings of other repositories, and what a session's environment says of git, have no say.
func TestEnvironmentOfGit(t *testing.T) {
	dir := bareRepository(t)
	ran, other := filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "other")
	runGit(t, "init", "--quiet", other)
	plantHooks(t, filepath.Join(other, "hooks"), "touch "+ran)
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other, "GIT_TEMPLATE_DIR": other, "GIT_EXTERNAL_DIFF": "touch " + ran, "GIT_EDITOR": "touch " + ran,
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": filepath.Join(other, "hooks"),
		"GIT_CONFIG_PARAMETERS": "'core.hooksPath=" + filepath.Join(other, "hooks") + "'", "GIT_PAGER": "touch " + ran, "GIT_TRACE": ran, "GIT_PROXY_COMMAND": "touch " + ran,
	} {
		t.Setenv(name, value)
	}
	u := newUser(t, 0)
	u.store(1, "mine")
	for _, anew := range []bool{false, true} {
		if _, err := u.m.Sync(t.Context(), dir, anew); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("what the environment names was run")
	}
}

// Git that never answers is ended when the sync is, with all that it started.
func TestGitThatHangs(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nsleep 600 &\nwait\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	dir := bareRepository(t)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	u := newUser(t, 0)
	u.store(1, "mine")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	began := time.Now()
	if _, err := u.m.Sync(ctx, dir, false); err == nil || time.Since(began) > 30*time.Second {
		t.Errorf("sync: %v after %s", err, time.Since(began))
	}
}

// Files of a repository that git heeds cost no more than themselves: what else is there arrives.
func TestTreeOfTargetIsNotHeeded(t *testing.T) {
	tests := []struct{ name, file, text string }{
		{"submodule with a command", ".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ext::touch %[1]s\n\tupdate = !touch %[1]s\n"},
		{"submodules that cannot be read", ".gitmodules", "[submodule\n"},
		{"submodule like an option", ".gitmodules", "[submodule \"-u touch %[1]s\"]\n\tpath = x\n\turl = -u./payload\n"},
		{"filters", ".gitattributes", "* filter=evil diff=evil merge=evil working-tree-encoding=UTF-16 text eol=crlf ident export-subst\n"},
		{"filters of a folder", "recollect/.gitattributes", "* filter=evil working-tree-encoding=UTF-16\n"},
		{"attributes that cannot be read", ".gitattributes", "[attr]\x00\n"},
		{"ignored files", ".gitignore", "*\n"},
		{"repository in the tree", "HEAD", "ref: refs/heads/x\n"},
		{"settings in the tree", "config", "[core]\n\tfsmonitor = touch %[1]s\n\tworktree = /\n"},
		{"hook in the tree", "hooks/post-checkout", "#!/bin/sh\ntouch %[1]s\n"},
		{"names of people", ".mailmap", "<x>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := bareRepository(t)
			ran := filepath.Join(t.TempDir(), "ran")
			runGit(t, "config", "--global", "filter.evil.smudge", "touch "+ran+"; cat")
			runGit(t, "config", "--global", "filter.evil.clean", "touch "+ran+"; cat")
			first, second := newUser(t, 0), newUser(t, 0)
			id := first.store(1, "of the first")
			if _, err := first.m.Sync(t.Context(), dir, false); err != nil {
				t.Fatal(err)
			}
			work := filepath.Join(t.TempDir(), "work")
			text := tt.text
			if strings.Contains(text, "%") {
				text = fmt.Sprintf(text, ran)
			}
			script := `git clone -q -b recollect "$1" "$2" && cd "$2" && mkdir -p "$(dirname "$3")" && printf '%s' "$4" >"$3" && chmod +x "$3" && git add -f . ;
				git update-index --add --cacheinfo 160000,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,x && git -c user.name=x -c user.email=x@x commit -qm x; git push -q origin recollect`
			if out, err := exec.Command("sh", "-c", script, "sh", dir, work, tt.file, strings.ReplaceAll(text, "\x00", "")).CombinedOutput(); err != nil {
				t.Fatalf("prepare: %v: %s", err, out)
			}
			if err := os.RemoveAll(ran); err != nil {
				t.Fatal(err)
			}
			first.store(2, "later")
			for _, u := range []*replicaUser{first, second, first} {
				if _, err := u.m.Sync(t.Context(), dir, false); err != nil {
					t.Errorf("sync: %v", err)
				}
			}
			if m, err := second.m.Store.Newest(id); err != nil || m.Text != "of the first" {
				t.Errorf("second machine has %+v, %v", m, err)
			}
			if len(first.live()) != len(second.live()) {
				t.Error("machines differ")
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("a command of the repository was run")
			}
		})
	}
}
