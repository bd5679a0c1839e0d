package classifier

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Characters to choose from.
const (
	HexDigits = "0123456789abcdef"
	Letters   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// A Machine generates text that machines write.
type Machine struct{ *rand.Rand }

// Pick returns n random characters of from.
func (m Machine) Pick(from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[m.IntN(len(from))]
	}
	return string(b)
}

func (m Machine) uuid() string {
	return m.Pick(HexDigits, 8) + "-" + m.Pick(HexDigits, 4) + "-" + m.Pick(HexDigits, 4) + "-" + m.Pick(HexDigits, 4) + "-" + m.Pick(HexDigits, 12)
}

// Bytes returns n random bytes in base64.
func (m Machine) Bytes(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.Uint32())
	}
	return base64.StdEncoding.EncodeToString(b)
}

// Name returns a name as machines give it to a run, a branch, a host or a build.
func (m Machine) Name() string {
	words := strings.Fields("kiwi heron build run job api worker cache order node shop feature test web queue Report Batch Import host-a eu-west")
	word, number := words[m.IntN(len(words))], m.Pick(HexDigits[:10], 1+m.IntN(5))
	switch m.IntN(8) {
	case 0:
		return word + m.Pick(HexDigits, 6+m.IntN(6))
	case 1:
		return word + "-" + m.Pick(HexDigits, 5+m.IntN(6))
	case 2:
		return word + "-" + m.Pick(HexDigits, 9) + "-" + m.Pick(HexDigits+"xkz", 5)
	case 3:
		return word + "_" + number
	case 4:
		return strings.ToUpper(word[:min(len(word), 3)]) + "-" + number
	case 5:
		return word + number
	case 6:
		return m.Pick(HexDigits, 7+m.IntN(6))
	}
	return word + "/" + m.Pick(HexDigits, 4) + "-" + word
}

// Machines returns texts of machines without secrets: hashes, ids, images, lock files.
func Machines(random *rand.Rand) []string {
	m := Machine{random}
	return []string{
		"commit " + m.Pick(HexDigits, 40), "index " + m.Pick(HexDigits, 7) + ".." + m.Pick(HexDigits, 7) + " 100644", m.uuid(), "session_id: " + m.uuid(),
		`"id": "` + m.uuid() + `"`, "data:image/png;base64," + m.Bytes(900), "url(data:font/woff2;base64," + m.Bytes(900) + ")", "sha256:" + m.Pick(HexDigits, 64),
		"github.com/a/b v1.2.3 h1:" + m.Bytes(32), "github.com/a/b v1.2.3/go.mod h1:" + m.Bytes(32), `"integrity": "sha512-` + m.Bytes(64) + `"`, "  integrity sha512-" + m.Bytes(64),
		`  resolved "https://registry.example.com/token/-/token-1.2.3.tgz#` + m.Pick(HexDigits, 40) + `"`, "--hash=sha256:" + m.Pick(HexDigits, 64), `checksum = "` + m.Pick(HexDigits, 64) + `"`,
		`ETag: "` + m.Pick(HexDigits, 32) + `"`, "trace_id=" + m.Pick(HexDigits, 32) + " span_id=" + m.Pick(HexDigits, 16), `"tool_use_id": "toolu_01` + m.Pick(Letters, 22) + `"`,
		"cache key: " + m.Pick(HexDigits, 64), `cacheKey = "` + m.Pick(HexDigits, 32) + `"`, "key: " + m.uuid(), `"key": "` + m.Pick(Letters, 20) + `"`, "partition_key: " + m.Pick(HexDigits, 32),
		fmt.Sprint(m.Int64N(1e13)), fmt.Sprint(1767600000000000000 + m.Int64N(1e17)), fmt.Sprintf("run %d took %d s", m.Int64N(1e10), m.IntN(99)), "0x" + m.Pick(HexDigits, 40),
		"/nix/store/" + m.Pick("0123456789abcdfghijklmnpqrsvwxyz", 32) + "-openssl-3.0.12", "main." + m.Pick(HexDigits, 20) + ".js", "sourceMappingURL=data:application/json;base64," + m.Bytes(300),
		"    h1:" + m.Bytes(32) + "\n    zh:" + m.Pick(HexDigits, 64), m.Bytes(60) + "\n" + m.Bytes(60), "nonce=" + m.Pick(HexDigits, 16),
		m.listing(), m.history(), "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + m.Pick(Letters, 43) + " ada@laptop",
		pem("PUBLIC KEY", m.Bytes(48)), pem("CERTIFICATE", m.Bytes(48)+"\n"+m.Bytes(48)+"\n"+m.Bytes(30)), pem("RSA PUBLIC KEY", m.Bytes(96)), "PublicKey = " + m.Bytes(32), "public key: " + m.Bytes(32),
		"host key fingerprint is SHA256:" + strings.TrimRight(m.Bytes(32), "="), "fingerprint: " + m.Pick(HexDigits, 40), `mail._domainkey IN TXT "v=DKIM1; k=rsa; p=` + m.Bytes(90) + `"`,
	}
}

// listing returns output of "ls -l".
func (m Machine) listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "total %d\n", m.IntN(4000))
	for range 2 + m.IntN(4) {
		fmt.Fprintf(&b, "-rw-r--r--  1 user  staff  %6d Feb %2d 09:%02d %s.key\n", m.IntN(400000), 1+m.IntN(28), m.IntN(60), m.Name())
	}
	return b.String()
}

// history returns a "git log" command and its output.
func (m Machine) history() string {
	from, to := m.Pick(HexDigits, 10), m.Pick(HexDigits, 10)
	return fmt.Sprintf("git log --oneline --graph %s..%s\n* | | %s Fix login\n* | %s Merge branch token\ngit log --all --grep=\"%d\"", from, to, to, m.Pick(HexDigits, 7), m.IntN(40000))
}

// pem returns a PEM block that is not secret.
func pem(title, body string) string {
	return "-----BEGIN " + title + "-----\n" + body + "\n-----END " + title + "-----"
}
