package daemon

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLooks(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	in := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	tests := []struct {
		name string
		add  []look
		want []look // in the order in which they are due
	}{
		{"none", nil, nil},
		{"the one that is due first", []look{{path: "b", due: in(2)}, {path: "a", due: in(1)}}, []look{{path: "a", due: in(1)}, {path: "b", due: in(2)}}},
		{"by path where they are due together", []look{{path: "b", due: in(1)}, {path: "a", due: in(1)}}, []look{{path: "a", due: in(1)}, {path: "b", due: in(1)}}},
		{"put off", []look{{path: "a", due: in(1)}, {path: "a", due: in(3)}}, []look{{path: "a", due: in(3)}}},
		{"not moved up", []look{{path: "a", due: in(3)}, {path: "a", due: in(1)}}, []look{{path: "a", due: in(3)}}},
		{"what an earlier one was for", []look{{path: "a", session: "s1", ends: true, due: in(1)}, {path: "a", due: in(2)}},
			[]look{{path: "a", session: "s1", ends: true, due: in(2)}}},
		{"spare until somebody asks", []look{{path: "a", spare: true, due: in(1)}, {path: "a", session: "s1", due: in(2)}},
			[]look{{path: "a", session: "s1", due: in(2)}}},
		{"asked for, not spare", []look{{path: "a", due: in(1)}, {path: "a", spare: true, due: in(2)}}, []look{{path: "a", due: in(2)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLooks()
			for _, k := range tt.add {
				if !l.add(k) {
					t.Fatalf("add(%v) = false", k)
				}
			}
			if k, ok := l.take(now); ok {
				t.Errorf("take() = %v before anything is due", k)
			}
			var got []look
			for range tt.want {
				at := now.Add(l.wait(now))
				k, ok := l.take(at)
				if !ok || !k.due.Equal(at) {
					t.Fatalf("take() after wait() = %v, %t, want what is due at %v", k, ok, at)
				}
				got = append(got, k)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(look{})); diff != "" {
				t.Errorf("looks (-want +got):\n%s", diff)
			}
			if got := l.wait(now); got != time.Hour {
				t.Errorf("wait() with none left = %v, want an hour", got)
			}
		})
	}
}

func TestLooksAreBounded(t *testing.T) {
	l := newLooks()
	for i := range maxLooks {
		if !l.add(look{path: fmt.Sprint(i)}) {
			t.Fatalf("add() of look %d = false", i)
		}
	}
	if l.add(look{path: "one more"}) {
		t.Errorf("add() with %d waiting = true", maxLooks)
	}
	if !l.add(look{path: "0"}) {
		t.Error("add() of one that waits already = false")
	}
	if got := len(l.takeAll()); got != maxLooks {
		t.Errorf("takeAll() = %d looks, want %d", got, maxLooks)
	}
	if got := len(l.takeAll()); got != 0 {
		t.Errorf("takeAll() again = %d looks, want none", got)
	}
}
