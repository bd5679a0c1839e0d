package capture

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"recollect/internal/agents/claudecode"
)

// Of which repositories below its folder a turn is.
func TestBelow(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"service-a/.git", "service-b/.git", "service-ab/.git", "group/deep/.git", "docs", "web/.git"} {
		if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, prompt string
		files, want  []string
	}{
		{"named", "in service-a always use pnpm", nil, []string{"service-a"}},
		{"named in capitals", "In Service-A always use pnpm", nil, []string{"service-a"}},
		{"named in quotes", "in `service-a`, always use pnpm", nil, []string{"service-a"}},
		{"named in a path", "fix service-a/main.go", nil, []string{"service-a"}},
		{"a longer name", "in service-ab always use pnpm", nil, []string{"service-ab"}},
		{"part of a word", "the webhook of my-web is slow", nil, nil},
		{"two named", "use pnpm in service-b, like in service-a", nil, []string{"service-a", "service-b"}},
		{"named, with files of another", "in service-a always use pnpm", []string{"service-b/x.go"}, []string{"service-a"}},
		{"files of one", "always use pnpm here", []string{"service-a/x.go", "service-a/y/z.go"}, []string{"service-a"}},
		{"files of two", "always use pnpm here", []string{"service-b/x.go", "service-a/y.go"}, []string{"service-a", "service-b"}},
		{"files of one deep below", "always use pnpm here", []string{"group/deep/x.go"}, []string{"group/deep"}},
		{"a file of the folder too", "always use pnpm here", []string{"service-a/x.go", "README.md"}, nil},
		{"a file in no repository", "always use pnpm here", []string{"docs/x.md"}, nil},
		{"a file elsewhere", "always use pnpm here", []string{"../x.md"}, nil},
		{"nothing", "always use pnpm here", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{Prompt: tt.prompt}
			for _, f := range tt.files {
				turn.Actions = append(turn.Actions, claudecode.Action{File: filepath.Join(root, filepath.FromSlash(f))})
			}
			if got := newBelow(root).parts(&turn); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if got := newBelow(filepath.Join(root, "none")).parts(&claudecode.Turn{Prompt: "service-a"}); got != nil {
		t.Errorf("of a folder that is gone: %v", got)
	}
}
