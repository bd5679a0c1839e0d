package embedding

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// A record is one line of a corpus file.
type record struct {
	Kind     string   `json:"k"` // commit, doc, or a dictionary's wd, we, ws, wh
	Repo     string   `json:"r"`
	Subject  string   `json:"a"` // subject of a commit; first text of a dictionary's pair
	Other    string   `json:"b"` // second text of a dictionary's pair
	Headings []string `json:"h"` // headings of a doc, the outermost first
	Body     []string `json:"p"` // paragraphs
}

// corpusFiles are the files of a corpus folder. Each may be compressed with zstd.
var corpusFiles = []string{"corpus.jsonl", "wordnet-pairs.jsonl"}

// maxWindow is the largest accepted zstd window in bytes. The corpus is compressed with one of 128 MiB.
const maxWindow = 256 << 20

// eachRecord calls use for every record of a corpus folder, in order, and returns the SHA-256 of the
// unpacked text.
func eachRecord(dir string, use func(*record)) (string, error) {
	sum := sha256.New()
	for _, name := range corpusFiles {
		if err := readFile(filepath.Join(dir, name), sum, use); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func readFile(path string, sum hash.Hash, use func(*record)) error {
	f, name, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return readRecords(io.TeeReader(f, sum), name, use)
}

// Open opens the unpacked text of a corpus folder: JSON Lines of commits and sections of documentation.
func Open(dir string) (io.ReadCloser, error) {
	f, _, err := open(filepath.Join(dir, corpusFiles[0]))
	return f, err
}

// open opens a file of a corpus folder, which may be compressed, and returns its name.
func open(path string) (text io.ReadCloser, name string, err error) {
	f, err := os.Open(path)
	if err == nil {
		return f, path, nil
	}
	if errors.Is(err, os.ErrNotExist) {
		f, err = os.Open(path + ".zst")
	}
	if err != nil {
		return nil, "", fmt.Errorf("open corpus: %w", err)
	}
	d, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("unpack %s: %w", f.Name(), err), f.Close())
	}
	return unpacked{d, f}, f.Name(), nil
}

// An unpacked is the text of a compressed file.
type unpacked struct {
	*zstd.Decoder
	file *os.File
}

// Close closes the decoder and the file.
func (u unpacked) Close() error {
	u.Decoder.Close()
	return u.file.Close()
}

func readRecords(r io.Reader, name string, use func(*record)) error {
	lines := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			var rec record
			if err := json.Unmarshal(line, &rec); err != nil {
				return fmt.Errorf("read %s, line %d: %w", name, n, err)
			}
			use(&rec)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
}
