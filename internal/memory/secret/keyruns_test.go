package secret

import (
	"fmt"
	"strings"
	"testing"
)

func TestKeyRuns(t *testing.T) {
	const (
		hex = "3dd3ae6ffd7175fac" + "cce0e5842e21f91d5a6f1c5f355e65e8f55a1168de43e92"
		wif = "5HueCGU8rMjxEXxiPuD5BDku4MkF" + "qeZyd4dZ1jvhTVqvbTLvyTJ" // of the manual
		sid = "AC0f1e2d3c4b5a6978" + "8796a5b4c3d2e1f0"
	)
	var list []string
	for i := range 64 {
		list = append(list, fmt.Sprint(i*37%256))
	}
	bytes := strings.Join(list, ",")
	for _, tt := range []struct {
		name, in, secret string
		want             bool
	}{
		{"seed of NATS", "SU" + strings.Repeat("AB2C", 14), "AB2C", true},
		{"capitals", "SU" + strings.Repeat("AB2C", 13), "AB2C", false},
		{"Bitcoin", `importprivkey "` + wif + `"`, wif, true},
		{"Bitcoin with a wrong check", wif[:50] + "K", wif[:50], false},
		{"comment behind", `accounts: ["0x` + hex + `"], // deployer private key`, hex, true},
		{"line above", "wallet seed:\n" + hex, hex, true},
		{"wallet", "new ethers.Wallet('" + hex + "')", hex, true},
		{"transaction", "tx of the deployer: 0x" + hex, hex, false},
		{"hash", "sha256:" + hex, hex, false},
		{"file", hex + "  seed.tar.gz", hex, false},
		{"digest of an image", "wallet@sha256:" + hex, hex, false},
		{"Solana", "$ cat id.json # solana keypair\n[" + bytes + "]", bytes, true},
		{"bytes of something", "data = [" + bytes + "]", bytes, false},
		{"public key", "publicKey = [" + bytes + "]", bytes, false},
		{"Twilio", "twilio('" + sid + "', '" + hex[:32] + "')", hex[:32], true},
		{"hash beside nothing", "md5 " + hex[:32], hex[:32], false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if out, found := left(tt.in, tt.secret); (len(found) == 0) != tt.want {
				t.Errorf("Redact(%q) = %q, want a secret: %t", tt.in, out, tt.want)
			}
		})
	}
}

func TestRecoveryCodes(t *testing.T) {
	for in, want := range map[string]string{
		"GitHub recovery codes\nKeep them safe!\n7f572-21940\nf9994-53988\n": "GitHub recovery codes\nKeep them safe!\n[secret:recovery-code]\n[secret:recovery-code]\n",
		"BACKUP CODES\n1. 1234 5678\n2. 2345 6789":                           "BACKUP CODES\n1. [secret:recovery-code]\n2. [secret:recovery-code]",
		"Backup codes: 4f3c9a1b2e, 77aa0b1c9d":                               "Backup codes: [secret:recovery-code], [secret:recovery-code]",
		"## Wiederherstellungscodes\n\n- [ ] abcde-12345\n- [ ] fghij-67890": "## Wiederherstellungscodes\n\n- [ ] [secret:recovery-code]\n- [ ] [secret:recovery-code]",
		"backup codes: 10\nrecovery codes left: 4":                           "backup codes: 10\nrecovery codes left: 4",
		"Recovery codes\nv1.2.3 was released on 2026-01-05":                  "Recovery codes\nv1.2.3 was released on 2026-01-05",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}
