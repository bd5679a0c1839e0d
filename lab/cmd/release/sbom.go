package main

import (
	"debug/buildinfo"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A component is a module in a CycloneDX list.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	BOMRef  string `json:"bom-ref"`
}

// billOfMaterials writes sbom.json with the modules that the executables contain according to themselves,
// in CycloneDX 1.5 (https://cyclonedx.org).
func (r *release) billOfMaterials(work string, chosen []platform) error {
	found := map[string]component{}
	add := func(name, version string) {
		purl := "pkg:golang/" + name + "@" + version
		found[purl] = component{Type: "library", Name: name, Version: version, PURL: purl, BOMRef: purl}
	}
	add("std", strings.TrimPrefix(runtime.Version(), "go"))
	for _, p := range chosen {
		for _, e := range executables {
			info, err := buildinfo.ReadFile(filepath.Join(work, p.String(), "bin", e.name+p.exe()))
			if err != nil {
				return err
			}
			for _, m := range info.Deps {
				if m.Replace != nil {
					m = m.Replace
				}
				add(m.Path, m.Version)
			}
		}
	}
	var components []component
	for _, purl := range slices.Sorted(maps.Keys(found)) {
		components = append(components, found[purl])
	}
	b, err := indented(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": components,
		"metadata": map[string]any{"component": map[string]string{"type": "application", "name": "recollect", "version": r.version, "bom-ref": "recollect"}},
	})
	if err != nil {
		return err
	}
	return write(filepath.Join(r.dir, "sbom.json"), b, 0o644)
}
