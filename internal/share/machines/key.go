package machines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"recollect/internal/api"
	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// KeyFile is the name of the key's file in a data folder.
const KeyFile = "sync.key"

// A Key encrypts the segments that a machine writes, and decrypts those of other machines with the
// same Key. A nil Key encrypts nothing.
//
// Segments are encrypted to the Key's own recipient, which is stored nowhere. Only somebody with the
// Key can therefore read a segment, or make a valid one.
type Key struct{ identity *age.X25519Identity }

// The reasons why a complete segment is not read.
var (
	// ErrNoKey means that a target is encrypted, and this machine has no key. The user should enter it.
	ErrNoKey    error = &api.CausedError{Cause: api.NoKey, Text: "it is encrypted, and this machine has no key"}
	errOtherKey       = errors.New("it is encrypted with another key")
	errPlain          = errors.New("it is not encrypted, so that anybody may have written it")
)

// sealed is the beginning of an encrypted segment.
const sealed = "age-encryption.org/v1\n"

// NewKey makes a key.
func NewKey() (*Key, error) {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	return &Key{identity}, nil
}

// ParseKey parses the text of a key, as String returns it.
func ParseKey(text string) (*Key, error) {
	identity, err := age.ParseX25519Identity(strings.ToUpper(strings.TrimSpace(text)))
	if err != nil { // err is not returned, because it may quote the key
		return nil, errors.New("not a key: it begins with AGE-SECRET-KEY-1 and has 74 characters")
	}
	return &Key{identity}, nil
}

// LoadKey returns the key of a data folder, nil if it has none.
func LoadKey(home string) (*Key, error) {
	path := filepath.Join(home, KeyFile)
	b, err := regular.Read(path, 4<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	k, err := ParseKey(string(b))
	if err != nil {
		return nil, fmt.Errorf("read key %s: %w", path, err)
	}
	return k, nil
}

// Save makes k the key of a data folder.
func (k *Key) Save(home string) error {
	err := durable.Replace(filepath.Join(home, KeyFile), filepath.Join(home, durable.TempPrefix+KeyFile), func(f *os.File) error {
		_, err := fmt.Fprintln(f, k)
		return err
	})
	if err != nil {
		return fmt.Errorf("save key: %w", err)
	}
	return nil
}

// String returns the text of the key, which users enter and age reads.
func (k *Key) String() string { return k.identity.String() }

// id identifies the key without revealing it, "" for a nil Key.
func (k *Key) id() string {
	if k == nil {
		return ""
	}
	return checksum([]byte(k.identity.Recipient().String()))[:16]
}

// seal encrypts the content of a segment.
func (k *Key) seal(content []byte) ([]byte, error) {
	if k == nil {
		return bytes.Clone(content), nil
	}
	var out bytes.Buffer
	w, err := age.Encrypt(&out, k.identity.Recipient())
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("encrypt segment: %w", err)
	}
	return out.Bytes(), nil
}

// open decrypts what seal returned.
func (k *Key) open(content []byte) ([]byte, error) {
	encrypted := bytes.HasPrefix(content, []byte(sealed))
	switch {
	case k == nil && encrypted:
		return nil, ErrNoKey
	case k == nil:
		return content, nil
	case !encrypted:
		return nil, errPlain
	}
	r, err := age.Decrypt(bytes.NewReader(content), k.identity)
	var other *age.NoIdentityMatchError
	if errors.As(err, &other) {
		return nil, errOtherKey
	}
	if err == nil {
		content, err = io.ReadAll(r)
	}
	if err != nil {
		return nil, fmt.Errorf("not whole, or damaged: %w", err)
	}
	return content, nil
}
