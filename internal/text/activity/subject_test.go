package activity

import (
	"slices"
	"testing"
)

func TestWaysOfSubject(t *testing.T) {
	tests := []struct {
		wish           string
		asked, refused []string
	}{
		{"Never use npm here, use bun", []string{"bun"}, []string{"npm"}},
		{"run the migrations with make migrate", []string{"make migrate"}, nil},
		{"always use ripgrep instead of grep", []string{"ripgrep"}, []string{"grep"}},
		{"use pytest, not unittest", []string{"pytest"}, []string{"unittest"}},
		{"always run python with uv run", []string{"uv run"}, nil},
		{"don't call `go build`, run `make all`.", []string{"make all"}, []string{"go build"}},
		{"ask me before you run terraform", nil, nil},
		{"never push, I push myself", nil, nil},
		{"one sentence per line", nil, nil},
	}
	for _, tt := range tests {
		s := SubjectOf(tt.wish)
		if !slices.Equal(s.Asked, tt.asked) || !slices.Equal(s.Refused, tt.refused) {
			t.Errorf("SubjectOf(%q) asks for %q and refuses %q, want %q and %q", tt.wish, s.Asked, s.Refused, tt.asked, tt.refused)
		}
	}
}

func TestFilesOfSubject(t *testing.T) {
	tests := []struct {
		wish, file string
		want       bool
	}{
		{"never touch anything under vendor/", "vendor/lib/money.go", true},
		{"never touch anything under vendor/", "docs/vendor.md", false},
		{"leave ./gen/** alone", "api/gen/user.go", true},
		{"Makefiles are indented with tabs", "tools/Makefile", true},
		{"never edit *.pb.go", "api/user.pb.go", true},
		{"never edit *.pb.go", "api/user.go", false},
		{"upper case in .sql files", "db/report.SQL", true},
		{"upper case in .sql files", "sql/report.py", false},
		{"never run the seeds file", "priv/repo/seeds.exs", true},
		{"YAML files have two spaces", "ci/build.yaml", true},
		{"see https://example.com/cart", "web/example.com/cart", false},
		{"client/server in one file", "server.go", false},
	}
	for _, tt := range tests {
		if s := SubjectOf(tt.wish); s.HasFile(tt.file) != tt.want {
			t.Errorf("SubjectOf(%q) names %q: %t, want %t", tt.wish, tt.file, !tt.want, tt.want)
		}
	}
	if !SubjectOf("put that into docs/vision.md").Named || SubjectOf("docs are written for Node.js, in .md files").Named {
		t.Error("one of two wishes names a file")
	}
	s := SubjectOf("tests live in test/unit")
	if !s.HasPlaceOf("test/unit/cart_test.go") || s.HasPlaceOf("cart_test.go") {
		t.Error("tests belong in test/unit, and nowhere else")
	}
}
