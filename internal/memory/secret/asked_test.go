package secret

import (
	"strings"
	"testing"
)

// In these tables ⟦…⟧ stands around each secret.
var (
	wrappedCases = []string{
		"GITHUB_TOKEN=⟦ghp_k3JvQ8mZt5Lw2Xc9Bn7R\nd4Hs6Pf1YgVa0Ue⟧",
		"the token is\n⟦ghp_k3JvQ8mZt5Lw2Xc9\nBn7Rd4Hs6Pf1YgVa0Ue⟧\nuse it for the upload",
		"token: ⟦glpat-Zt5Lw2Xc9Bn7\n  Rd4Hs6Pf1Y⟧",
		"sk: ⟦sk-proj-q8mZt5Lw2Xc9Bn7Rd4Hs6Pf1YgVa0UeK3jv\nM4nB6vC8xZ1aS3dF5gH7jK9lP2oI4uY6tR⟧",
		"SLACK=⟦xoxb-2736459182-8391\n7264551-Zt5Lw2Xc9Bn7Rd4Hs6Pf1YgV⟧",
		"Authorization: Bearer ⟦eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwi\nbmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c⟧",
		"> api key: ⟦AIzaSyB7Rd4Hs6Pf1YgVa0\n> UeK3jvQ8mZt5Lw2Xc⟧",
		"npm: ⟦npm_Zt5Lw2Xc9Bn7Rd4Hs6Pf1\nYgVa0UeK3jvQ8m⟧",
		"key ⟦AKIAQ8MZT5LW\n2XC9BN7R⟧ and more",
		"STRIPE=⟦sk_live_Zt5Lw2Xc9Bn7Rd\r\n4Hs6Pf1YgVa0⟧",
		"│ token │ ⟦ghp_k3JvQ8mZt5Lw2Xc9Bn7R⟧ │\n│       │ ⟦d4Hs6Pf1YgVa0Ue⟧ │",
		"  ⟦github_pat_11ABCDEFG0k3JvQ8mZt5Lw_2Xc9Bn7Rd4Hs6Pf1YgVa0Ue\n  K3jvQ8mZt5Lw2Xc9Bn7Rd4Hs6Pf1YgV⟧",
		"curl -H 'Authorization: token ⟦ghp_k3JvQ8mZt5Lw2Xc\\\n9Bn7Rd4Hs6Pf1YgVa0Ue⟧'",
	}
	ibanCases = []string{
		"my IBAN is ⟦DE44 5001 0517 5407 3249 31⟧",
		"IBAN: ⟦DE44500105175407324931⟧",
		"transfer it to ⟦GB29 NWBK 6016 1331 9268 19⟧, please",
		"⟦FR14 2004 1010 0505 0001 3M02 606⟧",
		"iban=⟦NL91ABNA0417164300⟧",
		"Konto ⟦AT61 1904 3002 3457 3201⟧",
		"⟦CH93 0076 2011 6238 5295 7⟧",
		"\"iban\": \"⟦ES9121000418450200051332⟧\"",
		"⟦IT60X0542811101000000123456⟧",
		"he gave ⟦BE68 5390 0754 7034⟧ and the BIC",
		"⟦PL61 1090 1014 0000 0712 1981 2874⟧",
		"|⟦SE45 5000 0000 0583 9825 7466⟧|",
		"⟦no93 8601 1117 947⟧ is mine",
		"⟦MT84-MALT-0110-0001-2345-MTLC-AST0-01S⟧",
	}
	askedCases = []string{
		"pw? ⟦hunter7-lake⟧",
		"pw?\n⟦Tarn9lake⟧",
		"what's the password?\n⟦Tarn9lake⟧",
		"> password?\n⟦qWsx4711⟧",
		"ana: pw?\nbob: ⟦Tarn9lake⟧",
		"ana: whats the wifi pw?\nbob: ⟦cedar.lane8⟧",
		"Q: What is the root password?\nA: ⟦Tarn9lake!⟧",
		"Passwort?\n⟦Winter2031⟧",
		"wie lautet das Passwort? ⟦Winter2031⟧",
		"mot de passe ?\n⟦Hiver2031⟧",
		"¿contraseña? ⟦Invierno2031⟧",
		"and the pin?\n⟦4711⟧",
		"passwd?? ⟦s3cretLake⟧",
		"what pw did you set?\n\n⟦Tarn9lake⟧",
		"Which password should I use?\n- ⟦Tarn9lake⟧",
		"token? ⟦k3JvQ8mZt5Lw2Xc9Bn7R⟧",
		"pw pls?\n`⟦Tarn9lake⟧`",
	}
	variableCases = []string{
		"gh variable set DB_PASSWORD ⟦Tarn9lake⟧",
		"gh secret set API_KEY --body ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"gh secret set DEPLOY_TOKEN -b'⟦k3JvQ8mZt5Lw2Xc9⟧'",
		"glab variable set DEPLOY_TOKEN ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"gitlab variable set SECRET_KEY \"⟦Tarn9lake⟧\"",
		"heroku config:set DB_PASSWORD=⟦Tarn9lake⟧",
		"heroku config:set A=1 SECRET_KEY=⟦k3JvQ8mZt5Lw2Xc9⟧ -a shop",
		"fly secrets set SESSION_SECRET=⟦k3JvQ8mZt5Lw2Xc9⟧",
		"railway variables set JWT_SECRET ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"vercel env add API_TOKEN ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"terraform variable set admin_password ⟦Tarn9lake⟧",
		"tfc variable set --sensitive db_password ⟦Tarn9lake⟧",
		"netlify env:set AUTH_TOKEN ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"doppler secrets set DB_PASS ⟦Tarn9lake⟧",
		"circleci context store-secret org main API_KEY ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"az pipelines variable create --name PASSWORD --value ⟦Tarn9lake⟧",
		"pulumi config set --secret dbPassword ⟦Tarn9lake⟧",
		"npm config set //registry.example.com/:_authToken ⟦k3JvQ8mZt5Lw2Xc9Bn7R⟧",
		"git config --global github.token ⟦k3JvQ8mZt5Lw2Xc9Bn7R⟧",
		"firebase functions:config:set mail.password=\"⟦Tarn9lake⟧\"",
		"wrangler secret put API_KEY ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"gh secret set DEPLOY ⟦tarn-lake-nine⟧",
		"gh secret set FOO --body \"⟦tarn lake nine⟧\"",
		"gh variable set FOO ⟦Tarn9lakeQ⟧",
		"glab variable set DEPLOY --masked ⟦k3JvQ8mZt5Lw2Xc9⟧",
		"heroku config:set SMTP=⟦k3JvQ8mZt5Lw2Xc9⟧",
		"echo done; fly secrets set MAIL=⟦k3JvQ8mZt5Lw2Xc9⟧",
	}
	codeCases = []string{
		"the one-time code is '⟦482913⟧'",
		"the one-time code is \"⟦482913⟧\"",
		"the one-time code is “⟦482913⟧”",
		"the one-time code is „⟦482913⟧“",
		"the code from the authenticator is `⟦482 913⟧`",
		"my 2FA code: ⟦482913⟧",
		"OTP ⟦482913⟧",
		"otp=⟦482913⟧",
		"verification code ‘⟦482913⟧’",
		"認証コードは「⟦482915⟧」です",
		"验证码是“⟦482916⟧”",
		"인증 코드는 '⟦482917⟧'입니다",
		"код подтверждения: «⟦482918⟧»",
		"doğrulama kodu: ⟦482919⟧",
		"Your verification code is **⟦482-913⟧**",
		"use the mfa code (\"⟦482913⟧\")",
		"TOTP: '⟦482913⟧'",
		"Der Bestätigungscode lautet „⟦482913⟧“",
		"le code de vérification est ⟦482913⟧",
		"SMS code ‹⟦482913⟧›",
		"security code: 「⟦482913⟧」",
		"code à usage unique : « ⟦482913⟧ »",
		"login code \"⟦7K2-Q9X⟧\"",
		"G-⟦482913⟧ is your Google verification code",
	}
)

