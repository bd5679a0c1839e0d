package memory

import (
	"path/filepath"
	"strings"
	"testing"
)

const (
	firstStep = "0000000000000000000000000000000000000000 1111111111111111111111111111111111111111 Ada <ada@example.com> 1760000000 +0200\tcommit (initial): begin\n"
	nextStep  = "1111111111111111111111111111111111111111 2222222222222222222222222222222222222222 Ada <ada@example.com> 1760000300 +0200\tcommit: go on\n"
	cloned    = "0000000000000000000000000000000000000000 2222222222222222222222222222222222222222 Ada <ada@example.com> 1760009999 +0200\tclone: from /src/app\n"
)

func TestSteps(t *testing.T) {
	root := layout(t, map[string]string{
		"app/.git/HEAD":                     head,
		"app/.git/logs/HEAD":                firstStep + nextStep,
		"tree/.git":                         "gitdir: {root}/app/.git/worktrees/tree\n",
		"app/.git/worktrees/tree/HEAD":      head,
		"app/.git/worktrees/tree/commondir": "../..\n",
		"later/.git/HEAD":                   head,
		"later/.git/logs/HEAD":              firstStep + nextStep + strings.ReplaceAll(nextStep, "300", "900"),
		"clone/.git/HEAD":                   head,
		"clone/.git/logs/HEAD":              cloned,
		"unborn/.git/HEAD":                  head,
		"empty/.git/HEAD":                   head,
		"empty/.git/logs/HEAD":              "",
		"long/.git/HEAD":                    head,
		"long/.git/logs/HEAD":               firstStep + strings.Repeat(cloned, maxReflog/len(cloned)+1) + nextStep,
		"none/notes.txt":                    "",
	})
	at := func(dir string) Project { return Project{Path: filepath.Join(root, dir)} }
	step := at("app").LastStep()
	if step == "" || step != at("tree").LastStep() || step != at("long").LastStep() {
		t.Fatalf("last steps %q, %q of a work tree, %q of a long log; want one", step, at("tree").LastStep(), at("long").LastStep())
	}
	tests := []struct {
		dir  string
		took bool
		last bool
	}{
		{"app", true, true},
		{"tree", true, true},
		{"later", true, true},
		{"long", true, true},
		{"clone", false, true},
		{"unborn", false, false},
		{"empty", false, false},
		{"none", false, false},
		{"gone", false, false},
	}
	for _, tt := range tests {
		if got := at(tt.dir).Steps()[step]; got != tt.took {
			t.Errorf("%s took the step: %t, want %t", tt.dir, got, tt.took)
		}
		if got := at(tt.dir).LastStep() != ""; got != tt.last {
			t.Errorf("%s has a last step: %t, want %t", tt.dir, got, tt.last)
		}
	}
	if len((Project{}).Steps()) > 0 || (Project{}).LastStep() != "" {
		t.Error("no project has taken a step")
	}
}
