package secret

import (
	"strings"
	"testing"

	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// examples are tokens of the common kinds, put together here so that no scanner takes this
// file for a leak.
func examples() map[string]string {
	const (
		letters = "aB3dE6gH1jK4mN7pQ0sT2vW5yZ8bC9eF"
		hex     = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	)
	return map[string]string{
		"aws-access-token":     "AKIA" + "IOSF0DNN7EX1MPL9",
		"github-token":         "ghp_" + letters + "wX4z",
		"gitlab-token":         "glpat-" + letters[:20],
		"slack-token":          "xoxb-" + "123456789012-123456789012-" + letters[:24],
		"slack-webhook":        "hooks.slack.com/services/" + "T00AB12CD/B00EF34GH/" + letters[:24],
		"stripe-token":         "sk_live_" + letters[:24],
		"anthropic-api-key":    "sk-ant-" + "api03-" + letters + "_" + letters + "-AA",
		"openai-api-key":       "sk-proj-" + letters + "_" + letters,
		"google-api-key":       "AIza" + "SyA" + letters,
		"google-oauth":         "GOCSPX-" + letters[:28],
		"npm-token":            "npm_" + letters + "wX4z",
		"pypi-token":           "pypi-" + "AgEIcHlwaS5vcmc" + letters + letters,
		"telegram-bot-token":   "123456789:" + "AA" + letters + "x",
		"twilio-api-key":       "SK" + hex,
		"sendgrid-api-key":     "SG." + letters[:22] + "." + letters + letters[:11],
		"huggingface-token":    "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
		"vault-token":          "hvs." + letters + letters + letters,
		"jwt":                  "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0" + "." + letters,
		"age-secret-key":       "AGE-SECRET-KEY-1" + strings.Repeat("QPZRY9X8GF", 6)[:58],
		"digitalocean-pat":     "dop_v1_" + hex + hex,
		"shopify-access-token": "shpat_" + hex,
	}
}

// A token is found wherever it stands in a text, and nothing else is lost.
func TestTokens(t *testing.T) {
	frames := []string{
		"%", "my key is %, use it", "export KEY=%", `{"k": "%"}`, "curl -H 'X-Key: %' https://example.com", "(%)", "see `%`.", "a\n%\nb", "Schlüssel:%；", "%\\n", "<%>",
	}
	for kind, token := range examples() {
		for _, frame := range frames {
			in := strings.Replace(frame, "%", token, 1)
			got := Redact(in)
			if strings.Contains(got, token) || !strings.Contains(got, "[secret:") {
				t.Errorf("Redact(%q) = %q, want it without the %s", in, got, kind)
			}
		}
		if got, want := Redact("use "+token+" here"), "use [secret:"+kind+"] here"; got != want {
			t.Errorf("Redact = %q, want %q", got, want)
		}
	}
}

func TestRedact(t *testing.T) {
	const pw = "h" + "unter2"
	tests := []struct{ name, in, want string }{
		{"environment", "DB_PASSWORD=" + pw + " make run", "DB_PASSWORD=[secret:password] make run"},
		{"environment in quotes", `export API_TOKEN="abc def"` + "\nnext", `export API_TOKEN="[secret:secret]"` + "\nnext"},
		{".env file", "A=1\nSECRET_KEY=x" + pw + "9!\nB=2", "A=1\nSECRET_KEY=[secret:secret]\nB=2"},
		{"JSON", `{"user": "ada", "password": "` + pw + `"}`, `{"user": "ada", "password": "[secret:password]"}`},
		{"JSON within JSON", `{\"password\": \"` + pw + `\"}`, `{\"password\": \"[secret:password]\"}`},
		{"code", "password = '" + pw + "'", "password = '[secret:password]'"},
		{"sentence, with braces", "the password is k{9x" + "}Vq!2mZp now", "the password is [secret:password] now"},
		{"YAML", "password: " + pw + "\n", "password: [secret:password]\n"},
		{"YAML key", "api_key: 8f3k29dj39dk20sl\n", "api_key: [secret:secret]\n"},
		{"flag", "mysql --password=" + pw + " db", "mysql --password=[secret:password] db"},
		{"database address", "postgres://ada:" + pw + "@db:5432/x", "postgres://ada:[secret:password]@db:5432/x"},
		{"address without user", "redis://:" + pw + "@cache", "redis://:[secret:password]@cache"},
		{"password with an at sign", "https://ada:s3@cret@example.com/a", "https://ada:[secret:password]@example.com/a"},
		{"bearer", "Authorization: Bearer abcdef0123456789", "Authorization: Bearer [secret:authorization]"},
		{"basic", "-H 'Authorization: Basic YWRhOmh1bnRlcjI='", "-H 'Authorization: Basic [secret:authorization]'"},
		{"curl", "curl -u ada:" + pw + " https://example.com", "curl -u [secret:curl-auth-user] https://example.com"},
		{"azure", "AccountName=a;AccountKey=" + strings.Repeat("Ab1+", 21) + "==;EndpointSuffix=x", "AccountName=a;AccountKey=[secret:azure-key];EndpointSuffix=x"},
		{"their assignment", "dropbox_token = 'ab12cd34ef56gh7'", "dropbox_token = '[secret:dropbox-api-token]'"},
		{"two", "A_TOKEN=abc123xyz B_TOKEN=def456uvw", "A_TOKEN=[secret:secret] B_TOKEN=[secret:secret]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.in); got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestNoSecret(t *testing.T) {
	for _, s := range []string{
		"", "fix the token parser", "The password is wrong, try another one.", "commit 3f786850e387550fdab836ed7e6dc881de23001b",
		"fail-0123456789ab", "550e8400-e29b-41d4-a716-446655440000", "sha256:" + strings.Repeat("0123456789abcdef", 4),
		"github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBzzeqPk=",
		"password = getpass()", "password: str", "password=password, token=token", "def login(self, password: str = None) -> bool:",
		"token := lexer.Next()", "secret_name: my-app", "TOKEN=$TOKEN", "API_KEY=${API_KEY:-none}", "PASSWORD=", "--token <token>",
		`{"token_type": "Bearer", "max_tokens": 4096}`, "tokens: 123456", "Authorization: required", "https://example.com:8080/a@b",
		"git@github.com:team/app.git", "http://localhost:3000/@scope/pkg", "export ANTHROPIC_API_KEY=your-key-here", "task_scheduler_with_a_long_name",
		"passed: 'Base' is fine", "keyboard: 'qwertz-de-latin1'", "SSH keys begin with -----BEGIN OPENSSH PRIVATE KEY----- and so on",
		"data:image/png;base64," + strings.Repeat("iVBORw0KGgoAAAANSUhEUgsk", 40), "public_key = ssh-ed25519",
		"crypto.scryptSync(password, salt, 64, { N: 16384, r: 8, p: 1 })", "The data pin is D4/GPIO2.",
		"<trt:GetStreamUri><trt:ProfileToken>Profile_1</trt:ProfileToken></trt:GetStreamUri>",
	} {
		if got := Redact(s); got != s {
			t.Errorf("Redact(%q) = %q, want no change", s, got)
		}
	}
}

func TestPrivateKeys(t *testing.T) {
	const (
		begin = "-----BEGIN " + "RSA PRIVATE KEY-----"
		end   = "-----END " + "RSA PRIVATE KEY-----"
		one   = "MIIEpAIBAAKCAQEA75hQaDWpT3ihNSsjcY8FfBAmDW1Z9wO3HxXg0mG4WwCzPbcf"
		two   = "VrRjyRFo2K0Bz2PmAjhWKoxgDVuBv+zwWJ7kTLXv8SmTKmAgj2a1PbiQ2rEokzXc"
		mark  = "[secret:private-key]"
	)
	tests := []struct{ name, in, want string }{
		{"whole", "a\n" + begin + "\n" + one + "\n" + two + "\n" + end + "\nb", "a\n" + mark + "\nb"},
		{"in one line", `"` + begin + `\n` + one + `\n` + end + `\n"`, `"` + mark + `\n"`},
		{"without its end", "a\n" + begin + "\n" + one + "\n" + two[:20], "a\n" + mark},
		{"without its beginning", "a word\n" + one + "\n" + two + "\n" + end + "\nb", "a word\n" + mark + "\nb"},
		{"middle cut out", begin + "\n" + one + "\n…\n" + two + "\n" + end, mark},
		{"headers", begin + "\nProc-Type: 4,ENCRYPTED\n\n" + one + "\n" + end, mark},
		{"two", begin + "\n" + one + "\n" + end + "\n" + begin + "\n" + two + "\n" + end, mark + "\n" + mark},
		{"second without its beginning", begin + "\n" + one + "\n" + end + "\nand\n" + two + "\n" + end, mark + "\nand\n" + mark},
		{"first without its end", begin + "\n" + one + "\n" + begin + "\n" + two + "\n" + end, mark + mark},
		{"spoken of", "must start with " + begin + ", then base64", "must start with " + begin + ", then base64"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.in); got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// A token that is longer than what a rule looks at goes as a whole.
func TestLongToken(t *testing.T) {
	token := examples()["jwt"] + strings.Repeat("aB3dE6gH", 2000)
	if got := Redact("x " + token + " y"); got != "x [secret:jwt] y" {
		t.Errorf("Redact = %.80q… of %d bytes, want a marker alone", got, len(got))
	}
}

// What was redacted stays as it is, wherever it is put.
func TestRedactTwice(t *testing.T) {
	for kind, token := range examples() {
		marker := looks.MarkerStart + kind + markerEnd
		for _, s := range []string{
			"PASSWORD=" + token, `"token": "` + token + `"`, "https://a:" + token + "@b.c", token + " " + token, "Authorization: Bearer " + token,
			"PASSWORD=" + marker, `"token": "` + marker + `"`, "https://a:" + marker + "@b.c", marker + marker, "Authorization: Bearer " + marker,
		} {
			once := Redact(s)
			if twice := Redact(once); twice != once {
				t.Errorf("Redact(%q) = %q, and of that %q", s, once, twice)
			}
			if strings.Contains(once, token) {
				t.Errorf("Redact(%q) = %q", s, once)
			}
		}
	}
}

func TestOutside(t *testing.T) {
	marks := []form.Span{{Start: 10, End: 20}, {Start: 30, End: 40}}
	for _, tt := range []struct {
		start, end int
		want       bool
	}{{0, 10, true}, {0, 11, false}, {12, 15, false}, {19, 25, false}, {20, 30, true}, {20, 31, false}, {5, 45, false}, {40, 50, true}} {
		if got := len(outsideMarks([]form.Span{{Start: tt.start, End: tt.end}}, marks)) == 1; got != tt.want {
			t.Errorf("span %d to %d is kept = %t, want %t", tt.start, tt.end, got, tt.want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, token := range examples() {
		f.Add("PASSWORD=" + token + "\n" + token)
	}
	f.Add("-----BEGIN " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75hQ\n-----END " + "PRIVATE KEY-----")
	f.Add("[secret:[secret:x]] \"password\": \"[secret:a]b\" \xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Redact(s)
		if again := Redact(got); again != got {
			t.Errorf("Redact(%q) = %q, and of that %q", s, got, again)
		}
	})
}
