package survey

import (
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/memory"
)

// The files of a project are whoever's wrote it.
func FuzzDescribe(f *testing.F) {
	for _, m := range manifests {
		f.Add(m.name, "name = \"shop\"\ndescription: a web shop\n\n[dependencies]\nx = \"1\"\n")
	}
	f.Add("package.json", `{"name":"shop","description":"a web shop","scripts":{"test":"jest"},"dependencies":{"react":1}}`)
	f.Add("go.mod", "module example.com/shop\n\nrequire (\n\tgithub.com/a/b v1.0.0\n)\n")
	f.Add("makefile", "# Build it.\nall: ; go build\n.PHONY: all\n")
	f.Add("README.md", "# Shop\n\nA web shop.\n")
	f.Add("pom.xml", "<project><artifactId>shop</artifactId></project>")
	f.Fuzz(func(t *testing.T, name, text string) {
		if filepath.Base(name) != name || name == "." || name == ".." {
			return
		}
		dir := t.TempDir()
		for file, text := range map[string]string{name: text, "main.go": "package main\n", "util.go": "package main\n"} {
			if os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600) != nil {
				return // no name of a file
			}
		}
		d, ok := Describe(dir, memory.Project{Name: "shop", Path: dir})
		if ok && len(d.Text) > maxRegistry {
			t.Errorf("a text of %d bytes", len(d.Text))
		}
	})
}
