package paste

import (
	"fmt"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	var lines strings.Builder
	for i := range 100 {
		fmt.Fprintf(&lines, "2026-03-01T10:%02d:07.112Z INFO  [api] request served path=/v1/items status=200 in %d ms\n", i%60, i)
	}
	log := strings.TrimSpace(lines.String())
	list := "Add an endpoint for exports:\n1. POST /exports returns 201\n2. GET /exports/{id} returns 200 (or 404)\n3. it streams CSV\n4. only admins may call it\n" +
		"5. at most 5 a minute\n6. files go to S3\n7. they expire after 7 days\n8. log who asked\n9. write tests\n10. update docs/api.md"
	prose := strings.TrimSpace(strings.Repeat("We had a long talk about the export, and nobody likes the current form.\n", 20))
	tests := []struct{ name, prompt, want string }{
		{"a short prompt", "why does the import fail?", "why does the import fail?"},
		{"a question above", "why does the import fail?\n" + log, "why does the import fail?"},
		{"a question below", log + "\n\nwhy does the import fail?", "why does the import fail?"},
		{"both", "look at this:\n\n" + log + "\n\nwhy does the import fail?", "look at this:\n\nwhy does the import fail?"},
		{"between two", log + "\nand what is this?\n" + log, "and what is this?"},
		{"a bug report with its log", "why does the import fail?\n" + log[:len(log)/2], "why does the import fail?\n" + log[:len(log)/2]},
		{"a few lines of code", "rename this:\n```\nfunc a() {\n}\n```\nto b", "rename this:\n```\nfunc a() {\n}\n```\nto b"},
		{"a list of requirements", list, list},
		{"prose", prose, prose},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := Split(tt.prompt)
			if got = strings.Join(strings.Fields(got), " "); got != strings.Join(strings.Fields(tt.want), " ") {
				t.Errorf("Split() = %q, want %q", got, tt.want)
			}
		})
	}
}
