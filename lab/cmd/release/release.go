package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect"
)

// A release builds a release in a folder.
type release struct {
	root    string // folder of the sources
	dir     string
	version string
	names   names
}

func newRelease(dir string) (*release, error) {
	n, err := readNames()
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(root, ".claude-plugin")); err != nil {
		return nil, fmt.Errorf("run in the repository: %w", err)
	}
	dir, err = filepath.Abs(dir)
	return &release{root: root, dir: dir, version: recollect.Version(), names: n}, err
}

// make makes the release for some platforms. Its marketplace contains only these, with their digests.
func (r *release) make(ctx context.Context, chosen []platform) error {
	work, err := os.MkdirTemp("", "recollect-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	packages, err := r.pack(ctx, work, chosen)
	if err != nil {
		return err
	}
	if err := r.marketplace(packages); err != nil {
		return fmt.Errorf("make marketplace: %w", err)
	}
	if err := r.archives(work, chosen); err != nil {
		return fmt.Errorf("make archives: %w", err)
	}
	if err := write(filepath.Join(r.dir, "install.sh"), r.filledIn(install, packages), 0o755); err != nil {
		return err
	}
	if err := r.billOfMaterials(work, chosen); err != nil {
		return fmt.Errorf("make list of what is linked: %w", err)
	}
	if err := r.checksums(); err != nil {
		return err
	}
	fmt.Printf("release: %s is in %s\n", r.version, r.dir)
	return nil
}

// checksums writes the checksums of all files to SHA256SUMS.
func (r *release) checksums() error {
	var lines []string
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(r.dir, path)
		lines = append(lines, fmt.Sprintf("%s  %s\n", digest(b), filepath.ToSlash(name)))
		return err
	})
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	return errors.Join(err, write(filepath.Join(r.dir, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644))
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// write writes a file and makes its folder if necessary.
func write(path string, b []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b, mode)
}
