package daemon

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// The log has no secrets, not even at debug level, and whole lines.
func TestRedactedLog(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(RedactedLog(&b), &slog.HandlerOptions{Level: slog.LevelDebug}))
	log.Debug("recollect", "prompt", `run "tool --password h`+`unter2xy" now`, "home", "/home/ada/h"+"unter")
	log.Info("serving")
	if got := b.String(); strings.Contains(got, "unter2xy") || !strings.Contains(got, "[secret:password]") || !strings.Contains(got, "home=/home/ada/hunter\n") || strings.Count(got, "\n") != 2 {
		t.Errorf("the log is %q", got)
	}
}
