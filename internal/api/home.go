package api

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Home returns the data folder, which need not exist: $RECOLLECT_HOME, by default
// ~/.recollect.
func Home() (string, error) {
	if dir := os.Getenv("RECOLLECT_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("find data folder: neither RECOLLECT_HOME nor HOME is set")
	}
	return filepath.Join(home, ".recollect"), nil
}

// maxSocketPath is the length, in bytes, that every platform allows: macOS allows 103,
// Linux and Windows 107.
const maxSocketPath = 100

// SocketPaths returns where a daemon of home may listen; it takes the first where it can: in
// home, unless that path is too long for a socket, and in a folder of the user's own below the
// temporary folder, which also serves a home that cannot be written to.
func SocketPaths(home string) []string {
	sum := sha256.Sum256([]byte(home))
	dir := filepath.Join(os.TempDir(), "recollect-"+strconv.Itoa(os.Getuid()))
	elsewhere := filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock")
	if path := filepath.Join(home, "recollect.sock"); len(path) <= maxSocketPath {
		return []string{path, elsewhere}
	}
	return []string{elsewhere}
}

// SocketPath returns where a daemon of home listens if it can write to home.
func SocketPath(home string) string { return SocketPaths(home)[0] }

// FallbackPath returns the path of a session's fallback.
func FallbackPath(home, session string) string {
	return filepath.Join(home, "recollections", FileName(session)+".json")
}

// IncognitoPath returns the path of the empty file that makes a session incognito.
func IncognitoPath(home, session string) string {
	return filepath.Join(home, "incognito", FileName(session))
}

// WriteIncognito makes a session incognito for every daemon to come. The data folder must
// be there.
func WriteIncognito(home, session string) error {
	path := IncognitoPath(home, session)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// FileName turns a foreign id into the name of a file: the id itself if it is short and
// plain, else a hash of it.
func FileName(id string) string {
	const plain = "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if id != "" && len(id) <= 64 && strings.Trim(id, plain) == "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x" + hex.EncodeToString(sum[:12])
}
