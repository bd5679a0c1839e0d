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

// Home returns the path of the data folder, which need not exist: $RECOLLECT_HOME, by
// default ~/.recollect.
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

// maxSocketPath is the longest path of a socket, in bytes. macOS allows 103, Linux and
// Windows 107.
const maxSocketPath = 100

// SocketPaths returns the paths at which a daemon of home may listen; it uses the first where it
// can. One is in home, unless it is too long for a socket. The other is in the user's folder below
// the temporary folder, in case home cannot be written to.
func SocketPaths(home string) []string {
	sum := sha256.Sum256([]byte(home))
	dir := filepath.Join(os.TempDir(), "recollect-"+strconv.Itoa(os.Getuid()))
	elsewhere := filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock")
	if path := filepath.Join(home, "recollect.sock"); len(path) <= maxSocketPath {
		return []string{path, elsewhere}
	}
	return []string{elsewhere}
}

// SocketPath returns the path at which a daemon of home listens if it can write to home.
func SocketPath(home string) string { return SocketPaths(home)[0] }

// SessionPath returns the path of a session's state.
func SessionPath(home, session string) string {
	return filepath.Join(home, "sessions", FileName(session)+".json")
}

// FallbackPath returns the path of a session's fallback.
func FallbackPath(home, session string) string {
	return filepath.Join(home, "recollections", FileName(session)+".json")
}

// IncognitoPath returns the path of the empty file that makes a session incognito.
func IncognitoPath(home, session string) string {
	return filepath.Join(home, "incognito", FileName(session))
}

// WriteIncognito makes a session incognito, also for later daemons. The data folder must
// exist.
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

// FileName turns an id of another program into the name of a file: the id itself if it is
// short and plain, else a hash of it.
func FileName(id string) string {
	const plain = "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if id != "" && len(id) <= 64 && strings.Trim(id, plain) == "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x" + hex.EncodeToString(sum[:12])
}
