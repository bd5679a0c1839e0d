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
	for _, glob := range c.Ignore {
		bare := strings.TrimPrefix(glob, "!")
		if _, err := path.Match(bare, ""); err != nil || strings.Trim(bare, "/") == "" {
			v.add("capture.ignore", fmt.Sprintf("%q", glob), "must be a glob such as *.pem")
		}
	}
}
