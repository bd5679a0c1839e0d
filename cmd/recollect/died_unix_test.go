//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"recollect/internal/store"
)

// The log of a daemon that died is kept, and doctor says how it died. What was killed or asked to
// end did not die.
func TestDoctorSaysHowTheDaemonDied(t *testing.T) {
	for signal, died := range map[syscall.Signal]bool{syscall.SIGQUIT: true, syscall.SIGKILL: false, syscall.SIGTERM: false} {
		t.Run(signal.String(), func(t *testing.T) {
			home, _ := stressHome(t)
			if err := awake(t).Signal(signal); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the daemon has ended", func() bool { return !store.Owned(home) })
			for range 2 { // also once the next one runs
				out, errs, err := recollectCmd(t, "doctor")
				words := strings.Join(strings.Fields(out), " ")
				if strings.Contains(words, "one before it died on") != died || strings.Contains(words, "SIGQUIT") != died {
					t.Errorf("doctor: %v, %s%s", err, out, errs)
				}
			}
			kept, err := os.ReadFile(filepath.Join(home, "daemon.died"))
			if (err == nil) != died || died && (!strings.Contains(string(kept), "goroutine ") || !strings.Contains(string(kept), "msg=serving")) {
				t.Errorf("kept: %v, %.300s", err, kept)
			}
		})
	}
}
