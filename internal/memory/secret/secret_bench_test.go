package secret

import (
	"strings"
	"testing"
)

// Text as sessions have it: a listing, code, prose and a test's output, none
// with a secret.
var ordinary = strings.Repeat(`=== RUN   TestTokenRefresh
    session_test.go:81: token expires at 2026-07-01, key "user:42" is still cached
func (c *Client) login(ctx context.Context, user, password string) (*Token, error) {
	req, err := c.request(ctx, "POST", c.base+"/auth/token", form{"user": user, "password": password})
The access token is refreshed when the API answers 401; see https://example.com/docs/auth for the key.
-rw-r--r-- 1 ada staff  4096 Jun 12 09:14 secret_test.go   3f786850e387550fdab836ed7e6dc881de23001b
`, 100)

func BenchmarkRedact(b *testing.B) {
	b.SetBytes(int64(len(ordinary)))
	b.ReportAllocs()
	for b.Loop() {
		Redact(ordinary)
	}
}

// Keywords without end, which must not take time without end.
func BenchmarkRedactKeywords(b *testing.B) {
	for _, text := range []string{"sk-", "curl ", "bearer ", "eyJ", "password: ", "token=", "cookie: a=b;", "key as ", "4111 1111 ", "abandon ",
		"user,password\n", "| password |\n|---|\n", "insert into t (password) values (", "recovery codes\n", "passwords:\n- ", `"password":{"a":1,`, "0x1f, ", "0123456789abcdef", "send \"", "$1$", "machine "} {
		s := strings.Repeat(text, 64<<10/len(text))
		b.Run(text, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Redact(s)
			}
		})
	}
}

func BenchmarkRedactPrompt(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Redact("fix the token parser: it drops the key when the API answers 401, and the password check in auth.go fails")
	}
}

// What the first text costs more than the others.
func BenchmarkNewRules(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newRules()
	}
}
