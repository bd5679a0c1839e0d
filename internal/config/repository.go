package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"recollect/internal/memory"
	"recollect/internal/system/nesting"
	"recollect/internal/system/regular"
)

// repositoryFile is the name of the file by which a repository restricts what recollect does in it.
// Anybody may have written it, so it can restrict, but not permit.
const repositoryFile = ".recollect.toml"

const (
	maxRepositoryFile = 4 << 10 // bytes
	maxRepositories   = 1000    // number of files whose content is held
	maxRepositoryGlob = 200     // number of globs in one file
)

// A Narrowing holds the restrictions in the files of a repository.
type Narrowing struct {
	NoCapture bool     // nothing is learned there
	NoRecall  bool     // nothing is injected there
	NoTeam    bool     // the files in .recollect/ are not read
	Ignore    []string // further globs for capture.ignore, without exceptions
}

// flat is the form of such a file. Deeper nesting is rejected before decoding: no setting needs it, and a
// few kilobytes of braces cost a decoder seconds, and gigabytes of memory.
var flat = nesting.Limit{Names: 2, Values: 2}

// Repositories reads the files of repositories, and reads one again when it has changed. Its zero value
// is ready for use, and safe for concurrent use. Asking about one file does not wait for another.
type Repositories struct {
	mu    sync.Mutex
	files map[string]*narrowed // by path
}

// A narrowed holds the restrictions in one file, and the errors for settings that were refused.
type narrowed struct {
	stamp stamp
	is    Narrowing
	err   []error
}

// At returns the restrictions from the files in a folder and above it, up to the root of its repository
// or the user's own folder. The errors name refused settings in files that were read just now.
func (r *Repositories) At(cwd string) (all Narrowing, refused []error) {
	if !filepath.IsAbs(cwd) {
		return Narrowing{}, nil
	}
	for _, file := range repositoryFiles(filepath.Clean(cwd)) {
		f, fresh := r.read(file)
		if f == nil {
			continue
		}
		all.NoCapture, all.NoRecall = all.NoCapture || f.is.NoCapture, all.NoRecall || f.is.NoRecall
		all.NoTeam = all.NoTeam || f.is.NoTeam
		all.Ignore = append(all.Ignore, f.is.Ignore...)
		if fresh {
			refused = append(refused, f.err...)
		}
	}
	return all, refused
}

// Refused returns the refused settings in all files that were read, in the order of their paths.
func (r *Repositories) Refused() []error {
	r.mu.Lock()
	read := maps.Clone(r.files)
	r.mu.Unlock()
	var all []error
	for _, path := range slices.Sorted(maps.Keys(read)) {
		if _, err := os.Lstat(path); err != nil {
			continue // it has been removed meanwhile
		}
		all = append(all, read[path].err...)
	}
	return all
}

// repositoryFiles lists the paths of the files that apply to a folder: those in it and above it up to the
// top of its git work tree, and the one in the main work tree of the repository. If git sees no work
// tree, the first folder with any kind of .git is the top, as in a repository yet to be made. Outside a
// repository and the user's own folder only the file in dir counts, because anybody might have put one
// above.
func repositoryFiles(dir string) []string {
	dir = memory.Follow(dir)
	top, main := memory.WorkTree(dir)
	if top == "" {
		top = firstGit(dir)
		main = top
	}
	home, err := os.UserHomeDir()
	if err == nil {
		home = memory.Follow(home)
	}
	var files []string
	for d := dir; ; d = filepath.Dir(d) {
		files = append(files, filepath.Join(d, repositoryFile))
		switch {
		case d == top && main != top:
			return append(files, filepath.Join(main, repositoryFile))
		case d == top, d == home:
			return files
		case filepath.Dir(d) == d:
			return files[:1]
		}
	}
}

// firstGit returns the first folder from dir upwards that has an entry called .git, or "".
func firstGit(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return ""
		}
	}
}

// read returns the file at path, nil if there is none, and whether it was read just now. It holds no lock
// while reading.
func (r *Repositories) read(path string) (f *narrowed, fresh bool) {
	fi, err := os.Lstat(path)
	if err != nil {
		r.forget(path)
		return nil, false
	}
	now := stamp{fi.ModTime(), fi.Size()}
	if f := r.known(path, now); f != nil {
		return f, false
	}
	f = &narrowed{stamp: now}
	if fi.Mode().IsRegular() {
		f.parse(path)
	} else {
		f.unreadable(Problem{File: path, Rule: "is not a file"})
	}
	return r.hold(path, f)
}

