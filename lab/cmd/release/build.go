package main

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// An npmPackage is a packed package of one platform.
type npmPackage struct {
	platform  platform
	integrity string // in the form of npm's lock file
	sum       string // SHA-256, in hexadecimal digits
}

// pack builds the executables of each platform in a folder of its name in work, and packs them for npm.
func (r *release) pack(ctx context.Context, work string, chosen []platform) ([]npmPackage, error) {
	manual := filepath.Join(work, "manual")
	// Compiled with the flags of the executables, so that both share the build cache.
	if err := r.command(ctx, []string{"CGO_ENABLED=0", goFlags}, "go", "run", "-tags", "manual", "./cmd/recollect", manual); err != nil {
		return nil, fmt.Errorf("write manual pages and completions: %w", err)
	}
	var out []npmPackage
	for _, p := range chosen {
		dir := filepath.Join(work, p.String())
		if err := r.build(ctx, p, dir); err != nil {
			return nil, fmt.Errorf("build %s: %w", p, err)
		}
		if err := os.CopyFS(dir, os.DirFS(manual)); err != nil {
			return nil, err
		}
		files, err := r.npmFiles(p, dir)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", p, err)
		}
		packed, err := tarball(files)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", p, err)
		}
		if err := write(filepath.Join(r.dir, "npm", r.names.tarball(p, r.version)), packed, 0o644); err != nil {
			return nil, err
		}
		sum := sha512.Sum512(packed)
		out = append(out, npmPackage{platform: p, integrity: "sha512-" + base64.StdEncoding.EncodeToString(sum[:]), sum: digest(packed)})
		fmt.Printf("release: %s, %.1f MiB\n", p, float64(len(packed))/(1<<20))
	}
	return out, nil
}

// executables are the executables in a platform's package, by the folder of their sources.
var executables = []struct{ name, sources string }{
	{"recollect", "./cmd/recollect"},
	{"recollect-hook", "./hooks/recollect-hook"},
	{"recollect-import", "./cmd/recollect-import"},
}

// inPackage returns the paths of the executables in a platform's package, by their names.
func inPackage(p platform) map[string]string {
	at := map[string]string{}
	for _, e := range executables {
		at[e.name] = "bin/" + e.name + p.exe()
	}
	return at
}

// build builds the executables of a platform, and collects the licences of the modules that they link.
func (r *release) build(ctx context.Context, p platform, dir string) error {
	if err := r.compile(ctx, p, dir); err != nil {
		return err
	}
	return r.command(ctx, p.env(), "scripts/licenses", filepath.Join(dir, "licenses"))
}

// compile compiles the executables of a platform into the folder bin of dir.
func (r *release) compile(ctx context.Context, p platform, dir string) error {
	// Without the git revision, because an archive of the sources does not have it.
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(dir, "bin") + string(filepath.Separator)}
	for _, e := range executables {
		args = append(args, e.sources)
	}
	return r.command(ctx, p.env(), "go", args...)
}

// goFlags is the variable that sets Go's compiler flags, as in scripts/goenv.
const goFlags = "GOFLAGS=-trimpath -gcflags=all=-dwarf=false"

// env returns the variables with which Go compiles for a platform.
func (p platform) env() []string {
	return []string{"CGO_ENABLED=0", goFlags, "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off", "GOOS=" + p.os, "GOARCH=" + p.arch}
}

// command runs a command in the sources with additional variables, and without the settings that could
// change the resulting bytes.
func (r *release) command(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = r.root, os.Stderr
	cmd.Env = append(append(os.Environ(), "LC_ALL=C", "GOFLAGS=", "GOEXPERIMENT=", "GOOS=", "GOARCH="), env...)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// npmFiles returns the files of a platform's package.
func (r *release) npmFiles(p platform, built string) ([]file, error) {
	manifest, err := indented(map[string]any{
		"name": r.names.npmPackage(p), "version": r.version, "license": "Apache-2.0",
		"description": fmt.Sprintf("The program of recollect, a memory for Claude Code, for %s on %s.", p.npmOS(), p.npmCPU()),
		"os":          []string{p.npmOS()}, "cpu": []string{p.npmCPU()},
		"bin":   inPackage(p),
		"files": []string{"bin", "man", "completions", "licenses", "LICENSE", "NOTICE"},
	})
	if err != nil {
		return nil, err
	}
	files := []file{{name: "package/package.json", content: manifest}}
	for _, name := range []string{"LICENSE", "NOTICE"} {
		b, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "package/" + name, content: b})
	}
	own, err := tree(built, "package")
	return append(files, own...), err
}

// indented returns indented JSON.
func indented(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
