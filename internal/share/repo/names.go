package repo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"recollect/internal/system/regular"
)

// Bounds of the search of a checkout for names.
const (
	maxEntries  = 20_000    // files and folders that are looked at
	maxSource   = 512 << 10 // bytes of a file that is read
	maxSearched = 64 << 20  // bytes in all
	maxSearch   = 3 * time.Second
)

// notSource are folders that hold what others wrote or a build made.
var notSource = map[string]bool{
	"node_modules": true, "vendor": true, "target": true, "dist": true, "build": true, "out": true, "venv": true, "env": true, "__pycache__": true, "third_party": true,
}

// prose are the endings of files that speak of code without having it.
var prose = []string{".md", ".txt", ".rst", ".adoc"}

// checkNames sets which names in the files are gone: paths, symbols and commits that were
// there when they were shared. What is not known to be gone is not.
func checkNames(root string, files []File) {
	wanted := map[string]bool{}
	for i := range files {
		for _, s := range files[i].Shared.Symbols {
			wanted[s] = true
		}
	}
	r, err := os.OpenRoot(root)
	if err != nil || sparse(root) {
		return
	}
	defer r.Close()
	found, whole := searchSymbols(r, wanted)
	objects := openObjects(root)
	for i := range files {
		f := &files[i]
		if f.Err != nil {
			continue
		}
		for _, name := range f.Shared.Files {
			if _, err := r.Lstat(filepath.FromSlash(name)); errors.Is(err, fs.ErrNotExist) {
				addOnce(&f.Gone, name)
			}
		}
		for _, name := range f.Shared.Symbols {
			if whole && !found[name] {
				addOnce(&f.Gone, name)
			}
		}
		for _, name := range f.Shared.Commits {
			if objects.lacks(name) {
				addOnce(&f.Gone, name)
			}
		}
	}
}

// sparse reports whether a checkout may have a part of the files of its commit only.
func sparse(root string) bool {
	_, err := os.Lstat(filepath.Join(root, ".git", "info", "sparse-checkout"))
	return err == nil
}

// walk calls read with the content of the files of a checkout, until it returns false. It
// reports whether it has seen all of them.
func walk(r *os.Root, read func(name string, b []byte) bool) (whole bool) {
	whole = true
	entries, size, end := 0, 0, time.Now().Add(maxSearch)
	err := fs.WalkDir(r.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			whole = false
			return nil
		}
		if entries++; entries > maxEntries || size > maxSearched || time.Now().After(end) {
			whole = false
			return fs.SkipAll
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || notSource[d.Name()]) {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		fi, err := d.Info()
		if err != nil || fi.Size() > maxSource {
			whole = false
			return nil
		}
		b, err := readSource(r, name)
		if whole = whole && err == nil; err != nil || bytes.IndexByte(b[:min(len(b), 1<<10)], 0) >= 0 {
			return nil
		}
		if size += len(b); !read(name, b) {
			return fs.SkipAll
		}
		return nil
	})
	return whole && err == nil
}

// readSource reads a file of a checkout, in whose place there may be a pipe by now.
func readSource(r *os.Root, name string) ([]byte, error) {
	f, err := regular.OpenIn(r, filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return regular.ReadAll(f, maxSource)
}

func isOutsideSymbol(c rune) bool {
	return !strings.ContainsRune("_$", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}

// searchSymbols returns which of the symbols some code of a checkout has, and whether all
// of it was read.
func searchSymbols(r *os.Root, wanted map[string]bool) (found map[string]bool, whole bool) {
	found = map[string]bool{}
	if len(wanted) == 0 {
		return found, true
	}
	whole = walk(r, func(name string, b []byte) bool {
		if slices.Contains(prose, strings.ToLower(path.Ext(name))) {
			return true
		}
		for word := range bytes.FieldsFuncSeq(b, isOutsideSymbol) {
			if wanted[string(word)] {
				found[string(word)] = true
			}
		}
		return len(found) < len(wanted)
	})
	return found, whole || len(found) == len(wanted)
}

var (
	pathLike   = regexp.MustCompile(`(?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,7}\b|(?:[\w.@-]+/)+[\w.@-]+`)
	symbolLike = regexp.MustCompile("`?[A-Za-z_$][\\w$.]*(?:\\(\\))?`?")
	commitLike = regexp.MustCompile(`(?i:\bcommits? +)` + "`?" + `([0-9a-f]{7,40})\b`)
	camel      = regexp.MustCompile(`[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]`)
)

// name finds the paths, symbols and commits that a memory names and that are in its
// repository, so that a reader can tell what has gone since.
func (s *Shared) name(root string, files []string) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return
	}
	defer r.Close()
	text := s.everything()
	for _, name := range append(slices.Clone(files), pathLike.FindAllString(text, -1)...) {
		name = strings.TrimPrefix(strings.TrimRight(filepath.ToSlash(name), "."), "./")
		if !localPath(name) || strings.HasPrefix(name, Folder+"/") {
			continue
		}
		if _, err := r.Lstat(filepath.FromSlash(name)); err == nil {
			addOnce(&s.Files, name)
		}
	}
	wanted := map[string]bool{}
	var order []string
	for _, word := range symbolLike.FindAllString(text, -1) {
		quoted := strings.HasPrefix(word, "`") && strings.HasSuffix(word, "`")
		word = strings.Trim(word, "`")
		bare := strings.Trim(strings.TrimSuffix(word, "()"), ".")
		bare = bare[strings.LastIndexByte(bare, '.')+1:]
		called := bare != word && strings.HasSuffix(word, "()")
		marked := quoted || called || camel.MatchString(bare)
		isSymbol := marked && len(bare) > 3 && symbols.MatchString(bare)
		if isSymbol && !wanted[bare] && len(order) < 4*maxNames {
			wanted[bare] = true
			order = append(order, bare)
		}
	}
	found, _ := searchSymbols(r, wanted)
	for _, word := range order {
		if found[word] {
			addOnce(&s.Symbols, word)
		}
	}
	objects := openObjects(root)
	for _, m := range commitLike.FindAllStringSubmatch(text, -1) {
		if objects.has(m[1]) {
			addOnce(&s.Commits, m[1])
		}
	}
}
