package config

import (
	"fmt"
	"path"
	"strings"
)

// Capture says what is learned from sessions.
type Capture struct {
	// Ignore are globs of files whose content is never kept, only their name.
	// One with a slash is of the end of a path, others are of the file's
	// name. After "!" stands what is kept all the same; the last that fits
	// decides.
	Ignore []string `toml:"ignore"`

	// Extractor is what takes memories out of a session: rules, or a model
	// besides (ollama, openai, anthropic, claude), once the session is quiet.
	Extractor   string   `toml:"extractor"`
	Model       string   `toml:"model"`        // what the server or Claude Code calls it; empty for Claude Code's own choice
	URL         string   `toml:"url"`          // of the server; empty for Ollama's own port and Anthropic's API
	TokenFile   string   `toml:"token_file"`   // file with the token that the server asks for; empty for none
	AllowRemote bool     `toml:"allow_remote"` // whether sessions may be sent to another machine
	Timeout     Duration `toml:"timeout"`      // of one answer, 5s to 10m
	MaxTokens   int      `toml:"max_tokens"`   // of four characters, that one question holds, 2000 to 100000
	Parallel    int      `toml:"parallel"`     // questions at a time, 1 to 4

	Keep Keep `toml:"keep"`
}

// ignored are the files that hold keys and passwords and nothing else.
func ignored() []string {
	return []string{
		".env", ".env.*", "*.env", "!.env.example", "!.env.sample", "!.env.template", "!.env.dist",
		"*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.kdbx",
		"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "!*.pub",
		".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", ".htpasswd",
		".aws/credentials", ".docker/config.json", ".kube/config", "credentials.json", "service-account*.json",
		"secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml",
	}
}

func (v *rules) capture(c Capture) {
	v.extractor(c)
	v.keep(c.Keep)
	for _, glob := range c.Ignore {
		bare := strings.TrimPrefix(glob, "!")
		if _, err := path.Match(bare, ""); err != nil || strings.Trim(bare, "/") == "" {
			v.add("capture.ignore", fmt.Sprintf("%q", glob), "must be a glob such as *.pem")
		}
	}
}
