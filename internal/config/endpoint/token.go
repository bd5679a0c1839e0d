package endpoint

import (
	"fmt"
	"strings"

	"recollect/internal/system/regular"
)

// noToken is used if a server requires no token, because langchaingo's clients insist on one.
const noToken = "none"

const maxToken = 64 << 10 // bytes of a token's file

// Token reads the token for a server from a file named in the settings. It returns noToken if path is "".
func Token(path string) (string, error) {
	if path == "" {
		return noToken, nil
	}
	b, err := regular.Read(path, maxToken)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	token := strings.TrimSpace(string(b))
	if token == "" || strings.ContainsAny(token, "\r\n") {
		return "", fmt.Errorf("read token: %s: must hold one line with the token", path)
	}
	return token, nil
}
