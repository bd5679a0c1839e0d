package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"recollect/internal/system/regular"
)

// A Server is where a team's stream is, and what lets one in.
type Server struct {
	URL         string // of one server or several, separated by commas
	Credentials string // file; "" for none
	CA          string // file with certificates; "" for those of the system
}

const (
	maxCredentials = 64 << 10        // bytes
	connectIn      = 5 * time.Second // how long a server may take to let somebody in,
	answerIn       = 2 * time.Second // and to answer
	reconnectIn    = 500 * time.Millisecond
)

// A login is what lets a member in.
type login struct {
	member string // "" if the server asks for no name
	option nats.Option
}

// readLogin reads a file of credentials: what nsc writes for a user, the seed of an nkey, or a name
// and a password with a colon between them.
func readLogin(path string) (login, error) {
	if path == "" {
		return login{}, nil
	}
	b, err := regular.Read(path, maxCredentials)
	if err != nil {
		return login{}, fmt.Errorf("read team.credentials: %w", err)
	}
	defer clear(b)
	none := errors.New("team.credentials: is neither a .creds file, nor the seed of an nkey, nor name:password")
	switch text := bytes.TrimSpace(b); {
	case bytes.Contains(text, []byte("BEGIN NATS USER JWT")):
		token, err := nkeys.ParseDecoratedJWT(text)
		member := keyOf(token)
		if err != nil || member == "" {
			return login{}, none
		}
		return login{member, nats.UserCredentialBytes(bytes.Clone(text))}, nil
	case bytes.HasPrefix(text, []byte("SU")):
		pair, err := nkeys.FromSeed(text)
		if err != nil {
			return login{}, none
		}
		key, err := pair.PublicKey()
		if err != nil {
			return login{}, none
		}
		return login{key, nats.Nkey(key, pair.Sign)}, nil
	default:
		name, password, ok := strings.Cut(string(text), ":")
		if !ok || name == "" || strings.ContainsAny(string(text), "\r\n") {
			return login{}, none
		}
		return login{name, nats.UserInfo(name, password)}, nil
	}
}

// keyOf returns the public key of the user whom a token names, "" if it names none.
func keyOf(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	var claims struct {
		Subject string `json:"sub"`
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(b, &claims) != nil || !nkeys.IsValidPublicUserKey(claims.Subject) {
		return ""
	}
	return claims.Subject
}

// A dial makes connections for nats.
type dial func(network, address string) (net.Conn, error)

// Dial makes a connection.
func (d dial) Dial(network, address string) (net.Conn, error) { return d(network, address) }

// dialIn returns a dial whose connections end with ctx, even those on which nothing ever arrives.
func dialIn(ctx context.Context) dial {
	return func(network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{Timeout: connectIn}).DialContext(ctx, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	}
}
