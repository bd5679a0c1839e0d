package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Limits on an archive, because a small file may unpack to any size. None of ours exceeds them.
const (
	maxMember   = 4 << 30
	maxArchive  = 16 << 30
	maxMembers  = 200
	maxManifest = 1 << 20
	maxPadding  = 1 << 20 // after the end of the archive
)

// Verify reads an archive to its end and returns its manifest if every member agrees with it.
func Verify(ctx context.Context, r io.Reader) (Manifest, error) {
	return read(ctx, r, func(string, io.Reader) error { return nil })
}

// extract writes the members of an archive to an empty folder. The files must not be used if it returns
// an error.
func extract(ctx context.Context, r io.Reader, dir string) (Manifest, error) {
	if err := os.MkdirAll(filepath.Join(dir, logsFolder), 0o700); err != nil {
		return Manifest{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Manifest{}, err
	}
	defer root.Close()
	return read(ctx, r, func(name string, content io.Reader) error {
		f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, content)
		return errors.Join(err, f.Sync(), f.Close())
	})
}

// A reader reads one archive.
type reader struct {
	archive *tar.Reader
	files   []File
	total   int64
}

// read calls each for every member except the manifest, and checks them against the manifest.
func read(ctx context.Context, r io.Reader, each func(name string, content io.Reader) error) (Manifest, error) {
	packed, err := gzip.NewReader(r)
	if err != nil {
		return Manifest{}, fmt.Errorf("it is no backup: %w", err)
	}
	in := reader{archive: tar.NewReader(packed)}
	for {
		if err := ctx.Err(); err != nil {
			return Manifest{}, err
		}
		h, err := in.archive.Next()
		switch {
		case err == io.EOF:
			return Manifest{}, errors.New("it has no manifest: it is no backup, or was cut off")
		case err != nil:
			return Manifest{}, fmt.Errorf("it is damaged: %w", err)
		case h.Name == manifestName:
			return in.manifest(packed, h)
		}
		if err := in.member(h, each); err != nil {
			return Manifest{}, err
		}
	}
}

func (in *reader) member(h *tar.Header, each func(string, io.Reader) error) error {
	in.total += max(0, h.Size)
	switch {
	case !belongs(h.Name):
		return fmt.Errorf("%q is no file of a data folder", h.Name)
	case h.Typeflag != tar.TypeReg:
		return fmt.Errorf("%s is no regular file", h.Name)
	case h.Size < 0 || h.Size > maxMember:
		return fmt.Errorf("%s is more than a backup holds", h.Name)
	case in.total > maxArchive || len(in.files) == maxMembers:
		return fmt.Errorf("%s is more than a backup holds", h.Name)
	}
	for _, f := range in.files {
		if f.Name == h.Name {
			return fmt.Errorf("%s is there twice", h.Name)
		}
	}
	sum := sha256.New()
	content := io.TeeReader(in.archive, sum)
	err := each(h.Name, content)
	if err == nil {
		_, err = io.Copy(io.Discard, content)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", h.Name, err)
	}
	in.files = append(in.files, File{h.Name, h.Size, digest(sum)})
	return nil
}

// manifest reads the manifest, the last member, and compares it with the members read before.
func (in *reader) manifest(packed *gzip.Reader, h *tar.Header) (m Manifest, err error) {
	if h.Typeflag != tar.TypeReg || h.Size > maxManifest {
		return m, errors.New("its manifest is none")
	}
	if err := json.NewDecoder(in.archive).Decode(&m); err != nil {
		return m, fmt.Errorf("it is damaged: read its manifest: %w", err)
	}
	switch {
	case m.Format != format:
		return m, errors.New("it is no backup of recollect")
	case m.V > version:
		return m, fmt.Errorf("a newer recollect made it: %s", m.Recollect)
	case len(m.Files) != len(in.files):
		return m, fmt.Errorf("its manifest names %d files, and it has %d", len(m.Files), len(in.files))
	}
	for i, f := range in.files {
		if m.Files[i] != f {
			return m, fmt.Errorf("%s is not what the manifest says", f.Name)
		}
	}
	if _, err := in.archive.Next(); err != io.EOF {
		return m, errors.New("it goes on after its manifest")
	}
	// The checksum of the compression comes last.
	n, err := io.Copy(io.Discard, io.LimitReader(packed, maxPadding+1))
	switch {
	case err != nil:
		return m, fmt.Errorf("it is damaged at its end: %w", err)
	case n > maxPadding:
		return m, errors.New("it goes on after its end")
	}
	return m, nil
}

func bytesOf(b []byte) io.Reader { return bytes.NewReader(b) }
