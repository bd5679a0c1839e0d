package repo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"recollect/internal/memory"
	"recollect/internal/system/regular"
)

// A File is a file in a team's folder, with its content or the reason why it is left out.
type File struct {
	Name   string
	Digest string // of its content, "" if it was not read
	Shared Shared
	Gone   []string // names in it that no longer exist
	Err    error    // why it is left out
	ID     string   // of its memory, set by the caller
	Words  string   // of its memory, set by the caller
}

// ErrNotFolder means that something else has the name of the folder.
var ErrNotFolder = errors.New("is not a folder of the repository, so nothing in it is read")

// ErrSame means that another file has the same words.
var ErrSame = errors.New("says the same as another")

// ignored are files in the folder that have no memory.
var ignored = []string{"README.md", ".gitignore", ".gitattributes", ".gitkeep"}

// Stamp returns a text that changes whenever the commit of a repository or the files in its
// folder change; "" if there is no folder. It does not open the files.
func Stamp(root string) string {
	entries, more, err := listFolder(root)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	var b strings.Builder
	fmt.Fprintln(&b, memory.Project{Path: root}.LastStep(), more, err)
	for _, e := range entries {
		if fi, err := e.Info(); err == nil {
			fmt.Fprintln(&b, e.Name(), fi.Size(), fi.ModTime().UnixNano(), fi.Mode())
		}
	}
	return b.String()
}

// listFolder returns the first MaxFiles entries in the folder of a repository, by name. more
// reports whether there are others.
func listFolder(root string) (entries []fs.DirEntry, more bool, err error) {
	dir := filepath.Join(root, Folder)
	fi, err := os.Lstat(dir)
	if err != nil {
		return nil, false, err
	}
	if !fi.IsDir() {
		return nil, false, ErrNotFolder
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	all, err := f.ReadDir(10 * MaxFiles)
	if err != nil && len(all) == 0 && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	all = slices.DeleteFunc(all, func(e fs.DirEntry) bool { return slices.Contains(ignored, e.Name()) })
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all[:min(len(all), MaxFiles)], len(all) > MaxFiles, nil
}

// Read reads the files in the folder of a repository. A file that must not be injected has
// an Err. If there are too many files, Read returns the first ones and an error.
func Read(root string, now time.Time) ([]File, error) {
	entries, more, err := listFolder(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var files []File
	for _, e := range entries {
		files = append(files, readFile(r, e.Name(), now))
	}
	leaveOutCopies(files)
	checkNames(root, files)
	if more {
		err = fmt.Errorf("has more than %d files, of which the others are left out", MaxFiles)
	}
	return files, err
}

func readFile(r *os.Root, name string, now time.Time) File {
	f := File{Name: name}
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		f.Name, f.Err = strconv.Quote(name), errors.New("has a name that would not stay on its line")
		return f
	}
	b, err := readContent(r, path.Join(Folder, name))
	if f.Err = err; err != nil {
		return f
	}
	f.Digest = digest(b)
	f.Shared, f.Err = Parse(name, b, now)
	return f
}

// Digest returns the checksum of a file in the folder of a repository.
func Digest(root, name string) (string, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := readContent(r, path.Join(Folder, name))
	return digest(b), err
}

// readContent reads a file. It follows no link, even within the root.
func readContent(r *os.Root, name string) ([]byte, error) {
	fi, err := r.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, errors.New("cannot be read")
	case fi.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New("is a link")
	case fi.IsDir():
		return nil, errors.New("is a folder")
	case !fi.Mode().IsRegular():
		return nil, errors.New("is not a file")
	case path.Ext(name) != ".md":
		return nil, errors.New("does not end in .md")
	}
	f, err := regular.OpenIn(r, name)
	if err != nil {
		return nil, errors.New("cannot be read")
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(fi, now) { // it may have been replaced by a link
		return nil, errors.New("has changed while it was read")
	}
	return regular.ReadAll(f, maxFile)
}

// leaveOutCopies leaves out files with the same words as an older one.
func leaveOutCopies(files []File) {
	first := map[string]int{}
	for i := range files {
		f := &files[i]
		if f.Err != nil {
			continue
		}
		key := strings.ToLower(strings.Join(append([]string{f.Shared.Kind}, strings.Fields(f.Shared.Title+" "+f.Shared.Text)...), " "))
		for _, field := range fields {
			key += "\x00" + f.Shared.Fields[field]
		}
		before, ok := first[key]
		if !ok {
			first[key] = i
			continue
		}
		if f.Shared.Date.Before(files[before].Shared.Date) {
			f, first[key] = &files[before], i
			before = i
		}
		f.Err = fmt.Errorf("%w, %s", ErrSame, files[before].Name)
	}
}
