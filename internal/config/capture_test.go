package config

import (
	"strings"
	"testing"
)

func TestIgnore(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"globs", `ignore = ["*.pem", "!a.pem", ".aws/credentials"]`, ""},
		{"none", `ignore = []`, ""},
		{"broken", `ignore = ["[a"]`, `c.toml:2: capture.ignore = "[a": must be a glob`},
		{"empty", `ignore = [".env", ""]`, `c.toml:2: capture.ignore = "": must be a glob`},
		{"nothing but not", `ignore = ["!"]`, `c.toml:2: capture.ignore = "!": must be a glob`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("c.toml", "[capture]\n"+tt.text)
			if tt.want == "" && err != nil {
				t.Errorf("Parse error = %v, want none", err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Parse error = %v, want %q in it", err, tt.want)
			}
		})
	}
}
