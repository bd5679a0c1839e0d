package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("RUN_AS_HOOK") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Whoever started the hook may have left before it prints.
func TestNobodyReads(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	hook := exec.Command(exe)
	hook.Env = append(os.Environ(), "RUN_AS_HOOK=1", "RECOLLECT_DISABLE=", "RECOLLECT_HOME="+t.TempDir())
	hook.Stdin, hook.Stdout, hook.Stderr = strings.NewReader("no JSON"), w, w
	if err := hook.Run(); err != nil {
		t.Errorf("the hook ended with %v, want status 0", err)
	}
}
