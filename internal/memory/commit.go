package memory

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/system/regular"
)

// LastCommit returns the commit that the main work tree of the repository at p's path has checked out, or
// "". It reads it from git's files.
func (p Project) LastCommit() string {
	common := commonGitDir(p.Path)
	if p.Path == "" || common == "" {
		return ""
	}
	b, err := readGit(filepath.Join(common, "HEAD"))
	if err != nil {
		return ""
	}
	head := strings.TrimSpace(string(b))
	ref, ok := strings.CutPrefix(head, "ref: ")
	if !ok {
		return commitName(head)
	}
	if !filepath.IsLocal(filepath.FromSlash(ref)) {
		return ""
	}
	if b, err := readGit(filepath.Join(common, filepath.FromSlash(ref))); err == nil {
		return commitName(strings.TrimSpace(string(b)))
	}
	b, _ = readGit(filepath.Join(common, "packed-refs"))
	for line := range strings.Lines(string(b)) {
		if name, of, ok := strings.Cut(strings.TrimSpace(line), " "); ok && of == ref {
			return commitName(name)
		}
	}
	return ""
}

// commitName returns name if it is the name of a commit, else "".
func commitName(name string) string {
	if b, err := hex.DecodeString(name); err != nil || len(b) != 20 && len(b) != 32 {
		return ""
	}
	return name
}

// HasCommit reports whether the repository at p's path has a commit.
func (p Project) HasCommit(name string) bool {
	common := commonGitDir(p.Path)
	if p.Path == "" || common == "" || commitName(name) == "" {
		return false
	}
	objects := filepath.Join(common, "objects")
	if _, err := os.Lstat(filepath.Join(objects, name[:2], name[2:])); err == nil {
		return true
	}
	packs, _ := filepath.Glob(filepath.Join(escapeGlob(objects), "pack", "*.idx"))
	id, _ := hex.DecodeString(name)
	for _, path := range packs {
		if inPack(path, id) {
			return true
		}
	}
	return false
}

// escapeGlob escapes a path, so that it stands for itself in a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// packHeader begins the index of a pack of version 2.
var packHeader = []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}

// inPack reports whether the index of a pack lists an object. The index has a table with the number of
// names that begin with each byte or a lower one, followed by the sorted names.
func inPack(path string, id []byte) bool {
	f, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const table = 256 * 4
	head := make([]byte, len(packHeader)+table)
	if _, err := io.ReadFull(f, head); err != nil || !bytes.HasPrefix(head, packHeader) {
		return false
	}
	upTo := func(first int) int64 {
		if first < 0 {
			return 0
		}
		return int64(binary.BigEndian.Uint32(head[len(packHeader)+4*first:]))
	}
	name := make([]byte, len(id))
	for low, high := upTo(int(id[0])-1), upTo(int(id[0])); low < high; {
		middle := low + (high-low)/2
		if _, err := f.ReadAt(name, int64(len(head))+middle*int64(len(id))); err != nil {
			return false
		}
		switch order := bytes.Compare(name, id); {
		case order == 0:
			return true
		case order < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false
}
