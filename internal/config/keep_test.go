package config

import (
	"fmt"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// Every source has settings of its own, and both of them have a rule.
func TestKeep(t *testing.T) {
	for i, src := range memory.Sources {
		c, err := Parse("config.toml", fmt.Sprintf("[capture.keep.%s]\nage = \"%dd\"\ncount = %d\n", src, i+1, i+2))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := c.Capture.Keep.Of(src), (Kept{Duration(i+1) * day, i + 2}); got != want {
			t.Errorf("%s: kept %+v, want %+v", src, got, want)
		}
		for text, want := range map[string]string{
			"age = \"-1h\"": fmt.Sprintf("c.toml:2: capture.keep.%s.age = -1h0m0s: must be 0s or more", src),
			"count = -1":    fmt.Sprintf("c.toml:2: capture.keep.%s.count = -1: must be 0 or more", src),
		} {
			if _, err := Parse("c.toml", fmt.Sprintf("[capture.keep.%s]\n%s\n", src, text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %v, want %q", src, text, err, want)
			}
		}
	}
	if got := Default().Capture.Keep; got != (Keep{BySource: BySource[Kept]{Thinking: Kept{Age: 180 * day}}}) {
		t.Errorf("defaults %+v: nothing but thinking ages", got)
	}
}
