package main

import (
	"fmt"
	"runtime"
)

// A platform has Go's name, such as linux-amd64, and npm's name, such as linux-x64.
type platform struct{ os, arch string }

var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func (p platform) String() string { return p.os + "-" + p.arch }

func (p platform) npmOS() string {
	if p.os == "windows" {
		return "win32"
	}
	return p.os
}

func (p platform) npmCPU() string {
	if p.arch == "amd64" {
		return "x64"
	}
	return p.arch
}

// npm returns npm's name of the platform.
func (p platform) npm() string { return p.npmOS() + "-" + p.npmCPU() }

// exe returns the suffix of executables, "" or ".exe".
func (p platform) exe() string {
	if p.os == "windows" {
		return ".exe"
	}
	return ""
}

// choose returns the platforms with these names, or all.
func choose(names []string) ([]platform, error) {
	if len(names) == 0 {
		return platforms, nil
	}
	byName := map[string]platform{"host": {runtime.GOOS, runtime.GOARCH}}
	for _, p := range platforms {
		byName[p.String()] = p
	}
	var out []platform
	for _, name := range names {
		p, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("unknown platform %s: must be host or one of %v", name, platforms)
		}
		out = append(out, p)
	}
	return out, nil
}
