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

// A Server is the address of a team's server, with the files that are needed to log in.
type Server struct {
	URL         string // of one server or several, separated by commas
	Credentials string // path of a file; "" for none
	CA          string // path of a file with certificates; "" for those of the system
}

const (
	maxCredentials = 64 << 10        // bytes
	connectIn      = 5 * time.Second // how long connecting may take
	answerIn       = 2 * time.Second // how long an answer may take
	reconnectIn    = 500 * time.Millisecond
)

// A login has the name and the credentials of a member.
type login struct {
	member string // "" if the server asks for no name
	option nats.Option
}

// readLogin reads a file of credentials: a .creds file of nsc, the seed of an nkey, or name:password.
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

// keyOf returns the public key of the user of a token, "" if it names none.
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

// A dial is a nats.CustomDialer.
type dial func(network, address string) (net.Conn, error)

// Dial makes a connection.
func (d dial) Dial(network, address string) (net.Conn, error) { return d(network, address) }

// dialIn returns a dial that closes its connections when ctx ends, even if the server never answers.
func dialIn(ctx context.Context) dial {
	return func(network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{Timeout: connectIn}).DialContext(ctx, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	}
}
