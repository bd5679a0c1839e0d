package secret

import (
	"strings"
	"testing"
)

// left reports which of the secrets are still in a text once it was redacted.
func left(in string, secrets ...string) (out string, found []string) {
	out = Redact(in)
	for _, s := range secrets {
		if strings.Contains(out, s) {
			found = append(found, s)
		}
	}
	return out, found
}

// What stands below the name of a password goes, whatever the form of the table,
// and nothing else does.
func TestColumns(t *testing.T) {
	const one, two = "Plum" + "-5512x", "pear77" + "tree"
	for _, tt := range []struct{ name, in string }{
		{"Markdown", "| User | Password |\n|------|:--------:|\n| ada | {1} |\n| bob | `{2}` |"},
		{"Markdown without outer signs", "User | Passwort\n--- | ---\nada | {1}\nbob | {2}"},
		{"Markdown in a quotation", "> | User | **Password** |\n> |---|---|\n> | ada | {1} |\n> | bob | {2} |"},
		{"psql", " id |   password    | role\n----+---------------+------\n  1 | {1} | admin\n  2 | {2} | user\n(2 rows)"},
		{"mysql", "+----+----------+\n| id | password |\n+----+----------+\n|  1 | {1} |\n|  2 | {2} |\n+----+----------+"},
		{"Org", "| host | password |\n|------+----------|\n| db1 | {1} |\n| db2 | {2} |"},
		{"wiki", "||User||Password||\n|ada|{1}|\n|bob|{2}|"},
		{"CSV", "name,url,username,password\nx,https://x.example.com,ada,{1}\ny,https://y.example.com,bob,{2}\n"},
		{"CSV in quotes", "\"url\",\"password\",\"realm\"\n\"https://x.example.com\",\"{1}\",\"a, b\"\n\"https://y.example.com\",\"{2}\",\"\""},
		{"CSV with semicolons", "Benutzer;Passwort;Rolle\nada;{1};admin\nbob;{2};user"},
		{"TSV", "host\tuser\tpassword\ndb1\troot\t{1}\ndb2\tapp\t{2}"},
		{"numbered lines", "     1→name,password\n     2→ada,{1}\n     3→bob,{2}"},
		{"aligned", "HOST   USER   PASSWORD\ndb1    root   {1}\ndb2    app    {2}"},
		{"reStructuredText", "=====  ==========\nuser   password\n=====  ==========\nada    {1}\nbob    {2}\n=====  =========="},
		{"chap-secrets", "# client\tserver\tsecret\tIP addresses\nada\tpptpd\t{1}\t*\nbob\tpptpd\t{2}\t*"},
		{"list", "Test accounts (user / password):\n- ada / {1}\n- bob / {2} (read only)"},
		{"list below an empty line", "Logins (username:password)\n\n* ada:{1}\n* bob:{2}"},
		{"numbered list", "Demo users - login / pass:\n1. ada / {1}\n2. bob / {2}"},
		{"INSERT", "INSERT INTO users (name, password)\nVALUES\n  ('ada', '{1}'),\n  ('bob', '{2}');"},
		{"INSERT with a function", "insert into `users` (`name`,`password`) values ('ada', crypt('{1}', gen_salt('bf'))), ('bob', '{2}')"},
		{"COPY", "COPY public.users (id, password, role) FROM stdin;\n1\t{1}\tadmin\n2\t{2}\tuser\n\\."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fill := func(first, second string) string {
				return strings.NewReplacer("{1}", first, "{2}", second).Replace(tt.in)
			}
			if got, want := Redact(fill(one, two)), fill("[secret:password]", "[secret:password]"); strings.ReplaceAll(got, ":secret]", ":password]") != want {
				t.Errorf("Redact = %q, want %q", got, want)
			}
		})
	}
}

// Words are passwords in files of values, not in the tables of documents.
func TestColumnsOfWords(t *testing.T) {
	for in, want := range map[string]string{
		"user,password\nada,sunshine":                                 "user,password\nada,[secret:password]",
		"insert into users (name, password) values ('a', 'lemon')":    "insert into users (name, password) values ('a', '[secret:password]')",
		"| Login | Password |\n|---|---|\n| SAML | supported |":       "| Login | Password |\n|---|---|\n| SAML | supported |",
		"| CI | API token |\n|---|---|\n| a | 7f3kD92mQx81LpZr44Tt |": "| CI | API token |\n|---|---|\n| a | [secret:secret] |",
		"| Token | Value |\n|---|---|\n| color-primary-500 | blue |":  "| Token | Value |\n|---|---|\n| color-primary-500 | blue |",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}
