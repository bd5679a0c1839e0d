package endpoint

import (
	"fmt"
	"os"
	"strings"
)

// noToken is used when a server requires no token, because langchaingo's
// clients insist on one.
const noToken = "none"

// Token reads the token for a server from a file named in the settings. When
// none is named, it returns noToken.
func Token(path string) (string, error) {
	if path == "" {
		return noToken, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	token := strings.TrimSpace(string(b))
	if token == "" || strings.ContainsAny(token, "\r\n") {
		return "", fmt.Errorf("read token: %s: must hold one line with the token", path)
	}
	return token, nil
}
