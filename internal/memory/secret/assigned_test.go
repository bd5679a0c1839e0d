package secret

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"recollect/lab/classifier"
)

// forms are the ways to write a password down, with @ for it: in files, in programs,
// on command lines and in sentences.
var forms = []string{
	"DB_PASSWORD=@", "export APP_PASS='@'", `API_PWD="@"`, "password: @", `  password: "@"`, "     3→    pwd: '@'", `{"user": "ada", "password": "@"}`, `{\"password\": \"@\"}`,
	"password = @", "spring.datasource.password=@", "'password' => '@',", `:password => "@"`, `Password: "@",`, `const password: string = "@";`, "PASSWORD = b'@'",
	"Server=db;User Id=sa;Password=@;Encrypt=yes", "host=db user=app password=@ dbname=shop", "connect(host='db', password='@')", `os.environ["DB_PASSWORD"] = "@"`,
	"- name: DB_PASSWORD\n  value: \"@\"", `{"name": "DB_PASSWORD", "value": "@"}`, `<add key="Password" value="@"/>`, "password: |\n  @\nuser: ada", "ENV DB_PASSWORD @",
	"ansible_become_pass: @", "helm upgrade a . --set auth.rootPassword=@", "$env:DB_PASSWORD = '@'", `network={ ssid="home" psk="@" }`,
	"tool --password @ run", "tool --db-password='@'", "docker login -u ada -p @", "sshpass -p '@' ssh ada@host",
	"the root password is @", "my password is now `@`", "The password for the staging db is: @", "I changed the password to @", "log in as ada with @ as the password",
	"das Passwort lautet @", "mein WLAN-Passwort ist @", "nimm @ als Passwort", "le mot de passe est @", "mot de passe : @", "la contraseña es @", "usa @ como contraseña",
}

// What generators of passwords make is found in every form, whichever signs it has.
func TestForms(t *testing.T) {
	m := classifier.Machine{Rand: rand.New(rand.NewPCG(3, 4))}
	words := strings.Fields("orange window garden pepper silver thunder yellow marble")
	word := func() string { return words[m.IntN(len(words))] }
	for name, generate := range map[string]func() string{
		"letters and digits": func() string { return m.Pick(classifier.Letters, 18) + "7" },
		"few signs":          func() string { return m.Pick(classifier.Letters, 1) + m.Pick(classifier.Letters+"-_.!@*", 18) + "4" },
		"many signs": func() string {
			return m.Pick(classifier.Letters, 2) + m.Pick(classifier.Letters+"!#$%&*+-.=?@^_~", 16) + "9"
		},
		"words":           func() string { return word() + "-" + word() + "-" + word() + "-" + word() },
		"word and number": func() string { return word() + m.Pick("123456789", 4) },
		"made up":         func() string { return "Tr0ub" + m.Pick(classifier.Letters, 3) + "!" + m.Pick(classifier.Letters, 4) },
	} {
		missed, all := 0, 0
		for _, form := range forms {
			for range 40 {
				pw := generate()
				in := strings.Replace(form, "@", pw, 1)
				got := Redact(in)
				all++
				if strings.Contains(got, pw[:6]) || strings.Contains(got, pw[len(pw)-6:]) {
					missed++
					t.Logf("Redact(%q) = %q", in, got)
				}
			}
		}
		if missed*200 > all {
			t.Errorf("%s: %d of %d passwords are left, want one in two hundred at most", name, missed, all)
		}
	}
}

