// Release builds a release in a folder: an npm package for each platform; the marketplace from which
// users install the plugin, which makes npm install one of these packages; the plugin as an archive for
// users without npm; a list of linked modules; and checksums. scripts/release runs it.
//
//	dist/npm/            recollect-linux-x64-1.2.0.tgz …
//	dist/marketplace/    a git repository's content: the plugin without executables
//	dist/archives/       recollect-1.2.0-linux-amd64.zip …: the plugin with executables,
//	                     and the marketplace.json that lists them
//	dist/install.sh, dist/sbom.json, dist/SHA256SUMS
//
// The same sources and the same version of Go give the same bytes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run() error {
	out := flag.String("o", "dist", "the folder, which must not exist")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: scripts/release [-o DIR] [PLATFORM …]\n\nA platform is one of", platforms, "or host, this machine's.")
		flag.PrintDefaults()
	}
	flag.Parse()
	chosen, err := choose(flag.Args())
	if err != nil {
		return err
	}
	if _, err := os.Lstat(*out); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s exists already", *out)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := newRelease(*out)
	if err != nil {
		return err
	}
	return r.make(ctx, chosen)
}
