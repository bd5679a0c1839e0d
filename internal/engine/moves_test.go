package engine

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

const (
	commitA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	commitB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	origin  = "[remote \"origin\"]\n\turl = https://example.com/team/%\n"
)

// A ground is where repositories and folders of a test lie.
type ground struct {
	t   *testing.T
	src string
}

func (g ground) at(dir string) string { return filepath.Join(g.src, filepath.FromSlash(dir)) }

// repository makes one whose log of HEAD, commits and remote are given, the last commit the one
// that is checked out.
func (g ground) repository(dir, log, remote string, commits ...string) {
	files := map[string]string{dir + "/.git/HEAD": "ref: refs/heads/main\n", dir + "/.git/config": "[core]\n"}
	if log != "" {
		files[dir+"/.git/logs/HEAD"] = log
	}
	if remote != "" {
		files[dir+"/.git/config"] = strings.ReplaceAll(origin, "%", remote)
	}
	for _, c := range commits {
		files[dir+"/.git/objects/"+c[:2]+"/"+c[2:]] = ""
		files[dir+"/.git/refs/heads/main"] = c + "\n"
	}
	place(g.t, g.src, files)
}

func (g ground) move(from, to string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(g.at(to)), 0o700); err != nil {
		g.t.Fatal(err)
	}
	if err := os.Rename(g.at(from), g.at(to)); err != nil {
		g.t.Fatal(err)
	}
}

func (g ground) remove(dir string) {
	if err := os.RemoveAll(g.at(dir)); err != nil {
		g.t.Fatal(err)
	}
}

// A repository keeps its memories when it is moved, however git lays it out; another one, which
// only shares its history, does not get them unasked.
func TestMoves(t *testing.T) {
	t.Parallel()
	cloned := "0000000000000000000000000000000000000000 " + commitA + " Ada <ada@example.com> 1760009999 +0200\tclone: from /src/app\n"
	go1 := commitA + " " + commitB + " Ada <ada@example.com> 1760000300 +0200\tcommit: go on\n"
	tests := []struct {
		name   string
		before func(g ground) // the memory is stored in the folder app, which may have been made
		after  func(g ground)
		dir    string
		want   int
		asks   bool // at the start of a session there, whether it is the one that is gone
	}{
		{"stays", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) {}, "app", 1, false},
		{"renamed before any session", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.move("app", "shop") }, "shop", 1, false},
		{"moved deep", func(g ground) { g.repository("app", step, "") }, func(g ground) { g.move("app", "a/b/c") }, "a/b/c", 1, false},
		{"its history of steps is gone", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.move("app", "shop"); g.remove("shop/.git/logs") }, "shop", 1, false},
		{"it never had one", func(g ground) { g.repository("app", "", "", commitA) }, func(g ground) { g.move("app", "shop") }, "shop", 1, false},
		{"steps have expired, and it went on", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.move("app", "shop"); g.repository("shop", go1, "", commitB) }, "shop", 1, false},
		{"it has a remote by now", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.move("app", "shop"); g.repository("shop", step, "shop") }, "shop", 1, false},
		{"it has another remote by now", func(g ground) { g.repository("app", step, "app", commitA) }, func(g ground) { g.move("app", "shop"); g.repository("shop", step, "shop") }, "shop", 1, false},
		{"it lost its remote", func(g ground) { g.repository("app", step, "app", commitA) }, func(g ground) { g.move("app", "shop"); g.repository("shop", step, "") }, "shop", 1, false},
		{"a remote where it lies", func(g ground) { g.repository("app", step, "") }, func(g ground) { g.repository("app", step, "app") }, "app", 1, false},
		{"another clone of its remote", func(g ground) { g.repository("app", step, "app") }, func(g ground) { g.repository("two", cloned, "app") }, "two", 1, false},
		{"a copy beside it", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.repository("copy", step+go1, "", commitA, commitB) }, "copy", 0, false},
		{"a clone beside it", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.repository("clone", cloned, "", commitA) }, "clone", 0, false},
		{"a clone, and it is gone", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.remove("app"); g.repository("clone", cloned, "", commitA) }, "clone", 0, true},
		{"one made from the same template", func(g ground) { g.repository("app", cloned+go1, "", commitA, commitB) }, func(g ground) { g.remove("app"); g.repository("other", cloned, "", commitA) }, "other", 0, false},
		{"one without any history", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.remove("app"); g.repository("other", "", "") }, "other", 0, false},
		{"one of its name elsewhere", func(g ground) { g.repository("app", step, "", commitA) }, func(g ground) { g.remove("app"); g.repository("x/app", "y"+step, "", commitB) }, "x/app", 0, true},
		{"a folder that is renamed", func(g ground) { place(g.t, g.src, map[string]string{"app/x": ""}) }, func(g ground) { g.move("app", "notes") }, "notes", 0, runtime.GOOS != "windows"},
		{"a folder that is moved", func(g ground) { place(g.t, g.src, map[string]string{"app/x": ""}) }, func(g ground) { g.move("app", "deep/app") }, "deep/app", 0, true},
		{"a folder beside one", func(g ground) { place(g.t, g.src, map[string]string{"app/x": "", "y/app/x": ""}) }, func(g ground) {}, "y/app", 0, false},
		{"another folder, and it is gone", func(g ground) { place(g.t, g.src, map[string]string{"app/x": "", "notes/x": ""}) }, func(g ground) { g.remove("app") }, "notes", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			g := ground{t, src}
			tt.before(g)
			r := start(t, newHome(t))
			goal := memory.Memory{Source: memory.Journal, Title: "ship the checkout", Text: "Because."}
			if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(goal), Cwd: g.at("app")}); err != nil {
				t.Fatal(err)
			}
			tt.after(g)
			asked := r.Projects.AskMoved(g.at(tt.dir))
			if got := strings.Contains(asked, "recollect project move"); got != tt.asks {
				t.Errorf("asks %q, want %t", asked, tt.asks)
			}
			got, err := r.History.List(t.Context(), api.List{Source: string(memory.Journal), Where: api.Where{Cwd: g.at(tt.dir)}, Limit: 9})
			if err != nil || got.Total != tt.want {
				t.Errorf("%d memories, %v; want %d", got.Total, err, tt.want)
			}
			if again := r.Projects.AskMoved(g.at(tt.dir)); again != "" {
				t.Errorf("asks again: %q", again)
			}
		})
	}
}

