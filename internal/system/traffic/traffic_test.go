package traffic

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Work waits while a request is answered, but not for ever.
func TestYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := New()
		waited := func() time.Duration {
			began := time.Now()
			tr.Yield(t.Context())
			return time.Since(began)
		}
		if got := waited(); got != 0 {
			t.Errorf("without requests: %s", got)
		}
		first, second := tr.Enter(), tr.Enter()
		go func() {
			time.Sleep(20 * time.Millisecond)
			first()
			time.Sleep(30 * time.Millisecond)
			second()
		}()
		if got := waited(); got != 50*time.Millisecond {
			t.Errorf("with two requests: %s, want until both are answered", got)
		}
		leave := tr.Enter()
		if got := waited(); got != most {
			t.Errorf("with one that hangs: %s, want %s", got, most)
		}
		leave()
		if got := waited(); got != 0 {
			t.Errorf("afterwards: %s", got)
		}
	})
}

// Of several pieces of work one processor is left free, each begins when another ends or pauses, and
// none waits for ever for one that may wait for it.
func TestBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := New()
		begin := func() (*Work, time.Duration) {
			began := time.Now()
			w := tr.Begin(t.Context())
			return w, time.Since(began)
		}
		var all []*Work
		for range Processors() {
			w, took := begin()
			if all = append(all, w); took != 0 {
				t.Errorf("%d at once: waited for %s", len(all), took)
			}
		}
		go func() {
			time.Sleep(20 * time.Millisecond)
			all[0].Next(t.Context())
			time.Sleep(10 * time.Millisecond)
			all[0].End()
		}()
		w, took := begin()
		if took != 20*time.Millisecond {
			t.Errorf("one more waited for %s, want until another pauses", took)
		}
		time.Sleep(5 * time.Millisecond)
		w.End()
		w.End()
		time.Sleep(time.Second)
		w.Next(t.Context())
		if w, took = begin(); took != most {
			t.Errorf("waited for %s for what does not end, want %s", took, most)
		}
		w.End() // it had no place
		if len(tr.working) != Processors() {
			t.Errorf("%d run, want %d", len(tr.working), Processors())
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		tr.Begin(ctx).End()
		for range Processors() {
			<-tr.working
		}
		if first, second := tr.Worked(), tr.Worked(); first < 35*time.Millisecond || second != 0 {
			t.Errorf("worked for %s, then for %s", first, second)
		}
	})
}

// Without a Traffic nothing waits.
func TestNil(t *testing.T) {
	var tr *Traffic
	tr.Enter()()
	tr.Yield(t.Context())
	w := tr.Begin(t.Context())
	w.Next(t.Context())
	w.End()
	(*Work)(nil).Next(t.Context())
	(*Work)(nil).End()
}
