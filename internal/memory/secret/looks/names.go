package looks

import (
	"slices"
	"strings"
)

// A Class says what the value of a name is, by the name: how much the value
// itself has to look like a secret depends on it.
type Class int

const (
	NoSecret      Class = iota
	PasswordName        // made up by people: it may be a number or a word
	KeyName             // made by a machine: a plain word is a name
	MaybePassword       // "pass", which is the result of a test too: it must look like a password
	MaybeKey            // "key" of something unknown: it must be random
)

// IsPassword reports whether the value is made up by people.
func (c Class) IsPassword() bool { return c == PasswordName || c == MaybePassword }

// Kind returns the kind of a secret with such a name.
func (c Class) Kind() string {
	if c == KeyName || c == MaybeKey {
		return "secret"
	}
	return "password"
}

var (
	// passwordNames and keyNames end a name whose value is secret.
	passwordNames = []string{"password", "passwd", "passphrase", "passwort", "passcode", "pwd", "kennwort", "contrasena", "motdepasse", "wachtwoord", "authtok", "haslo", "losenord",
		"losenordet", "adgangskode", "passord", "passordet", "heslo", "salasana", "sifre"}
	keyNames = []string{"secret", "token", "apikey", "accesskey", "privatekey", "secretkey", "authkey", "credential", "credentials", "authtoken", "jeton"}
	// passwordWords and keyWords are such names as a whole.
	passwordWords = []string{"pw", "psk", "mdp", "clave", "senha", "lozinka", "jelszo", "parola", "pass", "requirepass", "masterauth"}
	keyWords      = []string{"bearer", "pat", "sessionid", "phpsessid", "jsessionid", "sas", "accountkey", "sharedaccesskey", "hmac"}
	// Networks stand before "key" where a password is meant.
	Networks = []string{"wlan", "wifi", "fi", "wpa", "wep"}
	// KeyOwners stand before "key" where the key is secret.
	KeyOwners = strings.Fields(`api access private secret auth encryption encrypt decryption decrypt signing shared preshared master account admin service license
		subscription storage fernet aes hmac jwt jws cipher crypto session cookie webhook deploy app application root host client server user stripe openai
		anthropic azure google gcp aws datadog dd twilio sendgrid mailgun github gitlab integration functions function consumer mac kms wallet ssh tls ssl
		rsa ec ed25519 wireguard wg sops age vault data write upstream validation telemetry`)
	// OpenOwners stand before "key" where the key is none of a lock.
	OpenOwners = strings.Fields(`public pub primary foreign cache sort partition row object s3 map dict hash idempotency group unique index json dedup routing message
		lookup composite natural surrogate shard translation i18n event query item list node state column field config setting registry hot shortcut press
		arrow answer local record react sorting grouping bucket file path folder feature lock version redis memcache`)
	// openTokens stand before "token" where it only says where to go on, or which
	// request it is.
	openTokens = strings.Fields(`next page pagination continuation continue starting start backward forward cursor sync idempotency lock change cancellation cancel
		eos bos pad unk mask special last first current peek prev previous`)
	// valueSuffixes may follow: "--secret-string" has the secret itself, "--password-file" has not.
	valueSuffixes = strings.Fields(`value string text plain plaintext raw literal new old current confirm confirmation prod production dev staging test base base64 b64 hex live default
		primary secondary backup`)
	// foreignKeys begin a name for a key in other languages.
	foreignKeys = strings.Fields("cle clave chave klucz sleutel")
	// codeOwners stand before "code" where the code opens something.
	codeOwners = strings.Fields("alarm")
	noPasses   = strings.Fields(`bypass compass multipass surpass onepass trespass encompass overpass underpass firstpass secondpass`)
)

// ClassOf reads a name, which may be written db-password, dbPassword,
// DB_PASSWORD or db.password.
func ClassOf(name string) Class {
	parts := NameParts(name)
	for len(parts) > 1 && slices.Contains(valueSuffixes, parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return NoSecret
	}
	last, before := parts[len(parts)-1], ""
	if len(parts) > 1 {
		before = parts[len(parts)-2]
	}
	ends := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(last, n) })
	}
	switch {
	case last == "pass" && before == "":
		return MaybePassword
	case last == "code" && slices.Contains(codeOwners, before):
		return PasswordName
	case (last == "key" || last == "schlussel") && slices.Contains(Networks, before):
		return PasswordName
	case len(parts) == 2 && before == "key" && last == "material":
		return PasswordName
	case ends(passwordNames), slices.Contains(passwordWords, last), slices.Contains(passwordPairs, before+" "+last):
		return PasswordName
	case strings.HasSuffix(last, "pass") && !slices.Contains(noPasses, last):
		return PasswordName
	case last == "token" && isOpenToken(parts, before):
		return NoSecret
	case slices.Contains(foreignKeys, parts[0]) || last == "schlussel":
		if slices.Contains(parts, "api") {
			return KeyName
		}
		return MaybeKey
	case ends(keyNames), slices.Contains(keyWords, last):
		return KeyName
	case last == "key" && slices.Contains(OpenOwners, before):
		return NoSecret
	case last == "key" && (slices.Contains(KeyOwners, before) || saysSecret(parts)):
		return KeyName
	case last == "key":
		return MaybeKey
	case strings.HasSuffix(last, "key") && slices.Contains(KeyOwners, strings.TrimSuffix(last, "key")):
		return KeyName
	}
	return NoSecret
}

// saysSecret reports whether a word of a name says that its value is secret.
func saysSecret(parts []string) bool {
	return slices.Contains(parts, "secret") || slices.Contains(parts, "private")
}

var plainLetters = strings.NewReplacer("ñ", "n", "Ñ", "N", "é", "e", "ü", "u", "ç", "c", "ł", "l", "ö", "o", "ş", "s", "Ş", "S", "Ö", "O",
	"пароль", "password", "Пароль", "password", "密码", "password", "密碼", "password", "パスワード", "password", "비밀번호", "password")

// NameParts returns the words of a name in lower case, without digits.
func NameParts(name string) []string {
	parts := WordsOf(plainLetters.Replace(name))
	for i, p := range parts {
		parts[i] = strings.ToLower(p)
	}
	return parts
}

// passwordPairs are the last two parts of names of passwords.
var passwordPairs = []string{"pass phrase", "seed phrase", "de passe", "pass word"}

// isOpenToken reports whether a name that ends with "token" is that of a token that everybody may know.
func isOpenToken(parts []string, before string) bool {
	if slices.Contains(openTokens, before) || len(parts) > 1 && slices.Contains(openTokens, parts[0]) {
		return true
	}
	return before == "key" && slices.Contains(parts, "public")
}
