package proof

import (
	"fmt"
	"testing"
)

// Where half of the sessions got nothing and met twice as much again, the difference is beyond chance; where there is
// no difference, its interval has 0; too few are not compared.
func TestCompare(t *testing.T) {
	sessions := func(n, with, without int) (all []Replayed, withheld map[string]bool) {
		withheld = map[string]bool{}
		for i := range n {
			s := Replayed{Session: fmt.Sprint("s", i), Corrections: i / 2 % 2}
			withheld[s.Session] = i%2 == 1
			for range []int{with, without}[i%2] + i/2%2 {
				s.Findings = append(s.Findings, Finding{Kind: Failure, Match: Loose})
			}
			all = append(all, s, Replayed{Session: fmt.Sprint("other", i), Corrections: 9})
		}
		return all, withheld
	}
	c := compare(sessions(60, 1, 2))
	if c == nil || c.Withheld.Sessions != 30 || c.Others.Sessions != 30 {
		t.Fatalf("comparison = %+v, want 30 and 30 sessions", c)
	}
	if f := c.Failures; f.Mean < 0.99 || f.Mean > 1.01 || f.Low <= 0.5 || f.High >= 1.5 {
		t.Errorf("failures = %+v, want 1, beyond chance", f)
	}
	if f := c.Corrections; f.Mean != 0 || f.Low >= 0 || f.High <= 0 {
		t.Errorf("corrections = %+v, want no difference", f)
	}
	if c := compare(sessions(8, 1, 2)); c != nil {
		t.Errorf("8 sessions = %+v, want no comparison", c)
	}
}
