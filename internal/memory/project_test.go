package memory

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// layout writes files below a new folder, whose path stands for {root} in
// them, and returns it. A name that ends with a slash is an empty folder.
func layout(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if dir == path {
			continue
		}
		content = strings.ReplaceAll(content, "{root}", filepath.ToSlash(root))
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const (
	head   = "ref: refs/heads/main\n"
	config = "[core]\n\tbare = false\n[remote \"upstream\"]\n\turl = https://example.com/else/app.git\n" +
		"[remote \"origin\"]\n\turl = git@example.com:team/app.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
	appRemote = "example.com/team/app"
)

// repositories holds one of every way in which git lays out its folders, as
// git 2 writes them.
var repositories = map[string]string{
	"app/.git/HEAD":                        head,
	"app/.git/config":                      config,
	"app/internal/api/":                    "",
	"app-fix/.git":                         "gitdir: {root}/app/.git/worktrees/app-fix\n",
	"app-fix/docs/":                        "",
	"app/.git/worktrees/app-fix/HEAD":      "ref: refs/heads/fix\n",
	"app/.git/worktrees/app-fix/gitdir":    "{root}/app-fix/.git\n",
	"app/.git/worktrees/app-fix/commondir": "../..\n",

	"app/lib/.git":                "gitdir: ../.git/modules/lib\n",
	"app/lib/src/":                "",
	"app/.git/modules/lib/HEAD":   head,
	"app/.git/modules/lib/config": "[core]\n\tbare = false\n\tworktree = ../../../lib\n[remote \"origin\"]\n\turl = https://example.com/team/lib\n",

	"app.git/HEAD":                    head,
	"app.git/config":                  "[core]\n\tbare = true\n[remote \"origin\"]\n\turl = https://example.com/team/app.git\n",
	"app.git/worktrees/one/HEAD":      head,
	"app.git/worktrees/one/gitdir":    "{root}/one/.git\n",
	"app.git/worktrees/one/commondir": "../..\n",
	"one/.git":                        "gitdir: {root}/app.git/worktrees/one\n",
	"app.git/worktrees/two/HEAD":      head,
	"app.git/worktrees/two/gitdir":    "{root}/two/.git\n",
	"app.git/worktrees/two/commondir": "../..\n",
	"two/.git":                        "gitdir: {root}/app.git/worktrees/two\n",

	"alone/.git/HEAD":   head,
	"alone/.git/config": "[core]\n\tbare = false\n",
	"alone/go.mod":      "module alone\n",

	"notes/2026/":         "",
	"text/.git":           "once this was a repository\n",
	"dangling/.git":       "gitdir: {root}/nowhere/.git\n",
	"headless/.git/":      "",
	"app/vendor/bad/.git": "\x00\xff",
	"ws/shop/src/deep/":   "",
	"ws/..data/":          "",
	"ws/tool/.git/HEAD":   head,
	"ws2/shop/":           "",
}

func TestFindProject(t *testing.T) {
	root := layout(t, repositories)
	tests := []struct {
		name string
		dir  string
		want Project // the path below root
	}{
		{"main work tree", "app", Project{"app", "app", appRemote}},
		{"sub-folder", "app/internal/api", Project{"app", "app", appRemote}},
		{"folder that does not exist yet", "app/internal/new/deep", Project{"app", "app", appRemote}},
		{"unclean path", "app/internal/../internal/api/", Project{"app", "app", appRemote}},
		{"linked work tree", "app-fix", Project{"app", "app", appRemote}},
		{"sub-folder of a linked work tree", "app-fix/docs", Project{"app", "app", appRemote}},
		{"submodule", "app/lib", Project{"lib", "app/lib", "example.com/team/lib"}},
		{"sub-folder of a submodule", "app/lib/src", Project{"lib", "app/lib", "example.com/team/lib"}},
		{"work tree of a bare clone", "one", Project{"one", "one", appRemote}},
		{"bare clone itself", "app.git", Project{"app.git", "app.git", ""}},
		{"repository without a remote", "alone", Project{"alone", "alone", ""}},
		{"no repository", "notes/2026", Project{"2026", "notes/2026", ""}},
		{"folder that never was", "gone/away", Project{"away", "gone/away", ""}},
		{".git is any text", "text", Project{"text", "text", ""}},
		{".git points nowhere", "dangling", Project{"dangling", "dangling", ""}},
		{".git is an empty folder", "headless", Project{"headless", "headless", ""}},
		{"rubbish within a repository", "app/vendor/bad", Project{"app", "app", appRemote}},
		{"below the workspace", "ws/shop/src/deep", Project{"shop", "ws/shop", ""}},
		{"a folder of the workspace", "ws/shop", Project{"shop", "ws/shop", ""}},
		{"odd name in the workspace", "ws/..data/x", Project{"..data", "ws/..data", ""}},
		{"the workspace itself", "ws", Project{"ws", "ws", ""}},
		{"repository in the workspace", "ws/tool/cmd", Project{"tool", "ws/tool", ""}},
		{"beside the workspace", "ws2/shop", Project{"shop", "ws2/shop", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Path = filepath.Join(root, filepath.FromSlash(tt.want.Path))
			got := FindProject(root+string(filepath.Separator)+filepath.FromSlash(tt.dir), filepath.Join(root, "ws"))
			if got != tt.want {
				t.Errorf("FindProject(%s) = %+v, want %+v", tt.dir, got, tt.want)
			}
		})
	}
	if got := FindProject("", root); !got.Zero() {
		t.Errorf("FindProject of no folder = %+v, want none", got)
	}
}

// Whatever way a folder came to a repository, it is one project.
func TestFindProjectSame(t *testing.T) {
	root := layout(t, repositories)
	find := func(dir string) Project { return FindProject(filepath.Join(root, filepath.FromSlash(dir)), "") }
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"linked work tree", "app", "app-fix/docs", true},
		{"two work trees of a bare clone", "one", "two", true},
		{"another clone", "app", "one", true},
		{"submodule and what holds it", "app", "app/lib", false},
		{"two folders of one name", "ws/shop", "ws2/shop", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := find(tt.a), find(tt.b)
			if got := a.Same(b); got != tt.want || got != b.Same(a) {
				t.Errorf("Same(%+v, %+v) = %t, the other way %t; want %t", a, b, got, b.Same(a), tt.want)
			}
		})
	}
}