// What followed a repository by itself can be undone as well, and stays so.
func TestUndoOfAMove(t *testing.T) {
	src, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := ground{t, src}
	g.repository("app", step, "", commitA)
	home := newHome(t)
	r := start(t, home)
	if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(memory.Memory{Source: memory.Journal, Title: "ship the checkout", Text: "Because."}), Cwd: g.at("app")}); err != nil {
		t.Fatal(err)
	}
	count := func(dir string) int {
		t.Helper()
		got, err := r.History.List(t.Context(), api.List{Source: string(memory.Journal), Where: api.Where{Cwd: g.at(dir)}, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		return got.Total
	}
	g.move("app", "shop")
	if got := count("shop"); got != 1 {
		t.Fatalf("%d memories followed, want 1", got)
	}
	if p := r.Projects.Meet(g.at("app/src")); p.Path != g.at("shop") {
		t.Errorf("what transcripts tell of its old folder is of %s, want of the new one", p.Path)
	}
	done, err := r.Projects.Move(t.Context(), api.ProjectMove{Undo: true})
	if err != nil || done.Memories != 1 || done.To.Path != g.at("app") {
		t.Errorf("undone: %+v, %v", done, err)
	}
	r.end()
	r = start(t, home)
	if got := count("shop"); got != 0 {
		t.Errorf("%d memories followed again, want none", got)
	}
	if got := count("app"); got != 1 {
		t.Errorf("%d memories are back, want 1", got)
	}
}

// A repository that is moved, used there and moved back takes its memories along each time.
func TestMovedBack(t *testing.T) {
	src, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := ground{t, src}
	g.repository("app", step, "", commitA)
	r := start(t, newHome(t))
	if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(memory.Memory{Source: memory.Journal, Title: "ship the checkout", Text: "Because."}), Cwd: g.at("app")}); err != nil {
		t.Fatal(err)
	}
	from := "app"
	for _, to := range []string{"shop", "app", "shop", "old/app", "app"} {
		g.move(from, to)
		got, err := r.History.List(t.Context(), api.List{Source: string(memory.Journal), Where: api.Where{Cwd: g.at(to)}, Limit: 9})
		if err != nil || got.Total != 1 {
			t.Errorf("from %s to %s: %d memories, %v; want 1", from, to, got.Total, err)
		}
		from = to
	}
}

