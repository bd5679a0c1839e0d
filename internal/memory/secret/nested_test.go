package secret

import (
	"strings"
	"testing"
)

func TestNested(t *testing.T) {
	for _, tt := range []struct{ name, in string }{
		{"terraform output", `"db_password": {` + "\n  \"sensitive\": true,\n  \"type\": \"string\",\n  \"value\": \"@\"\n}"},
		{"variable", "variable \"db_password\" {\n  description = \"of the db\"\n  type        = string\n  default     = \"@\"\n}"},
		{"DynamoDB", `{"user": {"S": "ada"}, "password": {"S": "@"}}`},
		{"settings of an app", `{"name": "DB_PASSWORD", "slotSetting": false, "value": "@"}`},
		{"YAML", "admin_password:\n  sensitive: true\n  value: @"},
		{"YAML anchor", "db:\n  password: &pw @\n  user: x"},
		{"YAML list", "passwords:\n  - @\nusers: 2"},
		{"YAML list in quotes", "passwords:\n  - '@'\nusers: 2"},
		{"JSON list", `{"passwords": ["@", "a"]}`},
		{"JSON in JSON in JSON", `{"a":"{\"b\":\"{\\\"password\\\":\\\"@\\\"}\"}"}`},
		{"var_dump", "[\"password\"]=>\n  string(12) \"@\"\n"},
		{"print_r", "Array\n(\n    [password] => @\n)"},
		{"PHP", `s:4:"user";s:3:"ada";s:8:"password";s:12:"@";`},
		{"spew", ` Password: (string) (len=12) "@"`},
		{"Elixir", `%{host: "db", password: "@", pool: 10}`},
		{"Rust", `Smtp { user: "ada", password: Some("@") }`},
		{"multipart", "form-data; name=\"password\"\r\n\r\n@\r\n--b"},
		{"multipart with a type", "form-data; name=\"password\"\nContent-Type: text/plain\n\n@\n--b"},
		{"plist", "<key>AdminPassword</key>\n\t<string>@</string>"},
		{"element with an attribute", `<password type="string">@</password>`},
		{"element by an attribute", `<entry key="password">@</entry>`},
		{"section", "<Password><![CDATA[@]]></Password>"},
		{"element in an element", "<AdministratorPassword>\n  <Value>@</Value>\n</AdministratorPassword>"},
		{"element of a namespace", `<wsse:Password Type="http://docs.example.com/wss/2004/01/oasis-username-token-profile#PasswordText">@</wsse:Password>`},
		{"parameter", `[{"ParameterKey":"DbPassword","ParameterValue":"@"}]`},
		{"bold name", "**Username:** ada\n**Password:** @"},
		{"LDIF", "userPassword:: @"},
		{"pairs", "//nas/share cifs username=ada,password=@,uid=1000"},
		{"text of SQL", "ALTER USER ada WITH PASSWORD = N'@';"},
		{"below", "Password for the elastic user (reset with `bin/reset -u elastic`):\n  @"},
		{"beside a user", "creds: ada / @"},
		{"behind a user", "login with ada:@"},
		{"in brackets", "ssh 10.0.0.1 (pass @)"},
		{"test of a page", "page.getByLabel('Password').fill('@')"},
		{"last argument", `WiFi.begin("home", "@");`},
		{"expect", "expect \"*assword:\"\nsend -- \"@\\r\""},
		{"pexpect", "c.expect('Password:')\nc.sendline('@')"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.Replace(tt.in, "@", "Plum"+"5512!tree", 1)
			if got, want := Redact(in), strings.Replace(tt.in, "@", "[secret:password]", 1); got != want {
				t.Errorf("Redact(%q) = %q, want %q", in, got, want)
			}
		})
	}
}

// What was cut off within a list is read up to its end.
func TestNestedCutOff(t *testing.T) {
	for _, in := range []string{`passwords: ["Plum55`, `password: ["`, "passwords: ['Plum5512!tree", `"passwords": ["Plum5512!tree", "`} {
		if out := Redact(in); strings.Contains(out, "Plum5512!tree") {
			t.Errorf("Redact(%q) = %q", in, out)
		}
	}
}

// A definite name makes a password of what may be a name elsewhere.
func TestMadeUp(t *testing.T) {
	for _, pw := range []string{"Battle" + "Ostrich-8379", "RGlottery" + "452.vs", "natkor-" + "jyskod-qopn4T", "maple-" + "syrup-42", "Mushroom" + "64100-j"} {
		for _, form := range []string{"password: %", "  replicationPassword: %", "senha: %", "-  password: %", "+  password: %", "> Passwort: %", "* pw = %", "     3→  password: %", "password: % # of ada"} {
			if form == "* pw = %" && !strings.Contains(pw, "-") {
				continue // a member of a program, as well
			}
			in := strings.Replace(form, "%", pw, 1)
			if out, found := left(in, pw); len(found) > 0 {
				t.Errorf("Redact(%q) = %q", in, out)
			}
		}
	}
	for _, in := range []string{
		"la password è Mushroom" + "64100-j e la porta è 8443", "the NAS password is Battle" + "Ostrich-8379.", "Passwort fürs NAS ist Ahorn" + "-Sirup4711", "nimm natkor-" + "jyskod-qopn4T als Passwort",
		"hasło do bazy to Klon" + "-Syrop8812", "Admin password: Battle" + "Ostrich-8379, please change",
	} {
		if out := Redact(in); !strings.Contains(out, "[secret:password]") {
			t.Errorf("Redact(%q) = %q", in, out)
		}
	}
}
