package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/tidwall/sjson"
)

// shared are the files and folders of the repository that all forms of the plugin contain.
var shared = []string{"skills", "synonyms", "config.toml", "synonyms.toml", "LICENSE", "NOTICE"}

// Folders of the executables. In the repository it is bin. If npm installs them, and on Windows, the
// manifest, the hooks and the skills name another one.
const (
	inBin      = "${CLAUDE_PLUGIN_ROOT}/bin/"
	installed  = "${CLAUDE_PLUGIN_ROOT}/node_modules/.bin/"
	skillsRoot = "skills/"
)

var (
	//go:embed files/ensure
	ensure []byte
	//go:embed files/ensure.cmd
	ensureWindows []byte
	//go:embed files/launch
	launch []byte
	//go:embed files/install.sh
	install []byte
)

// plugin returns the files of the plugin. executables is the folder of the executables, such as inBin.
func (r *release) plugin(executables, exe string) ([]file, error) {
	var out []file
	for _, name := range append([]string{".claude-plugin/plugin.json", ".claude-plugin/icon.png", "hooks/hooks.json"}, shared...) {
		files, err := r.fromSources(name)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	for i, f := range out {
		switch {
		case strings.HasSuffix(f.name, ".json"):
			for _, name := range []string{"recollect", "recollect-hook"} {
				f.content = bytes.ReplaceAll(f.content, []byte(inBin+name+`"`), []byte(executables+name+exe+`"`))
			}
		case strings.HasPrefix(f.name, skillsRoot):
			f.content = bytes.ReplaceAll(f.content, []byte(inBin+"recollect "), []byte(executables+"recollect"+exe+" "))
		}
		out[i] = f
	}
	return out, nil
}

// fromSources returns a file of the repository, or the files of a folder.
func (r *release) fromSources(name string) ([]file, error) {
	at := filepath.Join(r.root, filepath.FromSlash(name))
	if fi, err := os.Stat(at); err != nil || fi.IsDir() {
		files, treeErr := tree(at, name)
		if err != nil {
			treeErr = err
		}
		return files, treeErr
	}
	b, err := os.ReadFile(at)
	return []file{{name: name, content: b}}, err
}

// An entry is a plugin in a marketplace.
type entry struct {
	Name        string `json:"name"`
	Source      any    `json:"source"`
	Description string `json:"description"`
	Category    string `json:"category"`
	Version     string `json:"version"`
}

func (r *release) entry(name string, source any, description string) entry {
	return entry{Name: name, Source: source, Description: description, Category: "productivity", Version: r.version}
}

// marketplaceFile returns a marketplace.json with these entries.
func (r *release) marketplaceFile(entries []entry) ([]byte, error) {
	return indented(map[string]any{
		"name": "recollect", "owner": map[string]string{"name": "The recollect authors"},
		"metadata": map[string]string{"description": "recollect " + r.version + ": a memory for Claude Code."}, "plugins": entries,
	})
}

// marketplace writes the content of the repository that users add. Its plugins contain no executables:
// Claude Code makes npm install the package for the platform, which the plugin's lock file names with its
// digest.
func (r *release) marketplace(packages []npmPackage) error {
	entries := []entry{r.entry("recollect", "./recollect", "Gives Claude a memory: when a prompt is sent, injects what past sessions taught about it. Fully local. For Linux and macOS.")}
	plugins := map[string][]npmPackage{"recollect": nil}
	for _, p := range packages {
		name := "recollect"
		if p.platform.os == "windows" {
			name += "-" + p.platform.String()
			entries = append(entries, r.entry(name, "./"+name, "The same for Windows on "+p.platform.arch+"."))
		}
		plugins[name] = append(plugins[name], p)
	}
	list, err := r.marketplaceFile(entries)
	if err != nil {
		return err
	}
	files := []file{{name: ".claude-plugin/marketplace.json", content: list}}
	for name, of := range plugins {
		own, err := r.installedPlugin(of)
		if err != nil {
			return err
		}
		for _, f := range own {
			f.name = path.Join(name, f.name)
			files = append(files, f)
		}
	}
	for _, name := range []string{"README.md", "LICENSE", "NOTICE", "SECURITY.md", "docs"} {
		own, err := r.fromSources(name)
		if err != nil {
			return err
		}
		files = append(files, own...)
	}
	return writeFiles(filepath.Join(r.dir, "marketplace"), files)
}

func writeFiles(dir string, files []file) error {
	for _, f := range files {
		if err := write(filepath.Join(dir, filepath.FromSlash(f.name)), f.content, f.mode()); err != nil {
			return err
		}
	}
	return nil
}

// installedPlugin returns the files of the plugin whose executables npm installs.
func (r *release) installedPlugin(packages []npmPackage) ([]file, error) {
	executables, exe := installed, ""
	windows := len(packages) > 0 && packages[0].platform.os == "windows"
	if windows { // there the links in .bin are scripts, which cannot be started like programs
		executables, exe = "${CLAUDE_PLUGIN_ROOT}/node_modules/"+r.names.npmPackage(packages[0].platform)+"/bin/", ".exe"
	}
	files, err := r.plugin(executables, exe)
	if err != nil {
		return nil, err
	}
	dependencies, locked := map[string]string{}, map[string]any{}
	for _, p := range packages {
		name := r.names.npmPackage(p.platform)
		dependencies[name] = r.version
		locked["node_modules/"+name] = map[string]any{
			"version": r.version, "integrity": p.integrity, "optional": true, "license": "Apache-2.0",
			"os": []string{p.platform.npmOS()}, "cpu": []string{p.platform.npmCPU()},
			"bin": inPackage(p.platform),
		}
	}
	manifest := map[string]any{"name": "recollect-plugin", "version": r.version, "private": true, "license": "Apache-2.0", "optionalDependencies": dependencies}
	locked[""] = map[string]any{"name": "recollect-plugin", "version": r.version, "license": "Apache-2.0", "optionalDependencies": dependencies}
	lock := map[string]any{"name": "recollect-plugin", "version": r.version, "lockfileVersion": 3, "requires": true, "packages": locked}
	for name, v := range map[string]any{"package.json": manifest, "package-lock.json": lock} {
		b, err := indented(v)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, content: b})
	}
	if windows {
		program := strings.TrimPrefix(executables, "${CLAUDE_PLUGIN_ROOT}/") + "recollect-hook.exe"
		script := strings.NewReplacer("@PROGRAM@", strings.ReplaceAll(program, "/", `\`), "\n", "\r\n").Replace(string(r.filledIn(ensureWindows, packages)))
		files = append(files, file{name: "scripts/ensure.cmd", content: []byte(script)})
		return files, ensured(files, "cmd", "/d", "/c", `${CLAUDE_PLUGIN_ROOT}\scripts\ensure.cmd`)
	}
	files = append(files,
		file{name: "bin/recollect", content: launch, executable: true},
		file{name: "scripts/ensure", content: r.filledIn(ensure, packages), executable: true})
	return files, ensured(files, "sh", "${CLAUDE_PLUGIN_ROOT}/scripts/ensure")
}

// ensured makes the hooks run a command at the start of a session.
func ensured(files []file, command string, args ...string) error {
	handler, err := json.Marshal(map[string]any{"type": "command", "command": command, "args": args, "timeout": 5})
	if err != nil {
		return err
	}
	for i, f := range files {
		if f.name == "hooks/hooks.json" {
			files[i].content, err = sjson.SetRawBytes(f.content, "hooks.SessionStart.0.hooks.-1", handler)
			return err
		}
	}
	return fmt.Errorf("hooks.json is missing")
}

// filledIn replaces the placeholders in a script by the names, the version and the digests of this
// release.
func (r *release) filledIn(script []byte, packages []npmPackage) []byte {
	var sums []string
	for _, p := range packages {
		sums = append(sums, p.platform.npm()+" "+p.sum)
	}
	return []byte(strings.NewReplacer(
		"@VERSION@", r.version, "@SCOPE@", r.names.Scope, "@DOWNLOAD@", r.names.downloads(r.version),
		"@PREFIX@", strings.TrimPrefix(r.names.Scope, "@"), "@SUMS@", strings.Join(sums, "\n"),
	).Replace(string(script)))
}

// archives writes the plugin with its executables for each platform, which needs no npm, and a
// marketplace of these. That is a separate file, because older clients refuse a marketplace with entries
// of this kind.
func (r *release) archives(work string, chosen []platform) error {
	var entries []entry
	for _, p := range chosen {
		files, err := r.plugin(inBin, p.exe())
		if err != nil {
			return err
		}
		built, err := tree(filepath.Join(work, p.String()), "")
		if err != nil {
			return err
		}
		// The unpacked folder can itself be added as a marketplace.
		list, err := r.marketplaceFile([]entry{r.entry("recollect", "./", "Gives Claude a memory. For "+p.os+" on "+p.arch+".")})
		if err != nil {
			return err
		}
		files = append(append(files, built...), file{name: ".claude-plugin/marketplace.json", content: list})
		packed, err := zipped(files)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("recollect-%s-%s.zip", r.version, p)
		if err := write(filepath.Join(r.dir, "archives", name), packed, 0o644); err != nil {
			return err
		}
		source := map[string]string{"source": "archive", "url": r.names.downloads(r.version) + "/" + name, "sha256": digest(packed)}
		entries = append(entries, r.entry("recollect-"+p.String(), source, "Gives Claude a memory. For "+p.os+" on "+p.arch+", without npm."))
	}
	if r.names.Download == "" {
		return nil // there is no address to download them from
	}
	list, err := r.marketplaceFile(entries)
	if err != nil {
		return err
	}
	return write(filepath.Join(r.dir, "archives", "marketplace.json"), list, 0o644)
}
