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

// Limits of a search of a checkout for names.
const (
	maxEntries  = 20_000    // files and folders
	maxSource   = 512 << 10 // bytes of a file
	maxSearched = 64 << 20  // bytes of all files
	maxSearch   = 3 * time.Second
)

// notSource are folders with dependencies or the results of builds.
var notSource = map[string]bool{
	"node_modules": true, "vendor": true, "target": true, "dist": true, "build": true, "out": true, "venv": true, "env": true, "__pycache__": true, "third_party": true,
}

// prose are the extensions of files that mention code but contain none.
var prose = []string{".md", ".txt", ".rst", ".adoc"}

// checkNames sets Gone of the files: the paths, symbols and commits in them that certainly
// no longer exist.
func checkNames(root string, files []File) {
	wanted := map[string]bool{}
	for i := range files {
		for _, s := range files[i].Shared.Symbols {
			wanted[s] = true
		}
	}
	r, err := os.OpenRoot(root)
	if err != nil || isSparse(root) {
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

// isSparse reports whether a checkout may lack files of its commit.
func isSparse(root string) bool {
	_, err := os.Lstat(filepath.Join(root, ".git", "info", "sparse-checkout"))
	return err == nil
}

// walkSources calls read with the content of each file of a checkout, until read returns false. It
// reports whether all files could be read until then.
func walkSources(r *os.Root, read func(name string, b []byte) bool) (whole bool) {
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

// readSource reads a file of a checkout, which may have been replaced by a pipe.
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

// searchSymbols returns the wanted symbols that the code of a checkout contains. whole
// reports whether the others certainly do not occur.
func searchSymbols(r *os.Root, wanted map[string]bool) (found map[string]bool, whole bool) {
	found = map[string]bool{}
	if len(wanted) == 0 {
		return found, true
	}
	whole = walkSources(r, func(name string, b []byte) bool {
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

// findNames sets the Files, Symbols and Commits of s: those in its text that exist in the
// repository.
func (s *Shared) findNames(root string, files []string) {
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
