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

func TestExtractorRules(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // in the error; "" for none
	}{
		{"default", "", ""},
		{"ollama", "extractor = \"ollama\"\nmodel = \"qwen3:8b\"", ""},
		{"openai", "extractor = \"openai\"\nmodel = \"any\"\nurl = \"http://localhost:8080/v1\"", ""},
		{"anthropic", "extractor = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\nallow_remote = true", ""},
		{"its protocol on this machine", "extractor = \"anthropic\"\nmodel = \"any\"\nurl = \"http://127.0.0.1:4000/v1\"", ""},
		{"claude, its own model", "extractor = \"claude\"", ""},
		{"claude, another one", "extractor = \"claude\"\nmodel = \"haiku\"", ""},

		{"unknown", "extractor = \"gpt\"", `c.toml:2: capture.extractor = "gpt": must be one of rules, ollama, openai, anthropic, claude`},
		{"no model", "extractor = \"ollama\"", `capture.model = "": must name a model`},
		{"model that is a flag", "extractor = \"claude\"\nmodel = \"--dangerously\"", `capture.model = "--dangerously": must not begin with a hyphen`},
		{"no url", "extractor = \"openai\"\nmodel = \"m\"", `capture.url = "": must be the URL of a server`},
		{"anthropic is remote", "extractor = \"anthropic\"\nmodel = \"m\"", `capture.url = "https://api.anthropic.com/v1": is another machine`},
		{"remote", "extractor = \"ollama\"\nmodel = \"m\"\nurl = \"http://gpu.example.com:11434\"", `must be this one unless allow_remote is true`},
		{"relative token", "token_file = \"token\"", `capture.token_file = "token": must be an absolute path`},
		{"no time", "timeout = \"1s\"", `c.toml:2: capture.timeout = 1s: must be between 5s and 10m0s`},
		{"no room", "max_tokens = 10", `capture.max_tokens = 10: must be between 2000 and 100000`},
		{"none at a time", "parallel = 0", `capture.parallel = 0: must be between 1 and 4`},
		{"too many at a time", "parallel = 5", `capture.parallel = 5: must be between 1 and 4`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("c.toml", "[capture]\n"+tt.text)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Parse error = %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestReaderRules(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // in the error; "" for none
	}{
		{"default", "", ""},
		{"ollama", "kind = \"ollama\"\nmodel = \"qwen3:8b\"", ""},
		{"claude", "kind = \"claude\"\nprompts = false", ""},

		{"unknown", "kind = \"rules\"", `c.toml:2: reader.kind = "rules": must be one of off, ollama, openai, anthropic, claude`},
		{"no model", "kind = \"openai\"\nurl = \"http://127.0.0.1:1/v1\"", `reader.model = "": must name a model`},
		{"model that is a flag", "kind = \"claude\"\nmodel = \"--dangerously\"", `reader.model = "--dangerously": must not begin with a hyphen`},
		{"remote", "kind = \"ollama\"\nmodel = \"m\"\nurl = \"http://gpu.example.com:11434\"", `is another machine, which would read prompts and memories`},
		{"no time", "timeout = \"10ms\"", `reader.timeout = 10ms: must be between 1s and 2m0s`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Parse("c.toml", "[reader]\n"+tt.text)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Parse error = %v, want %q in it", err, tt.want)
			}
			if c.Reader.ChoosesStatements() != (tt.name == "ollama") && err == nil {
				t.Errorf("it chooses statements: %t", c.Reader.ChoosesStatements())
			}
		})
	}
}