// A folder is the project that a .git in it points to only if that project says
// so: whoever unpacks somebody's archive must not give it his own memories.
func TestPointingIntoAnotherRepository(t *testing.T) {
	victim := map[string]string{
		"app/.git/HEAD": head, "app/.git/config": config, "app-fix/.git": "gitdir: {root}/app/.git/worktrees/app-fix\n",
		"app/.git/worktrees/app-fix/HEAD": head, "app/.git/worktrees/app-fix/gitdir": "{root}/app-fix/.git\n", "app/.git/worktrees/app-fix/commondir": "../..\n",
		"app/lib/.git": "gitdir: ../.git/modules/lib\n", "app/.git/modules/lib/HEAD": head,
		"app/.git/modules/lib/config": "[core]\n\tworktree = ../../../lib\n[remote \"origin\"]\n\turl = https://example.com/team/lib\n",
		"bare.git/HEAD":               head, "bare.git/config": config,
	}
	own := Project{"evil", "evil", ""}
	tests := []struct {
		name  string
		files map[string]string
		link  [2]string // a link, and where it leads
		dir   string
		want  Project // the path below root
	}{
		{"to its git folder", map[string]string{"evil/.git": "gitdir: {root}/app/.git\n"}, [2]string{}, "evil", own},
		{"to its git folder, by a relative path", map[string]string{"evil/.git": "gitdir: ../app/.git\n"}, [2]string{}, "evil", own},
		{"from a sub-folder", map[string]string{"evil/.git": "gitdir: ../app/.git\n", "evil/src/": ""}, [2]string{}, "evil/src", own},
		{"to one of its work trees", map[string]string{"evil/.git": "gitdir: ../app/.git/worktrees/app-fix\n"}, [2]string{}, "evil", own},
		{"to one of its submodules", map[string]string{"evil/.git": "gitdir: ../app/.git/modules/lib\n"}, [2]string{}, "evil", own},
		{"to a bare repository", map[string]string{"evil/.git": "gitdir: ../bare.git\n"}, [2]string{}, "evil", own},
		{"through a git folder of its own", map[string]string{"evil/.git": "gitdir: fake\n", "evil/fake/HEAD": head, "evil/fake/commondir": "{root}/app/.git\n"}, [2]string{}, "evil", own},
		{"that points back to it itself", map[string]string{"evil/.git": "gitdir: fake\n", "evil/fake/HEAD": head, "evil/fake/commondir": "{root}/app/.git\n", "evil/fake/gitdir": "{root}/evil/.git\n"}, [2]string{}, "evil", own},
		{"from among work trees of its own", map[string]string{"evil/.git": "gitdir: worktrees/x\n", "evil/worktrees/x/HEAD": head, "evil/worktrees/x/commondir": "{root}/app/.git\n", "evil/worktrees/x/gitdir": "{root}/evil/.git\n"}, [2]string{}, "evil", own},
		{"from a folder called .git", map[string]string{"evil/.git/HEAD": head, "evil/.git/commondir": "{root}/app/.git\n"}, [2]string{}, "evil", own},
		{"by a link", map[string]string{"evil/": ""}, [2]string{"evil/.git", "app/.git"}, "evil", own},
		{"by a link to a file", map[string]string{"evil/": ""}, [2]string{"evil/.git", "app-fix/.git"}, "evil", own},
		{"within the repository, to another submodule", map[string]string{"app/evil/.git": "gitdir: ../.git/modules/lib\n"}, [2]string{}, "app/evil", Project{"evil", "app/evil", ""}},
		{"a work tree that was moved by hand", map[string]string{"moved/.git": "gitdir: {root}/app/.git/worktrees/app-fix\n"}, [2]string{}, "moved", Project{"moved", "moved", ""}},
		{"a work tree, whatever link leads to it", nil, [2]string{"l", "app-fix"}, "l", Project{"app", "app", appRemote}},
		{"a git folder elsewhere that names the folder", map[string]string{"tree/.git": "gitdir: ../gits/tree\n", "gits/tree/HEAD": head, "gits/tree/config": "[core]\n\tworktree = {root}/tree\n[remote \"origin\"]\n\turl = https://example.com/team/tree\n"}, [2]string{}, "tree", Project{"tree", "tree", "example.com/team/tree"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := maps.Clone(victim)
			maps.Copy(files, tt.files)
			root := layout(t, files)
			if tt.link[0] != "" && os.Symlink(filepath.Join(root, tt.link[1]), filepath.Join(root, tt.link[0])) != nil {
				t.Skip("no links here")
			}
			tt.want.Path = filepath.Join(root, filepath.FromSlash(tt.want.Path))
			if got := FindProject(filepath.Join(root, filepath.FromSlash(tt.dir)), ""); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// A folder is one project whatever links lead to it.
func TestFindProjectFollowsLinks(t *testing.T) {
	root := layout(t, repositories)
	for link, to := range map[string]string{"l-app": "app", "l-sub": "app/internal", "l-notes": "notes", "l-root": ".", "l-ws": "ws", "app/out": "notes", "l-fix": "app-fix", "l-gone": "nowhere"} {
		if os.Symlink(filepath.Join(root, filepath.FromSlash(to)), filepath.Join(root, filepath.FromSlash(link))) != nil {
			t.Skip("no links here")
		}
	}
	for _, tt := range []struct{ name, link, dir string }{
		{"to a repository", "l-app", "app"},
		{"to a sub-folder", "l-sub/api", "app"},
		{"to a folder", "l-notes", "notes"},
		{"to a folder that does not exist yet", "l-notes/new/deep", "notes/new/deep"},
		{"above all", "l-root/alone", "alone"},
		{"above a work tree", "l-root/app-fix/docs", "app"},
		{"to a work tree", "l-fix", "app"},
		{"out of a repository", "app/out", "notes"},
		{"into the workspace", "l-ws/shop/src", "ws/shop/src"},
		{"through two", "l-root/l-app", "app"},
		{"to nowhere", "l-gone", "l-gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			workspace := filepath.Join(root, "l-ws")
			got, want := FindProject(filepath.Join(root, tt.link), workspace), FindProject(filepath.Join(root, tt.dir), filepath.Join(root, "ws"))
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestSame(t *testing.T) {
	tests := []struct {
		name string
		a, b Project
		want bool
	}{
		{"one root", Project{"a", "/src/a", ""}, Project{"a", "/src/a", ""}, true},
		{"renamed", Project{"a", "/src/a", ""}, Project{"b", "/src/a", ""}, true},
		{"one name, two roots", Project{"app", "/x/app", ""}, Project{"app", "/y/app", ""}, false},
		{"one remote, two roots", Project{"a", "/x", "h/a"}, Project{"b", "/y", "h/a"}, true},
		{"one name, two remotes", Project{"a", "/x", "h/a"}, Project{"a", "/y", "h/b"}, false},
		{"one root, new remote", Project{"a", "/x", "h/a"}, Project{"a", "/x", "h/b"}, true},
		{"remotes only, none in common", Project{"a", "", "h/a"}, Project{"a", "", "h/b"}, false},
		{"called by its name", Project{Name: "a"}, Project{"a", "/x", "h/a"}, true},
		{"called by another name", Project{Name: "b"}, Project{"a", "/x", "h/a"}, false},
		{"none and one", Project{}, Project{"a", "/x", ""}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.Same(tt.b); got != tt.want || tt.b.Same(tt.a) != got {
				t.Errorf("Same = %t, the other way %t; want %t", got, tt.b.Same(tt.a), tt.want)
			}
		})
	}
}

func TestNormalRemote(t *testing.T) {
	tests := []struct{ name, addr, want string }{
		{"https", "https://example.com/team/app.git", "example.com/team/app"},
		{"https without suffix", "https://example.com/team/app/", "example.com/team/app"},
		{"host in capitals", "https://Example.COM/Team/App", "example.com/Team/App"},
		{"user and password", "https://ada:s3cret@example.com/team/app.git", "example.com/team/app"},
		{"token", "https://ghp_s3cret@example.com/team/app.git", "example.com/team/app"},
		{"password with an at sign", "https://ada:s3@cret@example.com/team/app", "example.com/team/app"},
		{"password with a slash", "https://ada:s3/cret@example.com/team/app", ""},
		{"token in the query", "https://example.com/team/app.git?token=s3cret", "example.com/team/app"},
		{"ssh", "ssh://git@example.com/team/app.git", "example.com/team/app"},
		{"ssh with a port", "ssh://git@example.com:2222/team/app.git", "example.com/team/app"},
		{"scp form", "git@example.com:team/app.git", "example.com/team/app"},
		{"scp form without a user", "example.com:team/app", "example.com/team/app"},
		{"scp form with a root", "git@example.com:/team/app.git", "example.com/team/app"},
		{"git", "git://example.com/team/app", "example.com/team/app"},
		{"local path", "/srv/git/app.git", ""},
		{"relative path", "../app.git", ""},
		{"relative path with a colon", "./a:b", ""},
		{"file", "file:///srv/git/app.git", ""},
		{"windows path", `C:\src\app`, ""},
		{"windows path with slashes", "C:/src/app", ""},
		{"network share", `\\server\share\app`, ""},
		{"host alone", "https://example.com/", ""},
		{"empty", "", ""},
		{"broken", "https://exa mple.com/%zz", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := normalRemote(tt.addr)
			if got != tt.want {
				t.Errorf("normalRemote(%q) = %q, want %q", tt.addr, got, tt.want)
			}
			if strings.Contains(got, "cret") || strings.Contains(got, "ada") {
				t.Errorf("normalRemote(%q) = %q keeps credentials", tt.addr, got)
			}
		})
	}
}
