package secret

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	const pw = "h" + "unter2!"
	const mark = "[secret:password]"
	for _, tt := range []struct{ name, in, want string }{
		{"space", "tool --password " + pw + " run", "tool --password " + mark + " run"},
		{"equals sign", "tool --password=" + pw + " run", "tool --password=" + mark + " run"},
		{"colon", "tool --password:" + pw + " run", "tool --password:" + mark + " run"},
		{"double quotes", `tool --password "` + pw + ` x y" run`, `tool --password "` + mark + `" run`},
		{"single quotes", `tool --password '` + pw + `' run`, `tool --password '` + mark + `' run`},
		{"quotes within JSON", `{"command": "tool --password \"` + pw + `\" run"}`, `{"command": "tool --password \"` + mark + `\" run"}`},
		{"end of JSON", `{"command": "tool --password ` + pw + `"}`, `{"command": "tool --password ` + mark + `"}`},
		{"list of arguments", `["tool", "--password", "` + pw + `"]`, `["tool", "--password", "` + mark + `"]`},
		{"list of arguments over lines", "[\n  '--db-password',\n  '" + pw + "',\n]", "[\n  '--db-password',\n  '" + mark + "',\n]"},
		{"next line", "tool \\\n  --password \\\n  " + pw + " \\\n  run", "tool \\\n  --password \\\n  " + mark + " \\\n  run"},
		{"code span", "I ran `tool --password " + pw + "`.", "I ran `tool --password " + mark + "`."},
		{"end of sentence", "I ran tool --password " + pw + ".", "I ran tool --password " + mark + "."},
		{"one dash", "keytool -storepass " + pw + " -keypass " + pw, "keytool -storepass " + mark + " -keypass " + mark},
		{"PowerShell", "New-User -Password '" + pw + "' -Name ada", "New-User -Password '" + mark + "' -Name ada"},
		{"part of a name", "tool --db-password " + pw + " --adminPassword " + pw, "tool --db-password " + mark + " --adminPassword " + mark},
		{"number", "tool --password 271828 run", "tool --password " + mark + " run"},
		{"word", "tool login --password letmein --verbose", "tool login --password " + mark + " --verbose"},
		{"passphrase", "tool --password garden-pepper-silver-thunder run", "tool --password " + mark + " run"},
		{"key", "tool --access-token 8f3k29dj --api-key x9Kd02", "tool --access-token [secret:secret] --api-key [secret:secret]"},
		{"the secret itself", "aws create-secret --secret-string q7Pz0kk1", "aws create-secret --secret-string [secret:secret]"},
		{"known token", "gh --token " + examples()["github-token"], "gh --token [secret:github-token]"},
		{"mysql", "mysql -uroot -p" + pw + " shop", "mysql -uroot -p" + mark + " shop"},
		{"docker login", "docker login -u ada -p " + pw + " registry.example.com", "docker login -u ada -p " + mark + " registry.example.com"},
		{"sshpass", "sshpass -p '" + pw + "' ssh ada@example.com", "sshpass -p '" + mark + "' ssh ada@example.com"},
		{"redis-cli", "redis-cli -h cache -a " + pw + " ping", "redis-cli -h cache -a " + mark + " ping"},
		{"ssh-keygen", "ssh-keygen -t ed25519 -N '" + pw + "' -f k", "ssh-keygen -t ed25519 -N '" + mark + "' -f k"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.in); got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestNoFlagValue(t *testing.T) {
	for _, s := range []string{
		"tool --password-file /run/secrets/db run", "tool --token-ttl 30s", "docker login --password-stdin registry.example.com",
		"use the --token flag to authenticate", "The --password option is required.", "pass --token or --api-key", "add --token support",
		"--password is read from the terminal", "--token string   the token to use", "  -p, --password TEXT  the password", "see `--password` below",
		"tool --api-key $API_KEY", `tool --password "$PASS"`, `tool --password "${DB_PASSWORD}"`, "tool --token $(cat token)", "tool --token ${{ secrets.TOKEN }}",
		"tool --token <TOKEN>", "tool --token=<your token>", "tool --token {token}", "tool --password %PASSWORD%", "tool --token $env:TOKEN", "tool --password $1",
		"tool --api-key YOUR_API_KEY", "tool --api-key your-api-key", "tool --token TOKEN", "tool --password ******", "tool --token ...", "tool --password=$PASS",
		"tool --password --host db", "tool --password -h db", "tool --private-key ~/.ssh/id_rsa", "tool --private-key server.pem",
		"tool --token-file=token.txt", "tool --max-tokens 4096", "tool --token true", "podman run --secret db-creds app", "docker build --secret id=npm1,src=.npmrc .",
		`parser.add_argument("--token", default=None, help="the token")`, `parser.add_argument("--token", "-t", required=True)`, `"--token=" + token`,
		`["--password", password]`, `flag("--password", "the password of the user")`, "ffmpeg -pass 2 -i a.mp4", "tool --bypass cache123", "tool --keyboard qwertz12",
		"mysql -u root -p shop", "docker run -p 8080:80 nginx", "tool -p 8080", "git log -p main", "--token\nx1y2z3 is a name", "multi-token x1y2z3",
		"kubectl create secret generic db --from-file x1y2z3", "tool --password op://vault/db/password",
	} {
		if got := Redact(s); got != s {
			t.Errorf("Redact(%q) = %q, want no change", s, got)
		}
	}
}

// What generators of passwords make is taken whole, whichever sign it begins
// with, for every option and every way to give it.
func TestFlagsOfGenerators(t *testing.T) {
	const plain = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(from string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(from[rnd.IntN(len(from))])
		}
		return b.String()
	}
	words := strings.Fields("correct horse battery staple orange window garden pepper silver thunder yellow marble")
	generators := []func() string{
		func() string { return pick(plain, 20) },
		func() string { return pick(plain+"!@#$%^&*", 14) },
		func() string { return pick(plain+"-_.!@*", 20) },
		func() string { return pick(plain+"!#$%&()*+,-./:;<=>?@[]^_{|}~", 20) },
		func() string { return pick("!#$%&()*+,-./:;<=>?@[]^_{|}~", 1) + pick(plain, 12) },
		func() string {
			return strings.Join([]string{words[rnd.IntN(12)], words[rnd.IntN(12)], words[rnd.IntN(12)], words[rnd.IntN(12)]}, "-")
		},
		func() string { return words[rnd.IntN(12)] + pick("0123456789", 4) },
	}
	frames := []string{"tool % run", "tool %", "I ran `tool %` and it worked", `{"command": "tool %"}`, "$ tool --user ada %\nok", "% tool"}
	for _, name := range []string{"--password", "--token", "--api-key", "--db-password", "--access-token", "--client-secret", "--passphrase", "-password", "--dbPassword"} {
		for _, glue := range []string{" %", "=%", " '%'", ` "%"`, "  %", "='%'"} {
			for g, generate := range generators {
				for range 20 {
					v := generate()
					in := strings.Replace(frames[rnd.IntN(len(frames))], "%", name+strings.Replace(glue, "%", v, 1), 1)
					got := Redact(in)
					if strings.Contains(got, v[:8]) || strings.Contains(got, v[len(v)-8:]) {
						t.Errorf("generator %d: Redact(%q) = %q", g, in, got)
					}
				}
			}
		}
	}
}
