package machines

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

const (
	// top is the folder in a target that has the folders of the machines.
	top    = "recollect"
	ending = ".jsonl"
	// maxSegments is the most segments that a target may have.
	maxSegments = 100_000
)

// nameForm matches the name of a segment, a SHA-256.
var nameForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// A folder is a target on a disk, which other programs may synchronize. Links in it cannot lead out of
// it.
type folder struct{ root *os.Root }

func openFolder(dir string) (folder, error) {
	root, err := os.OpenRoot(dir)
	return folder{root}, err
}

func (f folder) list(ctx context.Context) ([]Segment, error) {
	var found []Segment
	for _, writer := range f.names(top) {
		if !writerForm.MatchString(writer) {
			continue
		}
		for _, name := range f.names(path.Join(top, writer)) {
			s := Segment{Writer: writer, Name: strings.TrimSuffix(name, ending)}
			if !nameForm.MatchString(s.Name) || s.file() != path.Join(top, writer, name) {
				continue // another file, or a segment that is still being written
			}
			fi, err := f.root.Stat(s.file())
			if err != nil || !fi.Mode().IsRegular() {
				continue
			}
			s.Size = fi.Size()
			if found = append(found, s); len(found) > maxSegments {
				return nil, fmt.Errorf("it has more than %d segments", maxSegments)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// names returns the sorted names of the files in a folder of the target, none if it cannot be read.
func (f folder) names(dir string) []string {
	entries, err := fs.ReadDir(f.root.FS(), dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (s Segment) file() string { return path.Join(top, s.Writer, s.Name+ending) }

func (f folder) read(_ context.Context, s Segment) ([]byte, error) {
	file, err := regular.OpenIn(f.root, s.file())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return regular.ReadAll(file, maxSegment)
}

func (f folder) write(_ context.Context, s Segment, content []byte) error {
	dir := path.Join(top, s.Writer)
	if err := f.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, name := range f.names(dir) {
		if strings.HasPrefix(name, durable.TempPrefix) { // from a sync of this machine that was killed
			if err := f.root.Remove(path.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	temp := path.Join(dir, durable.TempPrefix+s.Name)
	file, err := f.root.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = f.root.Rename(temp, s.file())
	}
	if err != nil {
		return errors.Join(err, f.root.Remove(temp))
	}
	return nil
}

func (f folder) remove(_ context.Context, s Segment) error {
	err := f.root.Remove(s.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