func TestAssigned(t *testing.T) {
	const pw, key = "h" + "unter2!x", "9fK2x" + "8f3k29dj39dk20sl"
	for _, tt := range []struct{ name, in, want string }{
		{"phrase to the end of the line", "password: correct horse battery staple # of ada", "password: [secret:password] # of ada"},
		{"phrase in .env", "PASSPHRASE=correct horse battery staple\nPORT=1", "PASSPHRASE=[secret:password]\nPORT=1"},
		{"words joined by signs", "keyPassword=quiet-Lantern\nstorePassword=Copper+kiln", "keyPassword=[secret:password]\nstorePassword=[secret:password]"},
		{"word and sign in a block", "  password: Heron&Marsh\n  port: 1", "  password: [secret:password]\n  port: 1"},
		{"several words", "password = my dog Re" + "x!42 barks", "password = [secret:password]"},
		{"query", "https://x/?a=1&password=" + pw + "&b=2", "https://x/?a=1&password=[secret:password]&b=2"},
		{"escaped quote within", `password = "a\"` + pw + `" # x`, `password = "[secret:password]" # x`},
		{"triple quotes", `SECRET = """` + key + `"""`, `SECRET = """[secret:secret]"""`},
		{"call", `c.setPassword("` + pw + `")`, `c.setPassword("[secret:password]")`},
		{"default of a variable", `os.getenv("DB_PASSWORD", "` + pw + `")`, `os.getenv("DB_PASSWORD", "[secret:password]")`},
		{"plist", "<key>Password</key>\n<string>" + pw + "</string>", "<key>Password</key>\n<string>[secret:password]</string>"},
		{"element", "<password>" + pw + "</password>", "<password>[secret:password]</password>"},
		{"named key", "FERNET_KEY = b'" + key + "='", "FERNET_KEY = b'[secret:secret]'"},
		{"key of a program", "STRIPE_KEY=" + key, "STRIPE_KEY=[secret:secret]"},
		{"key in code", `const key = Buffer.from("` + strings.Repeat("0f1e2d3c4b5a6978", 4) + `", "hex") // AES key`, `const key = Buffer.from("[secret:secret]", "hex") // AES key`},
		{"header", "X-Api-Key: " + key + "\nHost: x", "X-Api-Key: [secret:secret]\nHost: x"},
		{"setting", "aws configure set aws_secret_access_key " + key, "aws configure set aws_secret_access_key [secret:secret]"},
		{"words joined by commas", "passwd = Heron,marsh", "passwd = [secret:password]"},
		{"words of another language", "  password: Möwe;Strandkorb", "  password: [secret:password]"},
		{"words with capitals, and a number", "password: Copper Kiln 1924", "password: [secret:password]"},
		{"words of a property", "signing.password=cold tea before noon", "signing.password=[secret:password]"},
		{"word of a property", "ssl.truststore.password=windmill", "ssl.truststore.password=[secret:password]"},
		{"words of a variable", "export BACKUP_PASS='three owls in the barn 7'", "export BACKUP_PASS='[secret:password]'"},
		{"variable in YAML", "      MARIADB_PASSWORD: windmillhouse", "      MARIADB_PASSWORD: [secret:password]"},
		{"typed into a dialog", "New password: Heron-marsh", "New password: [secret:password]"},
		{"within a line", "hall B, access password: Heron-Marsh7 (full)", "hall B, access password: [secret:password] (full)"},
		{"key that encrypts, named above", "encryption:\n  key: \"" + key + "/a=\"", "encryption:\n  key: \"[secret:secret]\""},
		{"key of a map", `{:user "ada" :password "Heron.Marsh"}`, `{:user "ada" :password "[secret:password]"}`},
		{"argument behind a constant", `f.set(Names.PASSWORD, "` + pw + `")`, `f.set(Names.PASSWORD, "[secret:password]")`},
		{"spoken words with capitals", "the db password is heron-Marsh-42, thanks", "the db password is [secret:password], thanks"},
		{"spoken words with dots", "set the password to Heron.Marsh for now", "set the password to [secret:password] for now"},
		{"spoken in quotes", `log in with the password "Cold tea, two owls", please`, `log in with the password "[secret:password]", please`},
		{"spoken name behind", "senha provisória: Heron@2019.", "senha provisória: [secret:password]."},
		{"code of a door", `alarm_code: "40291"`, `alarm_code: "[secret:password]"`},
		{"bytes", "network_key: [22, 70, 23, 9, 50, 190, 65, 96, 116, 183, 254, 164, 195, 134, 227, 240]", "network_key: [[secret:private-key]]"},
		{"spoken key", "the auth token is " + key + ", use it", "the auth token is [secret:secret], use it"},
		{"spoken phrase", "my passphrase is correct horse battery staple.", "my passphrase is [secret:password]."},
		{"spoken number", "the PIN is 4711", "the PIN is [secret:password]"},
		{"spoken word", "the password is 'letmein'", "the password is '[secret:password]'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.in); got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// Words that people join are found wherever a place says that a password is due, though
// programs and sentences join words with the same signs.
func TestCoined(t *testing.T) {
	for _, pw := range []string{"Turnip-" + "maple", "basecamp" + "-Ropes", "Rhubarb," + "Meringue", "Lighthouse;" + "Boat", "Mulberry." + "St.14", "Umbrella:" + "blue", "Parakeet_" + "Blue", "Ampel-gelb" + "-grün", "Driftwood" + "&Kelp"} {
		for _, form := range []string{
			"password: %", "Password : %", "New password: %", "Retype new password: %", "BIOS supervisor password: %", "storePassword=%", "web1 ansible_host=10.0.4.40 ansible_become_pass=%",
			"db_password = %", "[smtp]\npasswd = %", "    pass: %", "setPassword(\"%\")", "System.setProperty(\"trustStorePassword\", \"%\")", "vault write users/ada password=%",
			"curl -d 'user=ada&password=%' https://example.com", "Wi-Fi key: %", "Пароль: %", "пароль: %", "mot de passe provisoire : %", "the root password is %, please change it", "das Passwort lautet %.",
			"[sudo] password for ada: %", "the password is now \"%\"",
		} {
			in := strings.Replace(form, "%", pw, 1)
			if out, found := left(in, pw); len(found) > 0 {
				t.Errorf("Redact(%q) = %q", in, out)
			}
		}
	}
}

// Of a password that was changed the old one and the new one are found.
func TestChanged(t *testing.T) {
	const in = "changed the password from Heron2019 to Marsh2024 today"
	for _, pw := range []string{"Heron2019", "Marsh2024"} {
		if out, found := left(in, pw); len(found) > 0 {
			t.Errorf("Redact(%q) = %q", in, out)
		}
	}
}

// A password may be several words, where a name begins the line or a string is assigned to it.
func TestChosenWords(t *testing.T) {
	for _, pw := range []string{"Paper slip " + "19!", "Walnut Grove " + "1962", "plum pudding " + "on sunday", "long Night at " + "harbor 3"} {
		for _, form := range []string{"password: %", "  smtp_password: %", "signing.password=%", "Password: %", "export RESTIC_PASSWORD='%'", `{"password": "%"}`} {
			in := strings.Replace(form, "%", pw, 1)
			if out, found := left(in, pw); len(found) > 0 {
				t.Errorf("Redact(%q) = %q", in, out)
			}
		}
	}
	for _, in := range []string{
		"password: Click to reveal it", "password: At least 12 characters", "Password: Forgot your password?", "password = Foo if x else Bar2", `{"password": "This field must have 8 digits"}`,
		"password: leave blank to keep it", "Password: 3 attempts left", "the password is Argon2-hashed", "the password is Web-based", "password: Some-Setting.password", "password = Settings.Database.Value",
		"token = Name.Builtin.Pseudo", "SecretKey key = CipherUtils.newSecretKey(Algorithm.PBKDF2WithHmacSHA1.name(), spec);", "primary key: Order-Line1", "badCredentials=Credenciales erróneas",
	} {
		if got := Redact(in); got != in {
			t.Errorf("Redact(%q) = %q, want no change", in, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	const pw = "h" + "unter2"
	for in, want := range map[string]string{
		"postgres://app:" + pw + "%2F*~@db/x":           "postgres://app:[secret:password]@db/x",
		"mongodb+srv://u:" + pw + "@#/x@c.example.net":  "mongodb+srv://u:[secret:password]@c.example.net",
		"redis://:" + pw + "!,;@cache:6379":             "redis://:[secret:password]@cache:6379",
		"https://example.com:8080/a@b":                  "https://example.com:8080/a@b",
		"http://localhost:3000/@scope/pkg":              "http://localhost:3000/@scope/pkg",
		"postgres://app:${DB_PASSWORD}@db/x":            "postgres://app:${DB_PASSWORD}@db/x",
		"https://x/c?sv=1&sig=" + pw + "aB3dE6gH1jK%3D": "https://x/c?sv=1&sig=[secret:signature]",
		"Cookie: theme=dark; sid=aB3dE" + "6gH1jK4mN":   "Cookie: theme=dark; sid=[secret:cookie]",
		"Set-Cookie: lang=en; Path=/; Max-Age=3600":     "Set-Cookie: lang=en; Path=/; Max-Age=3600",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCards(t *testing.T) {
	for number, want := range map[string]bool{
		"4929" + "4213" + "7618" + "3601": false, "4929" + "4213" + "7618" + "3602": true, "5425 " + "2334 3010 9903": true, "3714" + "-496353-98431": true,
		"6011 " + "0009 9013 9424": true, "4242 4242 4242 4242": false, "1767600000000000": false, "49294213": false,
	} {
		for _, frame := range []string{"%s", "card %s.", "card=%s&x=1", "%s 11/29"} {
			in := fmt.Sprintf(frame, number)
			if got := strings.Contains(Redact(in), "[secret:card-number]"); got != want && frame != "card=%s&x=1" {
				t.Errorf("Redact(%q) finds a card: %t, want %t", in, got, want)
			}
		}
	}
	if s := "id 14929" + "421376183602, build-4929" + "421376183602"; Redact(s) != s {
		t.Errorf("Redact(%q) = %q", s, Redact(s))
	}
}

func TestSeedPhrases(t *testing.T) {
	const words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
	numbered := ""
	for i, w := range strings.Fields(words) {
		numbered += fmt.Sprintf("%d. %s\n", i+1, w)
	}
	for in, want := range map[string]string{
		"my wallet: " + words + ".":          "my wallet: [secret:seed-phrase].",
		numbered:                             "1. [secret:seed-phrase]\n",
		strings.ReplaceAll(words, " ", ", "): "[secret:seed-phrase]",
		strings.Repeat("word ", 40):          strings.Repeat("word ", 40),
		"the words legal winner thank year":  "the words legal winner thank year",
		"legal, winner. thank year, wave (sausage) worth, useful legal. winner thank, yellow": "legal, winner. thank year, wave (sausage) worth, useful legal. winner thank, yellow",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}
