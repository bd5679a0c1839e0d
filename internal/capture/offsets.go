package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// offsets keeps, one small file a transcript, how far it was read. Losing
// them costs time, not memories: what is read again is found to be stored.
type offsets struct{ dir string }

// An offset is how far a transcript was read. Sum is the CRC-32 of what the
// file began with, so that another file under the same path is noticed.
type offset struct {
	Path   string `json:"path"`
	Offset int64  `json:"offset"` // where the last turn begins
	End    int64  `json:"end"`    // what was read of it
	Head   int64  `json:"head"`   // bytes under Sum
	Sum    uint32 `json:"sum"`
}

// headSize is how much of a transcript's beginning stands for all of it: its
// first records hold the session's id and times.
const headSize = 4096

// load returns how far path was read: nothing when it is new, was cut, or is
// not the file it was.
func (o offsets) load(path string) offset {
	b, err := os.ReadFile(o.file(path))
	var was offset
	if err != nil || json.Unmarshal(b, &was) != nil || was.Path != path {
		return offset{}
	}
	fi, err := os.Stat(path)
	if err != nil || fi.Size() < was.Offset || was.Offset < 0 {
		return offset{}
	}
	if sum, err := sumHead(path, was.Head); err != nil || sum != was.Sum {
		return offset{}
	}
	return was
}

// save keeps how far path was read: its last turn begins at to, and was read
// up to end.
func (o offsets) save(path string, to, end int64) error {
	is := offset{Path: path, Offset: to, End: end, Head: min(to, headSize)}
	var err error
	if is.Sum, err = sumHead(path, is.Head); err != nil {
		return fmt.Errorf("keep offset: %w", err)
	}
	b, err := json.Marshal(is)
	if err != nil {
		return fmt.Errorf("keep offset: %w", err)
	}
	file := o.file(path)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("keep offset: %w", err)
	}
	if err := os.WriteFile(file+".new", b, 0o600); err != nil {
		return fmt.Errorf("keep offset: %w", err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		return fmt.Errorf("keep offset: %w", err)
	}
	return nil
}

func (o offsets) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(o.dir, "offset-"+hex.EncodeToString(sum[:12])+".json")
}

func sumHead(path string, n int64) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	h := crc32.NewIEEE()
	if _, err := io.CopyN(h, f, n); err != nil {
		return 0, err
	}
	return h.Sum32(), nil
}
