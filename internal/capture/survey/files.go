package survey

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"recollect/internal/memory/clean"
	"recollect/internal/system/regular"
	"recollect/internal/text/prose"
)

// manifests are the files that say what a project is, the most informative first,
// and what is read from them. Names are compared without regard to case.
var manifests = []struct {
	name string
	read func(*facts, folder, string)
}{
	{"go.mod", goModule},
	{"cargo.toml", cargo},
	{"package.json", nodePackage},
	{"pyproject.toml", pyproject},
	{"setup.cfg", setupConfig},
	{"setup.py", setupScript},
	{"requirements.txt", requirements},
	{"pom.xml", maven},
	{"build.gradle", gradle},
	{"build.gradle.kts", gradle},
	{"composer.json", composer},
	{"gemfile", gemfile},
	{"cmakelists.txt", cmake},
	{"makefile", makefile},
	{"gnumakefile", makefile},
	{"justfile", justfile},
	{"taskfile.yml", taskfile},
	{"taskfile.yaml", taskfile},
	{"tox.ini", toxFile},
	{"noxfile.py", noxFile},
	{"dockerfile", dockerfile},
}

// A folder is a project's root, which nothing outside of it can be read
// through.
type folder struct {
	*os.Root
	names []string // of its regular files and links, sorted
}

// readFacts gathers what the files in root say.
func readFacts(root string) (*facts, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	dir := folder{Root: r}
	f := &facts{}
	extensions := map[string]int{}
	dirs := dir.listFiles(".", &dir.names, extensions)
	for _, m := range manifests {
		if name, ok := dir.hasFile(m.name); ok {
			f.takeFile(dir, name, m.read)
		}
	}
	for _, name := range dir.names {
		if strings.EqualFold(path.Ext(name), ".csproj") && nameOnly(name) != "" {
			f.takeFile(dir, name, dotnet)
		}
	}
	f.executables(dir)
	f.scanFolder(dir, dirs, extensions)
	if name := dir.readme(); name != "" && (len(f.from)+len(f.languages) > 0 || len(f.parts) > 0) {
		f.takeFile(dir, name, readme)
	}
	return f, nil
}

// takeFile reads a file and records that it said something.
func (f *facts) takeFile(dir folder, name string, read func(*facts, folder, string)) {
	if text := dir.text(name); text != "" {
		read(f, dir, text)
		f.from = append(f.from, name)
	}
}

// scanFolder finds the languages and the parts of a project in its sub-folders.
func (f *facts) scanFolder(dir folder, dirs []string, extensions map[string]int) {
	room := maxEntries
	for _, sub := range dirs {
		if room <= 0 {
			break
		}
		var names []string
		dir.listFiles(sub, &names, extensions)
		room -= len(names)
		for _, m := range manifests {
			if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, m.name) }); i >= 0 && !isBuildFile(m.name) && nameOnly(sub) != "" {
				f.parts = append(f.parts, sub+" ("+names[i]+")")
				break
			}
		}
	}
	for _, language := range byCount(extensions) {
		prose.AddOnce(&f.languages, language)
	}
}

// isBuildFile reports whether a file does not make its folder a project.
func isBuildFile(name string) bool {
	switch name {
	case "makefile", "gnumakefile", "justfile", "tox.ini", "noxfile.py", "dockerfile", "requirements.txt", "cmakelists.txt":
		return true
	}
	return strings.HasPrefix(name, "taskfile.")
}

// listFiles adds the files of a folder to names, counts their extensions, and
// returns the folders in it that may hold source text, all sorted.
func (d folder) listFiles(name string, names *[]string, extensions map[string]int) []string {
	f, err := d.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(10 * maxEntries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	var dirs []string
	for _, e := range entries[:min(len(entries), maxEntries)] {
		switch {
		case e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !notSource[e.Name()]:
			dirs = append(dirs, e.Name())
		case !e.IsDir():
			*names = append(*names, e.Name())
			if language := languages[strings.ToLower(path.Ext(e.Name()))]; language != "" {
				extensions[language]++
			}
		}
	}
	return dirs
}

// notSource are folders that hold what others wrote or a build made.
var notSource = map[string]bool{
	"node_modules": true, "vendor": true, "target": true, "dist": true, "build": true, "out": true, "venv": true, "env": true, "__pycache__": true, "third_party": true,
}

// languages are those of source files by extension.
var languages = map[string]string{
	".go": "Go", ".rs": "Rust", ".py": "Python", ".ts": "TypeScript", ".tsx": "TypeScript", ".js": "JavaScript", ".jsx": "JavaScript", ".mjs": "JavaScript",
	".java": "Java", ".kt": "Kotlin", ".scala": "Scala", ".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++", ".hpp": "C++", ".cs": "C#", ".fs": "F#", ".rb": "Ruby", ".php": "PHP",
	".swift": "Swift", ".dart": "Dart", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang", ".hs": "Haskell", ".clj": "Clojure", ".lua": "Lua", ".r": "R", ".jl": "Julia",
	".zig": "Zig", ".vue": "Vue", ".svelte": "Svelte", ".sh": "Shell", ".sql": "SQL", ".tf": "Terraform",
}

// byCount lists the keys of count that occur more than once, those first that
// occur most.
func byCount(count map[string]int) []string {
	var out []string
	for name, n := range count {
		if n > 1 {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	return out
}

// hasFile returns the name that a file of the root has, in whatever case.
func (d folder) hasFile(name string) (string, bool) {
	i := slices.IndexFunc(d.names, func(n string) bool { return strings.EqualFold(n, name) })
	if i < 0 {
		return "", false
	}
	return d.names[i], true
}

func (d folder) readme() string {
	for _, name := range []string{"README.md", "README", "README.rst", "README.txt", "README.adoc"} {
		if found, ok := d.hasFile(name); ok {
			return found
		}
	}
	return ""
}

// text returns the beginning of a regular file of the root, cleaned, or "" for
// what cannot be read or is no text.
func (d folder) text(name string) string {
	f, err := regular.OpenIn(d.Root, name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil || bytes.IndexByte(b, 0) >= 0 {
		return ""
	}
	return prose.Squeeze(clean.Text(string(b)))
}
