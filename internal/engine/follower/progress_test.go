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
		"work is done": func() { <-p.nudge; p.recordCaughtUp() },
	} {
		p.recordStop(cause)
		if p.Stopped() != cause || p.Status() != "stopped: disk full" {
			t.Errorf("after stop: %v, %q", p.Stopped(), p.Status())
		}
		if resume(); p.Stopped() != nil {
			t.Errorf("%s: still stopped: %v", name, p.Stopped())
		}
	}
}

// How far the work is goes with what is said of it.
func TestWork(t *testing.T) {
	p := newProgress()
	for name, end := range map[string]func(){
		"other work": func() { p.setStatus("opening") },
		"a stop":     func() { p.recordStop(errors.New("disk full")) },
		"the end":    func() { p.recordCaughtUp() },
	} {
		p.setWork("indexing", 1, 2)
		if p.Work() != (Work{1, 2}) || p.Status() != "indexing, 1 of 2" {
			t.Errorf("before %s: %+v, %q", name, p.Work(), p.Status())
		}
		p.recordChange()
		<-p.nudge
		if end(); p.Work() != (Work{}) {
			t.Errorf("after %s: %+v, %q", name, p.Work(), p.Status())
		}
	}
}
