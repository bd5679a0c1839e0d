package secret

import "strings"

// tokens are rules that come before those of gitleaks, which are made for committed code,
// while these texts are conversations. So common tokens are recognised whatever follows
// them, in their newer forms too, and nearly without a test of randomness. Their forms are
// those that their issuers document or gitleaks has; lengths are lower bounds, because
// issuers change them.
func tokens() []rule {
	return []rule{
		simple("aws-access-token", `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`, "akia", "asia", "abia", "acca"),
		simple("github-token", `\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{40,})`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
		simple("gitlab-token", `\bgl(?:pat|dt|rt|ft|cbt|ptt|soat|agent|oas|imt|ffct)-[\w.-]{20,}`,
			"glpat-", "gldt-", "glrt-", "glft-", "glcbt-", "glptt-", "glsoat-", "glagent-", "gloas-", "glimt-", "glffct-"),
		simple("slack-token", `\bxox[abeoprs](?:\.xox[bp])?-[\w-]{10,}|\bxapp-\d-[\w-]{10,}`, "xox", "xapp-"),
		simple("slack-webhook", `hooks\.slack\.com/(?:services|workflows|triggers)/[\w/+-]{20,}`, "hooks.slack.com"),
		simple("stripe-token", `\b(?:[rs]k_(?:live|test|prod)|whsec)_[A-Za-z0-9]{16,}`, "k_live_", "k_test_", "k_prod_", "whsec_"),
		simple("anthropic-api-key", `\bsk-ant-[\w-]{20,}`, "sk-ant-"),
		simple("openai-api-key", `\bsk-(?:(?:proj|svcacct|admin|or)-[\w-]{20,}|[A-Za-z0-9]{32,})`, "sk-"),
		simple("google-api-key", `\bAIza[\w-]{35}`, "aiza"),
		simple("google-oauth", `\bya29\.[\w.-]{20,}|\bGOCSPX-[\w-]{20,}`, "ya29.", "gocspx-"),
		simple("npm-token", `\bnpm_[A-Za-z0-9]{30,}`, "npm_"),
		simple("pypi-token", `\bpypi-[\w-]{40,}`, "pypi-"),
		simple("telegram-bot-token", `\b[0-9]{6,12}:AA[\w-]{30,}`, ":aa"),
		simple("twilio-api-key", `\bSK[0-9a-f]{32}\b`, "sk"),
		simple("sendgrid-api-key", `\bSG\.[\w-]{16,}\.[\w-]{16,}`, "sg."),
		simple("huggingface-token", `\b(?:hf|api_org)_[A-Za-z]{30,}`, "hf_", "api_org_"),
		simple("docker-token", `\bdckr_(?:pat|oat)_[\w-]{20,}`, "dckr_"),
		simple("groq-api-key", `\bgsk_[A-Za-z0-9]{40,}`, "gsk_"),
		simple("xai-api-key", `\bxai-[A-Za-z0-9]{60,}`, "xai-"),
		simple("replicate-token", `\br8_[A-Za-z0-9]{30,}`, "r8_"),
		simple("supabase-token", `\bsb[ps]_[A-Za-z0-9]{30,}|\bsb_secret_[\w-]{20,}`, "sbp_", "sbs_", "sb_secret_"),
		simple("vault-token", `\bhv[sb]\.[\w-]{20,}`, "hvs.", "hvb."),
		simple("sourcegraph-token", `\bsgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}\b`, "sgp_"),
		simple("jwt", `\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`, "eyj"),
	}
}

// assignments are rules for secrets recognised by their name or place alone. They come
// after those of gitleaks, which name the kind more exactly.
func assignments() []rule {
	return []rule{
		{Kind: "authorization", Where: assign, Keywords: []string{"authorization"},
			Regexp: `(?i)\Aauthorization["'\\]*[ \t]*[:=,][ \t]*["'\\]*(?:(?:basic|bearer|token|digest|bot|negotiate|api-?(?:key|token))[ \t]+([\w~+/=.-]{8,})|([\w~+/=-]{16,}))`, isNone: wordLike},
		{Kind: "authorization", Where: near, Keywords: []string{"bearer "},
			Regexp: `(?i)\bbearer[ \t]+([\w~+/=.-]{16,})`, isNone: wordLike},
		{Kind: "password", Where: token, Keywords: []string{"://"},
			Regexp: `[A-Za-z][A-Za-z0-9+.-]*://[^\s:/?#@]*:([^\s/@][^\s/]*)@[\w\[]`, isNone: variable},
		{Kind: "azure-key", Where: near, Keywords: []string{"accountkey=", "sharedaccesskey="},
			Regexp: `(?i)(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{30,}={0,2})`},
		// PASSWORD=… in a shell or an .env file: the whole word is the value.
		{Kind: "password", Where: assign, Keywords: []string{"password", "passwd", "passphrase", "_pass", "_pwd", "secret", "token", "api_key", "apikey", "access_key", "accesskey", "private_key", "credential"},
			Regexp: `\A[A-Z_]+[A-Z0-9_]*=(?:"([^"\n]{4,})"|'([^'\n]{4,})'|([^\s"'\x60;&|()]{4,}))`, isNone: value},
		// "password": "…", password = '…', password: "…"
		{Kind: "password", Where: assign, Keywords: []string{"password", "passwd", "passphrase", "passwort", "pass", "pwd"},
			Regexp: `(?i)\A(?:password|passwd|passphrase|passwort|pass|pwd)` + nameGoesOn + quoted, isNone: value},
		{Kind: "secret", Where: assign, Keywords: []string{"secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key", "private_key", "privatekey", "private-key", "credential"},
			Regexp: `(?i)\A(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)` + nameGoesOn + quoted, isNone: simpleValue},
		// api_key: … with no quotes
		{Kind: "secret", Where: assign, Keywords: []string{"secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key", "private_key", "privatekey", "private-key"}, Entropy: 3.2,
			Regexp: `(?i)\A(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key)` + nameGoesOn + `["']?(?:=|:[ \t]*|[ \t]+[=:][ \t]+)([A-Za-z0-9_+/=-]{16,})`, isNone: named},
		// password=…, password: … with no quotes: a value that no name or word is.
		{Kind: "password", Where: assign, Keywords: []string{"password", "passwd", "passphrase", "passwort", "pwd"},
			Regexp: `(?i)\A(?:password|passwd|passphrase|passwort|pwd)["']?(?:=|:[ \t]*|[ \t]+=[ \t]+|[ \t]+:[ \t]+)([^\s"'\x60,;()\[\]{}<>]{6,})`, isNone: nameLike},
		// --password …, --api-key=…: see flagValue.
		{Kind: "password", Where: flag, Keywords: []string{"password", "passwd", "passphrase", "pass-phrase", "passwort", "passcode", "pass", "pwd", "-pw", "-psk"}},
		{Kind: "secret", Where: flag, Keywords: []string{"secret", "token", "credential", "-bearer", "-pat", "-key", "_key", "apikey", "accesskey", "privatekey", "authkey"}},
		// Short options, which mean a password with these programs alone.
		short(`mysql\w*|mariadb[\w-]*`, `-p`, "mysql", "mariadb"),
		short(`(?:docker|podman|nerdctl|oc|helm registry) login`, `-p[ \t]+`, "docker login", "podman login", "nerdctl login", "oc login", "helm registry login"),
		short(`sshpass`, `-p[ \t]*`, "sshpass"),
		short(`redis-cli`, `-a[ \t]+`, "redis-cli"),
		short(`ssh-keygen`, `-[NP][ \t]*`, "ssh-keygen"),
		short(`sqlcmd|unzip|zip`, `-P[ \t]*`, "sqlcmd", "zip"),
		short(`mongo\w*`, `-p[ \t]+`, "mongo"),
		short(`ldap(?:search|modify|add|delete|whoami|passwd)`, `-w[ \t]+`, "ldap"),
	}
}

const (
	// nameGoesOn is the rest of a name: token2, secretKey, password_prod.
	nameGoesOn = `(?:[_-][\w-]{0,20}|(?-i:[A-Z])\w{0,20}|[0-9]{1,3}|s)?`
	// quoted is a value in quotes, as programs and JSON have it.
	quoted = `\\?["']?[ \t]*(?:=>|:=|[:=])[ \t]*\\?(?:"([^"\s\\]{4,})\\?"|'([^'\s\\]{4,})\\?')`
)

// simple makes the rule of a token that is known by how it looks.
func simple(kind, pattern string, keywords ...string) rule {
	return rule{Kind: kind, Where: token, Keywords: keywords, Regexp: pattern, Entropy: 2}
}

// short makes the rule of a program's option for a password.
func short(program, option string, keywords ...string) rule {
	return rule{Kind: "password", Where: near, Keywords: keywords,
		Regexp: `\b(?:` + program + `)(?:[ \t]+[^\s|;&]+){0,12}?[ \t]+` + option + `(?:"([^"\n]{4,})"|'([^'\n]{4,})'|([^\s"'\x60]{4,}))`, isNone: noPassword}
}

// wordLike reports what is no key but a word or a name: without a digit, of one
// case or with signs between its parts ("Authorization: required").
func wordLike(s string) bool {
	if strings.ContainsAny(s, digits) {
		return false
	}
	return strings.ContainsAny(s, ".-_") || s[1:] == strings.ToLower(s[1:]) || s == strings.ToUpper(s)
}

const digits = "0123456789"

// variable reports what a program fills in.
func variable(s string) bool {
	return strings.ContainsAny(s, "{}<>*`") || strings.HasPrefix(s, "$") || strings.Contains(s, "%s")
}

// value reports what is set but is no secret: a variable, a number, a path, an
// address, a setting.
func value(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "none", "undefined", "required", "optional", "string", "password", "secret", "token":
		return true
	}
	return variable(s) || strings.ContainsAny(s, "()") || path(s) || strings.Trim(s, digits+".") == ""
}

func path(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "~/") || strings.Contains(s, ":/") || strings.Contains(s, `:\`)
}

// simpleValue reports what a thing called token or secret may well be without
// being one: a word, a name, a date.
func simpleValue(s string) bool {
	return value(s) || len(s) < 8 || wordLike(s) && len(s) < 24 || strings.Contains(s, "-") && strings.Trim(s, digits+"-:TZ.+") == ""
}

// named reports what may be the name of a thing, with a number in it. In what
// is random digits stand at several places.
func named(s string) bool {
	places := 0
	for i := range len(s) - 1 {
		if isDigit(s[i]) && !isDigit(s[i+1]) {
			places++
		}
	}
	return places < 2 || value(s)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nameLike reports what may be a name or an expression of a program, or a word.
func nameLike(s string) bool {
	if value(s) {
		return true
	}
	if strings.ContainsAny(s, "!@#%^&*?") {
		return false
	}
	return !strings.ContainsAny(s, digits) || strings.Contains(s, ".") || strings.Contains(s, "::")
}
