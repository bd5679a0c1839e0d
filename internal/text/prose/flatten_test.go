package prose

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlatten(t *testing.T) {
	tests := []struct{ name, reply, want string }{
		{"what is listed below an item", "1. The store:\n   - a lock\n   - a cursor.\n2. The job", "1. The store: a lock, a cursor\n2. The job"},
		{"without indentation", "1. **The store**:\n- a lock\n- a cursor", "1. The store: a lock, a cursor"},
		{"what is said below an item", "- The store\n  It has a lock.\n\nAll is well.", "- The store. It has a lock.\n\nAll is well."},
		{"empty lines between items", "- a lock\n\n- a cursor", "- a lock\n- a cursor"},
		{"short code", "The counter starts at one:\n```go\nn := 1\n```\nand ends at ten.", "The counter starts at one: `n := 1` and ends at ten."},
		{"long code", "The loop:\n```go\na\nb\nc\nd\n```", "The loop:\n```go\na\nb\nc\nd\n```"},
		{"a diff", "The counter:\n```diff\n-n := 1\n+n := 0\n```", "The counter: `n := 1` → `n := 0`"},
		{"before and after in comments", "The counter:\n```go\n// before\nn := 1\n// after\nn := 0\n```", "The counter: `n := 1` → `n := 0`"},
		{"before and after as labels", "The counter started late:\n\n**Before:**\n```go\nn := 1\n```\n\n**After:**\n```go\nn := 0\n```", "The counter started late: `n := 1` → `n := 0`"},
		{"a drawing", "The parts:\n```\n├── store\n```", "The parts:\n```\n├── store\n```"},
		{"numbered headings", "## Changes\n\n### 1. Moved the lock\n- into the store\n\n### 2. Added a cursor", "## Changes\n\n1. Moved the lock: into the store\n2. Added a cursor"},
		{"numbered sections", "## 1. Root cause\nTwo workers.\n## 2. Fix\nOne worker.", "## 1. Root cause\nTwo workers.\n## 2. Fix\nOne worker."},
		{"no end of the code", "The loop:\n```go\na", "The loop:\n```go\na"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Flatten(tt.reply)); diff != "" {
				t.Errorf("Flatten (-want +got):\n%s", diff)
			}
		})
	}
}
