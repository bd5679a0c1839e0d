package config

import (
	"strings"
	"testing"
)

func TestEmbedderRules(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // in the error; "" for none
	}{
		{"default", "", ""},
		{"ollama", "kind = \"ollama\"\nmodel = \"nomic-embed-text\"", ""},
		{"openai", "kind = \"openai\"\nmodel = \"any\"\nurl = \"http://localhost:8080/v1\"", ""},
		{"version 6", "kind = \"ollama\"\nmodel = \"m\"\nurl = \"http://[::1]:11434\"", ""},
		{"folder", "kind = \"bert\"\nfolder = '" + t.TempDir() + "'", ""},
		{"off", "kind = \"off\"", ""},
		{"remote and allowed", "kind = \"openai\"\nmodel = \"m\"\nurl = \"https://api.example.com/v1\"\nallow_remote = true", ""},

		{"kind", "kind = \"best\"", `c.toml:2: embedder.kind = "best": must be one of builtin, ollama, openai, bert, off`},
		{"no model", "kind = \"ollama\"", `embedder.model = "": must name a model that the server has`},
		{"no url", "kind = \"openai\"\nmodel = \"m\"", `embedder.url = "": must be the URL of a server`},
		{"no scheme", "kind = \"ollama\"\nmodel = \"m\"\nurl = \"127.0.0.1:11434\"", `c.toml:4: embedder.url = "127.0.0.1:11434": must be the URL of a server`},
		{"another scheme", "kind = \"ollama\"\nmodel = \"m\"\nurl = \"file:///etc/passwd\"", `must be the URL of a server`},
		{"secret in it", "kind = \"ollama\"\nmodel = \"m\"\nurl = \"http://me:secret@localhost\"", `must be a plain URL`},
		{"remote", "kind = \"openai\"\nmodel = \"m\"\nurl = \"https://api.example.com/v1\"", `must be this one unless allow_remote is true`},
		{"looks local", "kind = \"ollama\"\nmodel = \"m\"\nurl = \"http://localhost.example.com\"", `must be this one unless allow_remote is true`},
		{"every interface", "kind = \"ollama\"\nmodel = \"m\"\nurl = \"http://0.0.0.0:11434\"", `must be this one unless allow_remote is true`},
		{"no folder", "kind = \"bert\"", `embedder.folder = "": must be an absolute path`},
		{"relative folder", "kind = \"bert\"\nfolder = \"~/minilm\"", `embedder.folder = "~/minilm": must be an absolute path`},
		{"relative token", "token_file = \"token\"", `embedder.token_file = "token": must be an absolute path`},
		{"too short", "timeout = \"1ms\"", `c.toml:2: embedder.timeout = 1ms: must be between 10ms and 200ms`},
		{"longer than the hook", "timeout = \"1s\"", `embedder.timeout = 1s: must be between 10ms and 200ms`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("c.toml", "[embedder]\n"+tt.text)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Parse error = %v, want %q in it", err, tt.want)
			}
		})
	}
}
