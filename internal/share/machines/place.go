package machines

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// placeFile is the file with the place of the data folder.
const placeFile = "writer.place"

// A place is where a data folder lies. It reveals copies, which must get a new name: two folders with
// the same name would take each other's segments for their own.
type place struct {
	V    int    `json:"v"`
	Name string `json:"name"` // of the machine
	Host string `json:"host"` // hash of the machine's id
	Path string `json:"path"`
	Node uint64 `json:"node"` // inode number of the folder, 0 if unknown
}

// placeOf returns the place of a data folder now.
func placeOf(home, name string) (place, error) {
	path, err := filepath.Abs(home)
	if err != nil {
		return place{}, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return place{}, err
	}
	fi, err := os.Stat(path)
	if err != nil {
		return place{}, err
	}
	return place{V: 1, Name: name, Host: hostHash(), Path: path, Node: nodeOf(fi)}, nil
}

// hostHash returns a hash of this machine's id, which does not reveal the id.
func hostHash() string {
	id, err := regular.Read("/etc/machine-id", 256)
	text := strings.TrimSpace(string(id))
	if err != nil || text == "" {
		text, _ = os.Hostname()
	}
	return checksum([]byte("recollect\x00" + text))[:16]
}

// isCopy reports whether the folder at now is a copy of the one at p. A folder is no copy if it was
// moved, if it was restored at the same path, or if several machines use it.
func (p place) isCopy(now place) bool {
	if p.Node == now.Node && p.Node != 0 {
		return false
	}
	if p.Host != now.Host {
		return true
	}
	if p.Path == now.Path {
		return false
	}
	there, err := Writer(p.Path)
	return err == nil && there == p.Name // the original is still there
}

// Locate gives a data folder a new name if it is a copy, and returns the path of the original, "" if it
// is no copy. All its memories are then written to targets again, under the new name. Locate must be
// called before the name is used.
func Locate(home string) (copyOf string, err error) {
	name, err := Writer(home)
	if err != nil || name == "" {
		return "", err
	}
	now, err := placeOf(home, name)
	if err != nil {
		return "", fmt.Errorf("find data folder: %w", err)
	}
	state := durable.NewState(filepath.Join(home, placeFile))
	var was place
	switch err := state.Read(&was); {
	case errors.Is(err, durable.ErrNewer):
		return "", nil // the newer version checks it
	case err == nil && was == now:
		return "", nil
	case err == nil && was.Name == name && was.isCopy(now):
		copyOf = was.Path
		if now.Name, err = writeName(home); err != nil {
			return "", err
		}
	}
	if err := state.Write(now); err != nil {
		return copyOf, fmt.Errorf("note place of data folder: %w", err)
	}
	return copyOf, nil
}

// writeName gives the machine of a data folder a new name, and returns it.
func writeName(home string) (string, error) {
	random := make([]byte, 8)
	rand.Read(random)
	name := hex.EncodeToString(random)
	path := filepath.Join(home, writerFile)
	err := durable.Replace(path, path+".tmp", func(f *os.File) error {
		_, err := fmt.Fprintln(f, name)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("name the machine: %w", err)
	}
	return name, nil
}
