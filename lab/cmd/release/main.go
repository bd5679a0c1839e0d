// Release builds a release into a folder: an npm package for each platform, the
// marketplace from which users install the plugin, which has npm fetch one of
// them, the plugin as an archive for those without npm, a list of what is
// linked, and checksums. scripts/release runs it.
//
//	dist/npm/            recollect-linux-x64-1.2.0.tgz …
//	dist/marketplace/    a git repository's content: the plugin without executables
//	dist/archives/       recollect-1.2.0-linux-amd64.zip …: the plugin with executables,
//	                     and marketplace.json, in which they are entries
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