func (r *Repositories) forget(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.files, path)
}

// known returns the stored content of a file that has not changed, or nil.
func (r *Repositories) known(path string, now stamp) *narrowed {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.files[path]; f != nil && f.stamp == now {
		return f
	}
	return nil
}

// hold stores the content of a file, unless another goroutine has stored the same meanwhile.
func (r *Repositories) hold(path string, f *narrowed) (held *narrowed, fresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.files[path]; old != nil && old.stamp == f.stamp {
		return old, false
	}
	if r.files == nil || len(r.files) >= maxRepositories {
		r.files = map[string]*narrowed{}
	}
	r.files[path] = f
	return f, true
}

// unreadable records that a file cannot be understood. Its author wanted to restrict something, so it
// counts as "off = true".
func (f *narrowed) unreadable(p Problem) {
	p.Rule += "; until that is mended, nothing is injected or learned here"
	f.is = Narrowing{NoCapture: true, NoRecall: true}
	f.err = append(f.err, p)
}

func (f *narrowed) parse(path string) {
	b, err := regular.Read(path, maxRepositoryFile)
	if err != nil {
		f.unreadable(Problem{File: path, Rule: "cannot be read: " + strings.ReplaceAll(err.Error(), path+": ", "")})
		return
	}
	text := strings.TrimPrefix(string(b), "\ufeff")
	if line := nesting.TooDeep(text, flat); line > 0 {
		f.unreadable(Problem{File: path, Line: line, Rule: "has tables in tables, which are not decoded"})
		return
	}
	var tree map[string]any
	meta, err := toml.Decode(text, &tree)
	if err != nil {
		at := Problem{File: path, Rule: "is not TOML"} // without the parser's words, which quote the file
		if p, ok := errors.AsType[Problem](tomlProblem(path, err)); ok {
			at.Line = p.Line
		}
		f.unreadable(at)
		return
	}
	seen := map[string]bool{}
	for _, key := range meta.Keys() {
		if name := key[0]; !seen[name] {
			seen[name] = true
			f.set(Problem{File: path, Line: lineOf(text, name), Key: shortened(name)}, name, tree[name])
		}
	}
}

// set applies one key. It refuses permissions. A value that cannot be understood restricts as much as its
// key can.
func (f *narrowed) set(at Problem, name string, value any) {
	refuse := func(rule string) {
		at.Rule = rule
		f.err = append(f.err, at)
	}
	on, isBool := value.(bool)
	switch name {
	case "off":
		off := on || !isBool
		f.is.NoCapture, f.is.NoRecall = f.is.NoCapture || off, f.is.NoRecall || off
		if !on {
			refuse("can only be true: a repository switches nothing on")
		}
	case "capture":
		if f.is.NoCapture = f.is.NoCapture || !on; !isBool || on {
			refuse("can only be false: a repository switches nothing on")
		}
	case "recall":
		if f.is.NoRecall = f.is.NoRecall || !on; !isBool || on {
			refuse("can only be false: a repository switches nothing on")
		}
	case "team":
		if f.is.NoTeam = f.is.NoTeam || !on; !isBool || on {
			refuse("can only be false: a repository switches nothing on")
		}
	case "ignore":
		globs, rule := narrowingGlobs(value)
		f.is.Ignore = globs
		if rule != "" {
			refuse(rule)
		}
		f.is.NoCapture = f.is.NoCapture || rule == notGlobs
	default:
		refuse("is not a setting of a repository, which are off, capture, recall, team and ignore")
	}
}

const notGlobs = "must be a list of globs such as *.pem; until it is, nothing is learned here"

// narrowingGlobs returns the globs in a value, and the rule that it breaks, or "".
func narrowingGlobs(value any) (globs []string, rule string) {
	var all []string
	if assignList(&all, value) != "" || len(all) > maxRepositoryGlob {
		return nil, notGlobs
	}
	for _, glob := range all {
		_, err := path.Match(glob, "")
		switch {
		case strings.HasPrefix(glob, "!"):
			rule = fmt.Sprintf("has %s, which is refused: a repository makes no exceptions", shortened(glob))
		case err != nil, strings.Trim(glob, "/") == "":
			return nil, notGlobs
		default:
			globs = append(globs, glob)
		}
	}
	return globs, rule
}

// shortened quotes a foreign text for a message, cut to a few words.
func shortened(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
