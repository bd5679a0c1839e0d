package server

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

func TestReadLogin(t *testing.T) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	key, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	creds := func(subject string) string {
		part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
		token := part(`{"typ":"JWT"}`) + "." + part(`{"sub":"`+subject+`"}`) + "." + part("signature")
		return fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n", token, seed)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"a name and a password", "ana:a:b", "ana"},
		{"a seed", string(seed), key},
		{"a file of nsc", creds(key), key},
		{"a token of nobody", creds("ana"), ""},
		{"a broken seed", "SUAAA", ""},
		{"one word", "hunter2", ""},
		{"no name", ":b", ""},
		{"two lines", "ana:b\nbob:c", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := readLogin(credentials(t, tt.text))
			if l.member != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("member %q, %v; want %q", l.member, err, tt.want)
			}
			if err != nil && tt.text != "" && strings.Contains(err.Error(), tt.text) {
				t.Errorf("the error has the secret: %v", err)
			}
		})
	}
	if _, err := readLogin(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
}

// Who has no password, but a key, is let in by it.
func TestKey(t *testing.T) {
	t.Parallel()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := pair.Seed()
	key, _ := pair.PublicKey()
	c := startCluster(t, 1, func(o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: key}} })
	m := join(t, t.TempDir(), Server{URL: c.url(), Credentials: credentials(t, string(seed))}, project)
	m.share(t, project, "x", 1)
	same(t, 1, m)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.has[subjectOf(project, key, "x-0")] == "" {
		t.Errorf("it is not sent in the name of the key: %v", m.has)
	}
}
