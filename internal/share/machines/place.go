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

// placeFile has where the folder lay when its machine was named.
const placeFile = "writer.place"

// A place is where a data folder lies. Two folders with one name of a machine would take what the
// other writes for their own, so that one that was copied gets another name.
type place struct {
	V    int    `json:"v"`
	Name string `json:"name"` // of the machine
	Host string `json:"host"` // stands for the machine, and does not tell which it is
	Path string `json:"path"`
	Node uint64 `json:"node"` // the number of the folder on its disk, 0 where there is none
}

// placeOf returns where a data folder lies now.
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
	return place{V: 1, Name: name, Host: host(), Path: path, Node: nodeOf(fi)}, nil
}

// host returns what stands for this machine.
func host() string {
	id, err := regular.Read("/etc/machine-id", 256)
	text := strings.TrimSpace(string(id))
	if err != nil || text == "" {
		text, _ = os.Hostname()
	}
	return checksum([]byte("recollect\x00" + text))[:16]
}

// copied reports whether a folder that lies at now is a copy of the one that was at p. One that was
// moved, or was put back in its place, and one that several machines use, is itself.
func (p place) copied(now place) bool {
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

// Locate gives a data folder that is a copy of another one a name of its own, and returns where the
// other one lay, "" if it is none. All that it has is written to targets anew, by that name. To be
// called before anything is written by the name.
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
		return "", nil // that version looks after it
	case err == nil && was == now:
		return "", nil
	case err == nil && was.Name == name && was.copied(now):
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

// writeName gives a data folder a new name of a machine.
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