// Which memories a project has that a user calls by its folder, remote or name, and where they
// are after they were given to another, and back.
func TestMoveProject(t *testing.T) {
	src, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := ground{t, src}
	g.repository("new", "", "new")
	g.repository("full", "", "")
	g.repository("clone", "", "app")
	home := func(name, dir, remote string) memory.Project {
		p := memory.Project{Name: name, Remote: remote}
		if dir != "" {
			p.Path = g.at(dir)
		}
		return p
	}
	homes := []memory.Project{
		home("app", "app", "example.com/team/app"), home("app", "old/app", "example.com/team/app"), home("app", "app", ""),
		home("notes", "notes", ""), home("notes", "", ""), home("full", "full", ""), home("left", "", ""), home("far", "", "example.com/team/far"),
	}
	tests := []struct {
		name, from, to string
		merge          bool
		want           int // memories
		err            string
	}{
		{"a remote", "example.com/team/app", "new", false, 3, ""},
		{"a name of one with a remote", "app", "new", false, 3, ""},
		{"a folder of one with a remote", g.at("app"), "new", false, 3, ""},
		{"a folder in a folder that is gone", g.at("notes"), "new", false, 1, ""},
		{"a name alone", "left", "new", false, 1, ""},
		{"a remote without a folder", "far", "new", false, 1, ""},
		{"a name of two", "notes", "new", false, 0, "is the name of several projects"},
		{"to one with memories", "left", "full", false, 0, "has memories of its own"},
		{"to one with memories, joined", "left", "full", true, 1, ""},
		{"to another clone of it", "app", "clone", true, 0, "both are the project"},
		{"to itself", "full", "full", true, 0, "both are the project"},
		{"nobody", "nobody", "new", false, 0, "no memory belongs"},
		{"no folder", g.at("gone"), "new", false, 0, "no memory belongs"},
		{"to no folder", "left", "gone", false, 0, "is no folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, newHome(t))
			var ms []memory.Memory
			for i, p := range homes {
				m := memory.Memory{Source: memory.Journal, Title: "decision", Text: strings.Repeat("x", i+1)}
				m.SetHome(p)
				ms = append(ms, m)
			}
			if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(ms...), Restore: true}); err != nil {
				t.Fatal(err)
			}
			before := homesOf(t, r)
			done, err := r.Projects.Move(t.Context(), api.ProjectMove{From: tt.from, To: g.at(tt.to), Merge: tt.merge})
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || done.Memories != tt.want {
				t.Fatalf("%+v, %v; want %d memories and an error with %q", done, err, tt.want, tt.err)
			}
			moved := 0
			to := memory.FindProject(g.at(tt.to), "")
			for id, p := range homesOf(t, r) {
				if p != before[id] {
					moved++
					if p != to {
						t.Errorf("%s is of %+v, want of %+v", id, p, to)
					}
				}
			}
			if moved != tt.want {
				t.Errorf("%d moved, want %d", moved, tt.want)
			}
			if err != nil {
				return
			}
			if _, err := r.Projects.Move(t.Context(), api.ProjectMove{Undo: true}); err != nil {
				t.Fatal(err)
			}
			if after := homesOf(t, r); !maps.Equal(after, before) {
				t.Errorf("undone: %v, want %v", after, before)
			}
		})
	}
}

// homesOf returns the project of each memory.
func homesOf(t *testing.T, r *running) map[string]memory.Project {
	t.Helper()
	out := map[string]memory.Project{}
	for m, err := range r.Store.Everything() {
		if err != nil {
			t.Fatal(err)
		}
		out[m.ID] = m.Home()
	}
	return out
}
