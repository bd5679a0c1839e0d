//go:build e2e

package e2e

import (
	"os"
	"testing"
)

func suspend(t *testing.T, _ *os.Process) { t.Skip("a process cannot be suspended here") }

func resume(*os.Process) {}
