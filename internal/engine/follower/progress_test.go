package follower

import (
	"errors"
	"testing"
)

// The reason for a stop is there until the work goes on, or is done.
func TestStopped(t *testing.T) {
	cause := errors.New("disk full")
	p := newProgress()
	for name, resume := range map[string]func(){
		"work goes on": func() { p.setStatus("indexing, 1 of 2") },
		"work is done": func() { <-p.nudge; p.finish() },
	} {
		p.stop(cause)
		if p.Stopped() != cause || p.Status() != "stopped: disk full" {
			t.Errorf("after stop: %v, %q", p.Stopped(), p.Status())
		}
		if resume(); p.Stopped() != nil {
			t.Errorf("%s: still stopped: %v", name, p.Stopped())
		}
	}
}
