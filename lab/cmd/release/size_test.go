package main

import (
	"math"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"
)

// sizeTolerance is by how much a size that a document states may be off, as a part of it: that much
// the platforms differ.
const sizeTolerance = 0.1

// TestStatedSizes wants the sizes of the executables in the documents to be those of the build for
// this machine.
func TestStatedSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 10 s")
	}
	r, dir := testRelease(t), t.TempDir()
	if err := r.compile(t.Context(), platform{runtime.GOOS, runtime.GOARCH}, dir); err != nil {
		t.Fatal(err)
	}
	files, err := tree(dir, "package")
	if err != nil || len(files) != len(executables) {
		t.Fatalf("%d files, %v", len(files), err)
	}
	packed, err := tarball(files)
	if err != nil {
		t.Fatal(err)
	}
	recollect := 0
	for _, f := range files {
		recollect = max(recollect, len(f.content))
	}
	model, err := os.Stat("internal/index/embed/builtin/model.bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, stated := range []struct {
		document, says string // the pattern of what it says, with the number
		bytes          int
	}{
		{"README.md", `a program of ([0-9.]+) MB`, recollect},
		{"docs/using.md", `npm fetches the program, some ([0-9.]+) MB`, len(packed)},
		{"docs/benchmarks.md", `executable .recollect. \| ([0-9.]+) MB`, recollect},
		{"docs/benchmarks.md", `size in the executable / on the heap \| ([0-9.]+) / `, int(model.Size())},
	} {
		text, err := os.ReadFile(stated.document)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(stated.says).FindSubmatch(text)
		if found == nil {
			t.Errorf("%s: nothing like %q", stated.document, stated.says)
			continue
		}
		says, err := strconv.ParseFloat(string(found[1]), 64)
		if is := float64(stated.bytes) / 1e6; err != nil || math.Abs(says-is) > sizeTolerance*is {
			t.Errorf("%s says %s MB, it is %.1f", stated.document, found[1], is)
		}
	}
}
