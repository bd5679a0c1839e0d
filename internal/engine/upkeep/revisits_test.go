package upkeep

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRevisits(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	in := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	tests := []struct {
		name string
		add  []Revisit
		want []Revisit // in the order in which they are due
	}{
		{"none", nil, nil},
		{"the one that is due first", []Revisit{{Path: "b", Due: in(2)}, {Path: "a", Due: in(1)}}, []Revisit{{Path: "a", Due: in(1)}, {Path: "b", Due: in(2)}}},
		{"by path where they are due together", []Revisit{{Path: "b", Due: in(1)}, {Path: "a", Due: in(1)}}, []Revisit{{Path: "a", Due: in(1)}, {Path: "b", Due: in(1)}}},
		{"put off", []Revisit{{Path: "a", Due: in(1)}, {Path: "a", Due: in(3)}}, []Revisit{{Path: "a", Due: in(3)}}},
		{"not moved up", []Revisit{{Path: "a", Due: in(3)}, {Path: "a", Due: in(1)}}, []Revisit{{Path: "a", Due: in(3)}}},
		{"what an earlier one was for", []Revisit{{Path: "a", Session: "s1", Due: in(1)}, {Path: "a", Due: in(2)}},
			[]Revisit{{Path: "a", Session: "s1", Due: in(2)}}},
		{"spare until somebody asks", []Revisit{{Path: "a", Optional: true, Due: in(1)}, {Path: "a", Session: "s1", Due: in(2)}},
			[]Revisit{{Path: "a", Session: "s1", Due: in(2)}}},
		{"asked for, not spare", []Revisit{{Path: "a", Due: in(1)}, {Path: "a", Optional: true, Due: in(2)}}, []Revisit{{Path: "a", Due: in(2)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := NewRevisits()
			for _, k := range tt.add {
				if !l.Add(k) {
					t.Fatalf("add(%v) = false", k)
				}
			}
			if k, ok := l.Take(now); ok {
				t.Errorf("take() = %v before anything is due", k)
			}
			var got []Revisit
			for range tt.want {
				at := now.Add(l.Wait(now))
				k, ok := l.Take(at)
				if !ok || !k.Due.Equal(at) {
					t.Fatalf("take() after wait() = %v, %t, want what is due at %v", k, ok, at)
				}
				got = append(got, k)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(Revisit{})); diff != "" {
				t.Errorf("looks (-want +got):\n%s", diff)
			}
			if got := l.Wait(now); got != time.Hour {
				t.Errorf("wait() with none left = %v, want an hour", got)
			}
		})
	}
}

func TestRevisitsAreBounded(t *testing.T) {
	l := NewRevisits()
	for i := range maxRevisits {
		if !l.Add(Revisit{Path: fmt.Sprint(i)}) {
			t.Fatalf("add() of look %d = false", i)
		}
	}
	if l.Add(Revisit{Path: "one more"}) {
		t.Errorf("add() with %d waiting = true", maxRevisits)
	}
	if !l.Add(Revisit{Path: "0"}) {
		t.Error("add() of one that waits already = false")
	}
	if got := len(l.TakeAll()); got != maxRevisits {
		t.Errorf("takeAll() = %d looks, want %d", got, maxRevisits)
	}
	if got := len(l.TakeAll()); got != 0 {
		t.Errorf("takeAll() again = %d looks, want none", got)
	}
}
