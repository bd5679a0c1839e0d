package api

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// Home returns the data folder: $RECOLLECT_HOME, by default ~/.recollect. It
// need not exist.
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

// maxSocketPath is what every platform takes: macOS allows 103 bytes, Linux
// and Windows 107.
const maxSocketPath = 100

// SocketPath returns where the daemon of home listens: in home, or, where
// that path is too long for a socket, in a folder of the user's own below the
// temporary one.
func SocketPath(home string) string {
	path := filepath.Join(home, "recollect.sock")
	if len(path) <= maxSocketPath {
		return path
	}
	sum := sha256.Sum256([]byte(home))
	dir := filepath.Join(os.TempDir(), "recollect-"+strconv.Itoa(os.Getuid()))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock")
}

// FallbackPath returns where the recollection lies that a session's hook
// reads when the daemon does not answer.
func FallbackPath(home, session string) string {
	return filepath.Join(home, "recollections", FileName(session)+".json")
}

// FileName turns an id that came from outside into a name for a file: itself
// where it is short and plain, else a hash of it.
func FileName(id string) string {
	plain := id != "" && len(id) <= 64
	for _, c := range []byte(id) {
		plain = plain && (c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}
	if plain {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x" + hex.EncodeToString(sum[:12])
}
