package setup

import (
	"os"
	"path/filepath"
	"testing"
)

func TestIsScript(t *testing.T) {
	for text, want := range map[string]bool{"#!/bin/sh\nexit 0\n": true, "\x7fELF\x02": false, "#": false, "": false} {
		path := filepath.Join(t.TempDir(), HookName())
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		if IsScript(path) != want {
			t.Errorf("isScript(%q) = %t", text, !want)
		}
	}
	if IsScript(filepath.Join(t.TempDir(), HookName())) {
		t.Error("a missing file is reported as a script")
	}
}
