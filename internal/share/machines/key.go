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

// KeyFile is the name of the file in a data folder that has the key.
const KeyFile = "sync.key"

// A Key encrypts the segments that a machine writes, and opens those of the others, which have the
// same one. A nil Key encrypts nothing.
//
// Segments are encrypted to the key's own recipient, which is written nowhere. So who has not the key
// can neither read a segment nor make one that opens.
type Key struct{ identity *age.X25519Identity }

// What is wrong with a segment that is whole.
var (
	// ErrNoKey means that a target is encrypted, and that this machine has no key. The user should
	// enter it.
	ErrNoKey    error = &api.CausedError{Cause: api.NoKey, Text: "it is encrypted, and this machine has no key"}
	errOtherKey       = errors.New("it is encrypted with another key")
	errPlain          = errors.New("it is not encrypted, so that anybody may have written it")
)

// sealed begins what is encrypted.
const sealed = "age-encryption.org/v1\n"

// NewKey makes a key.
func NewKey() (*Key, error) {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	return &Key{identity}, nil
}

// ParseKey reads a key as it was shown.
func ParseKey(text string) (*Key, error) {
	identity, err := age.ParseX25519Identity(strings.ToUpper(strings.TrimSpace(text)))
	if err != nil { // which may quote the key
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

// String returns the key as users enter it, and as age reads it.
func (k *Key) String() string { return k.identity.String() }

// id tells keys apart without giving them away, "" for none.
func (k *Key) id() string {
	if k == nil {
		return ""
	}
	return checksum([]byte(k.identity.Recipient().String()))[:16]
}

// seal returns content as it lies in a target.
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

// open returns what seal was given.
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