var noneOfThem = map[string][]string{
	"wrapped": {
		"The prefix of a token is ghp_ and it\nhas forty characters",
		"sk-learn and\nsk-image are libraries",
		"AKIA is the\nprefix of keys",
		"token: ghp_xxxxxxxxxxxxxxxxxxxx\nxxxxxxxxxxxxxxxx",
		"tokens begin with xoxb-\nand xoxp-",
		"commit 1a2b3c4d5e6f\n7a8b9c0d1e2f",
		"the key is in\nconfiguration/production/settings",
		"eyJ is how a JWT begins\nand it goes on",
		"glpat- tokens are\nshort",
		"npm_config_registry=https://registry.npmjs.org\nnpm_config_cache=/tmp",
		"sk_live_ is for production,\nsk_test_ is not",
		"sha256: 9f86d081884c7d659a2feaa0c55ad015\na3bf4f1b2b0b822cd15d6c15b0f00a08",
		"AIza is\nGoogle's",
	},
	"iban": {
		"IBAN validation is missing",
		"the example of manuals is DE89 3704 0044 0532 0130 00",
		"the format is DE00 0000 0000 0000 0000 00",
		"an IBAN has up to 34 characters",
		"XX12 3456 7890",
		"commit DE89370400440532013001 failed",
		"serial AB12CD34EF56GH78",
		"build BE68539007547035",
		"FR7630006000011234567890188 has a wrong check digit",
		"NO93 86011117948",
		"UTF8 1234 5678 9012",
		"part number CH5604835012345678008",
		"GB2024010112000000000",
		"version v1.2.3-DE10",
	},
	"asked": {
		"password?",
		"pw?\nno idea",
		"what's the password?\nI don't know it",
		"Is there a password?\nYes, there is",
		"Do we need a token?\nNo, it works without one",
		"password?\nit is in the vault",
		"Where is the password stored?\nIn 1Password",
		"Which password hash?\nargon2id",
		"pin?\nGPIO14",
		"How long is the password?\n12 characters",
		"Did you change the password?\nYesterday",
		"token?\nBearer",
		"Passwort?\nKeine Ahnung",
		"Why does the password field not validate? The regex was wrong in v2.31",
		"pw? see README.md",
		"Should the password reset use SHA256? Use bcrypt",
		"What is the password policy?\nAt least 8 characters",
	},
	"variable": {
		"gh variable set REGION eu-west-1",
		"gh variable set VERSION v1.2.3-rc1",
		"gh variable set NODE_IMAGE node:20-alpine",
		"gh variable set BASE_URL https://shop.example.com/v2",
		"heroku config:set WEB_CONCURRENCY=4 RAILS_ENV=production",
		"gh variable set TIMEOUT 30s",
		"gh variable set NODE_ENV production",
		"gh secret set API_KEY < key.txt",
		"gh secret set API_KEY",
		"heroku config:set NODE_ENV=production",
		"heroku config:set SECRET_KEY=$SECRET_KEY",
		"fly secrets set SESSION_SECRET=<secret>",
		"vercel env add API_TOKEN production",
		"gh secret set DEPLOY_TOKEN --env staging",
		"glab variable set DEPLOY_TOKEN \"$TOKEN\"",
		"terraform variable set region eu-central-1",
		"netlify env:set AUTH_TOKEN ${AUTH_TOKEN}",
		"gh secret list and gh secret set are commands",
		"the variable set in the password form is empty",
		"gh variable set PASSWORD_MIN_LENGTH 12",
		"pulumi config set aws:region eu-west-1",
		"a secret set by the operator is mounted",
	},
	"code": {
		"the exit code is '137'",
		"error code \"482913\"",
		"the status code is 404",
		"zip code 94107",
		"color code '#482913'",
		"the HTTP code \"200\"",
		"a one-time code has six digits",
		"the OTP library is at 2.1.0",
		"verification code length: 6",
		"2FA code is missing",
		"country code '49'",
		"code review '482913'",
		"OTP 27 is the runtime of Erlang",
		"product code “482913”",
		"the TOTP window is 30",
		"an OTP expires after 300 seconds",
	},
}

const marksOpen, marksClose = "⟦", "⟧"

// secretsOf returns the text of a case without its marks, and what stands between them.
func secretsOf(marked string) (text string, secrets []string) {
	for part := range strings.SplitSeq(marked, marksOpen) {
		if secret, rest, ok := strings.Cut(part, marksClose); ok {
			secrets = append(secrets, secret)
			part = secret + rest
		}
		text += part
	}
	return text, secrets
}

func TestAskedAndWrapped(t *testing.T) {
	for name, cases := range map[string][]string{"wrapped": wrappedCases, "iban": ibanCases, "asked": askedCases, "variable": variableCases, "code": codeCases} {
		for _, marked := range cases {
			text, secrets := secretsOf(marked)
			got := Redact(text)
			for _, secret := range secrets {
				for line := range strings.Lines(secret) {
					if line = strings.Trim(line, " >\r\n\\│"); strings.Contains(got, line) {
						t.Errorf("%s: %q leaves %q", name, text, got)
					}
				}
			}
		}
		for _, text := range noneOfThem[name] {
			if got := Redact(text); got != text {
				t.Errorf("%s: %q becomes %q", name, text, got)
			}
		}
	}
}
