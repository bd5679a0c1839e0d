// Package backup packs the files of a data folder that cannot be made again into an archive, and restores
// them.
//
// An archive is a tar.gz of regular files with plain names: the logs of the memories, the settings, and
// the records of their use. Its last member is the manifest, with the SHA-256 of every other member; an
// archive that was cut off has no manifest. Archives are not trusted: names, kinds, sizes and digests are
// checked before anything is written.
package backup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"time"

	"recollect/internal/system/regular"
)

const (
	manifestName = "manifest.json"
	format       = "recollect backup"
	version      = 1
	logsFolder   = "memories"
)

// plainName matches the files of a data folder that belong to a backup, such as
// "memories/journal.jsonl", "memories/journal.jsonl.torn", "config.toml" and "stats.json".
var plainName = regexp.MustCompile(`^(memories/[a-z]+\.jsonl(\.torn)?|[a-z][a-z0-9_-]*\.(jsonl|json|toml))$`)

// belongs reports whether a file of the data folder belongs to a backup.
func belongs(name string) bool { return name != manifestName && plainName.MatchString(name) }

// A Manifest says what an archive contains.
type Manifest struct {
	Format    string    `json:"format"`
	V         int       `json:"v"`
	Recollect string    `json:"recollect"` // the version that made it
	Made      time.Time `json:"made"`
	Memories  int       `json:"memories"`
	Files     []File    `json:"files"`
}

// A File is a member of an archive.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// A Set holds the files of a data folder as they were when Open opened them. Later appends and
// replacements are not part of it.
type Set struct{ files []member }

// A member is an open file and its size when it was opened.
type member struct {
	name string
	file *os.File
	size int64
}

// Open opens the files of a data folder that belong to a backup. Nobody may write to them meanwhile.
func Open(home string) (*Set, error) {
	s := &Set{}
	for _, dir := range []string{"", logsFolder} {
		if err := s.open(home, dir); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

func (s *Set) open(home, dir string) error {
	entries, err := os.ReadDir(filepath.Join(home, dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if e.IsDir() || !belongs(name) {
			continue
		}
		f, err := regular.Open(filepath.Join(home, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fi, err := f.Stat()
		if err != nil {
			return errors.Join(err, f.Close())
		}
		s.files = append(s.files, member{name, f, fi.Size()})
	}
	return nil
}

// Close closes the files.
func (s *Set) Close() error {
	var errs []error
	for _, m := range s.files {
		errs = append(errs, m.file.Close())
	}
	return errors.Join(errs...)
}

// Write writes an archive of the files to w and returns its manifest. m supplies the fields that the
// files do not tell.
func (s *Set) Write(ctx context.Context, w io.Writer, m Manifest) (Manifest, error) {
	m.Format, m.V, m.Files = format, version, []File{}
	packed := gzip.NewWriter(w)
	archive := tar.NewWriter(packed)
	for _, member := range s.files {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		sum := sha256.New()
		content := io.TeeReader(io.NewSectionReader(member.file, 0, member.size), sum)
		if err := add(archive, member.name, member.size, m.Made, content); err != nil {
			return m, err
		}
		m.Files = append(m.Files, File{member.name, member.size, digest(sum)})
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	if err := add(archive, manifestName, int64(len(b)), m.Made, bytesOf(b)); err != nil {
		return m, err
	}
	return m, errors.Join(archive.Close(), packed.Close())
}

func add(archive *tar.Writer, name string, size int64, made time.Time, content io.Reader) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: made.Truncate(time.Second)}
	if err := archive.WriteHeader(h); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := io.Copy(archive, content); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func digest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
