package config

import (
	"strings"
	"testing"
)

func TestTeamServer(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`url = "tls://nats.example.com:4222"`, ""},
		{`url = "nats://127.0.0.1:4222, nats://127.0.0.1:4223"`, ""},
		{`url = "nats.example.com:4222"`, "must be addresses"},
		{`url = "https://nats.example.com"`, "must be addresses"},
		{`url = "nats://a,"`, "must be addresses"},
		{`url = "nats://ana:hunter2@nats.example.com"`, "must have no name and password"},
		{`url = "ana:hunter2@nats.example.com"`, "must be addresses"},
		{`credentials = "ana.creds"`, "must be an absolute path"},
		{`ca = "ca.pem"`, "must be an absolute path"},
	} {
		_, err := Parse("config.toml", "[team]\n"+tt.text)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.text, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error has the password: %v", tt.text, err)
		}
	}
}
