package engine

import (
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

const step = "0000000000000000000000000000000000000000 1111111111111111111111111111111111111111 Ada <ada@example.com> 1760000000 +0200\tcommit (initial): begin\n"

// A repository without a remote keeps its memories when it is moved or renamed;
// one that takes its name, or its place, does not get them.
func TestMovedRepository(t *testing.T) {
	home, src := newHome(t), t.TempDir()
	at := func(dir string) string { return filepath.Join(src, filepath.FromSlash(dir)) }
	repository := func(dir, log string) {
		place(t, src, map[string]string{dir + "/.git/HEAD": "ref: refs/heads/main\n", dir + "/.git/logs/HEAD": log, dir + "/go.mod": "module app\n"})
	}
	move := func(from, to string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(to)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(at(from), at(to)); err != nil {
			t.Fatal(err)
		}
	}
	repository("app", step)
	r := start(t, home)
	goal := memory.Memory{Source: memory.Goals, Title: "ship the checkout"}
	if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(goal), Cwd: at("app")}); err != nil {
		t.Fatal(err)
	}
	goals := func(dir string) int {
		t.Helper()
		got, err := r.History.List(t.Context(), api.List{Source: string(memory.Goals), Where: api.Where{Cwd: at(dir)}, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		return got.Total
	}
	begin := func(dir string) {
		t.Helper()
		if _, err := r.Orient(t.Context(), api.Session{SessionID: dir, Cwd: at(dir), Reason: "startup"}); err != nil {
			t.Fatal(err)
		}
		r.settled()
	}
	steps := []struct {
		name   string
		before func()
		dir    string
		want   int
	}{
		{"where it began", func() { begin("app") }, "app", 1},
		{"another of its name", func() { repository("b/app", "x"+step) }, "b/app", 0},
		{"a copy", func() { repository("copy", step+step) }, "copy", 0},
		{"renamed", func() { move("app", "shop"); r.end(); r = start(t, home) }, "shop", 1},
		{"one in its place", func() { repository("app", "y"+step) }, "app", 0},
		{"moved on, with a daemon that runs", func() { begin("shop"); move("shop", "deep/down/shop") }, "deep/down/shop", 1},
		{"moved back, and committed to since", func() { begin("deep/down/shop"); move("deep/down/shop", "tea"); repository("tea", step+"z"+step) }, "tea", 1},
		{"a repository that has no log", func() { place(t, src, map[string]string{"mute/.git/HEAD": "ref: refs/heads/main\n"}) }, "mute", 0},
	}
	for _, s := range steps {
		s.before()
		if got := goals(s.dir); got != s.want {
			t.Fatalf("%s: %d goals, want %d", s.name, got, s.want)
		}
	}
	found, err := r.Search(t.Context(), api.Search{Query: "checkout", Cwd: at("tea"), Project: "tea", Limit: 9})
	if err != nil || len(found.Results) != 1 || found.Results[0].Memory.ProjectPath != at("tea") || found.Results[0].Memory.Project != "tea" {
		t.Errorf("found %+v, %v; want the one memory, of tea", found.Results, err)
	}
}
