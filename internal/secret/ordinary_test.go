package secret

import (
	_ "embed"
	encoding "encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Lines that speak of passwords and keys, or look as if they had one.
//
//go:embed testdata/ordinary.txt
var ordinaryLines string

// Tables, statements and structures that speak of passwords and keys, with %% between.
//
//go:embed testdata/ordinary_blocks.txt
var ordinaryBlocks string

func TestOrdinaryBlocks(t *testing.T) {
	for block := range strings.SplitSeq(ordinaryBlocks, "\n%%\n") {
		for _, frame := range []string{"%s", "see below:\n%s\n\nand above", "\n%s\n"} {
			s := strings.Replace(frame, "%s", block, 1)
			if got := Redact(s); got != s {
				t.Errorf("Redact(%q) = %q, want no change", s, got)
			}
		}
	}
}

func TestOrdinaryLines(t *testing.T) {
	for line := range strings.Lines(ordinaryLines) {
		for _, frame := range []string{"%s", "\t%s", "     7→%s", "- %s", "> %s"} {
			s := strings.Replace(frame, "%s", strings.TrimSpace(line), 1)
			if got := Redact(s); got != s {
				t.Errorf("Redact(%q) = %q, want no change", s, got)
			}
		}
	}
}

const (
	hexDigits = "0123456789abcdef"
	letters   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// A machine makes what machines write.
type machine struct{ *rand.Rand }

func (m machine) pick(from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[m.IntN(len(from))]
	}
	return string(b)
}

func (m machine) uuid() string {
	return m.pick(hexDigits, 8) + "-" + m.pick(hexDigits, 4) + "-" + m.pick(hexDigits, 4) + "-" + m.pick(hexDigits, 4) + "-" + m.pick(hexDigits, 12)
}

func (m machine) bytes(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.Uint32())
	}
	return encoding.StdEncoding.EncodeToString(b)
}

// Hashes, ids, images and lock files are no secrets: of what machines write, one
// in a hundred at most is taken for one.
func TestOrdinaryMachines(t *testing.T) {
	m := machine{rand.New(rand.NewPCG(7, 7))}
	all, taken := 0, 0
	for range 200 {
		for _, s := range []string{
			"commit " + m.pick(hexDigits, 40), "index " + m.pick(hexDigits, 7) + ".." + m.pick(hexDigits, 7) + " 100644", m.uuid(), "session_id: " + m.uuid(),
			`"id": "` + m.uuid() + `"`, "data:image/png;base64," + m.bytes(900), "url(data:font/woff2;base64," + m.bytes(900) + ")", "sha256:" + m.pick(hexDigits, 64),
			"github.com/a/b v1.2.3 h1:" + m.bytes(32), "github.com/a/b v1.2.3/go.mod h1:" + m.bytes(32), `"integrity": "sha512-` + m.bytes(64) + `"`, "  integrity sha512-" + m.bytes(64),
			`  resolved "https://registry.example.com/token/-/token-1.2.3.tgz#` + m.pick(hexDigits, 40) + `"`, "--hash=sha256:" + m.pick(hexDigits, 64), `checksum = "` + m.pick(hexDigits, 64) + `"`,
			`ETag: "` + m.pick(hexDigits, 32) + `"`, "trace_id=" + m.pick(hexDigits, 32) + " span_id=" + m.pick(hexDigits, 16), `"tool_use_id": "toolu_01` + m.pick(letters, 22) + `"`,
			"cache key: " + m.pick(hexDigits, 64), `cacheKey = "` + m.pick(hexDigits, 32) + `"`, "key: " + m.uuid(), `"key": "` + m.pick(letters, 20) + `"`, "partition_key: " + m.pick(hexDigits, 32),
			fmt.Sprint(m.Int64N(1e13)), fmt.Sprint(1767600000000000000 + m.Int64N(1e17)), fmt.Sprintf("run %d took %d s", m.Int64N(1e10), m.IntN(99)), "0x" + m.pick(hexDigits, 40),
			"/nix/store/" + m.pick("0123456789abcdfghijklmnpqrsvwxyz", 32) + "-openssl-3.0.12", "main." + m.pick(hexDigits, 20) + ".js", "sourceMappingURL=data:application/json;base64," + m.bytes(300),
			"    h1:" + m.bytes(32) + "\n    zh:" + m.pick(hexDigits, 64), m.bytes(60) + "\n" + m.bytes(60), "nonce=" + m.pick(hexDigits, 16), "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + m.pick(letters, 43) + " ada@laptop",
		} {
			all++
			if got := Redact(s); got != s {
				taken++
				t.Logf("Redact(%.120q) = %.120q", s, got)
			}
		}
	}
	if taken*100 > all {
		t.Errorf("%d of %d ordinary texts were redacted, want one in a hundred at most", taken, all)
	}
}
