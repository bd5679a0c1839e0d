package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed names.toml
var namesTOML string

// names says where a release is published.
type names struct {
	Owner       string // owner of the repository that is the marketplace
	Marketplace string // name of that repository
	Scope       string // scope of the npm packages
	Download    string // address of the folder of the release's files, with {version}; "" if there is none
}

func readNames() (names, error) {
	var n names
	meta, err := toml.Decode(namesTOML, &n)
	if err != nil {
		return n, fmt.Errorf("read names.toml: %w", err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return n, fmt.Errorf("read names.toml: unknown %s", keys[0])
	}
	if n.Marketplace == "" || !strings.HasPrefix(n.Scope, "@") {
		return n, errors.New("read names.toml: marketplace and a scope with @ must be set")
	}
	return n, nil
}

// npmPackage returns the name of a platform's package.
func (n names) npmPackage(p platform) string { return n.Scope + "/" + p.npm() }

// tarball returns the file name of a platform's package.
func (n names) tarball(p platform, version string) string {
	return fmt.Sprintf("%s-%s-%s.tgz", strings.TrimPrefix(n.Scope, "@"), p.npm(), version)
}

// downloads returns the address of the folder of a version's files, or "".
func (n names) downloads(version string) string {
	return strings.ReplaceAll(n.Download, "{version}", version)
}
