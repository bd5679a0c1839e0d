package repo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"recollect/internal/system/regular"
)

// maxPacks is the most packs of objects that are searched.
const maxPacks = 100

// objects finds git objects in the files of a repository. It does not run git, because the
// settings of somebody else's repository may make git run other programs.
type objects struct {
	dir   string
	packs []string // paths of their indexes
	whole bool     // no object is stored elsewhere
}

func openObjects(root string) objects {
	git := filepath.Join(root, ".git")
	o := objects{dir: filepath.Join(git, "objects")}
	fi, err := os.Stat(o.dir)
	if err != nil || !fi.IsDir() {
		return o
	}
	o.packs = regular.Ending(filepath.Join(o.dir, "pack"), ".idx")
	partial := regular.Ending(filepath.Join(o.dir, "pack"), ".promisor")
	o.whole = len(o.packs) <= maxPacks && len(partial) == 0
	for _, elsewhere := range []string{filepath.Join(git, "shallow"), filepath.Join(o.dir, "info", "alternates")} {
		if _, err := os.Stat(elsewhere); err == nil {
			o.whole = false
		}
	}
	o.packs = o.packs[:min(len(o.packs), maxPacks)]
	return o
}

// lacks reports whether an object certainly does not exist.
func (o objects) lacks(id string) bool { return o.whole && !o.has(id) }

// has reports whether the id of an object begins with id, which must have at least 7 digits.
func (o objects) has(id string) bool {
	if len(id) < 7 {
		return false
	}
	loose, err := os.ReadDir(filepath.Join(o.dir, id[:2]))
	if err == nil {
		for _, e := range loose {
			if strings.HasPrefix(e.Name(), id[2:]) {
				return true
			}
		}
	}
	for _, path := range o.packs {
		if inIndex(path, id) {
			return true
		}
	}
	return false
}

// The index of a pack, version 2, has a magic number, the version, for each byte the number
// of ids that begin with it or a lower one, and the sorted ids of 20 bytes.
const (
	indexMagic = "\xfftOc\x00\x00\x00\x02"
	fanOut     = len(indexMagic) + 256*4
	idBytes    = 20
)

// inIndex reports whether the index at path has an id that begins with digits.
func inIndex(path, digits string) bool {
	f, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, fanOut)
	if _, err := f.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, []byte(indexMagic)) {
		return false
	}
	id := func(i int) string {
		b := make([]byte, idBytes)
		if _, err := f.ReadAt(b, int64(fanOut)+int64(i)*idBytes); err != nil {
			return "" // the file was cut
		}
		return hex.EncodeToString(b)
	}
	n := int(binary.BigEndian.Uint32(head[fanOut-4:]))
	at := sort.Search(n, func(i int) bool { return id(i) >= digits })
	return at < n && strings.HasPrefix(id(at), digits)
}
