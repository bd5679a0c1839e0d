package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const day = Duration(24 * time.Hour)

// maxDays is the longest duration in days.
const maxDays = 36500

// A Duration is written as text: "45d" for days, otherwise as Go writes
// durations ("90m", "1h30m").
type Duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(b []byte) error {
	s := string(b)
	if n, ok := strings.CutSuffix(s, "d"); ok {
		days, err := strconv.ParseFloat(n, 64)
		if err != nil || !(math.Abs(days) <= maxDays) {
			return fmt.Errorf("%q: must be a duration such as \"30d\", \"12h\" or \"90m\"", s)
		}
		*d = Duration(days * float64(day))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q: must be a duration such as \"30d\", \"12h\" or \"90m\"", s)
	}
	*d = Duration(v)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) {
	if d != 0 && d%day == 0 {
		return fmt.Appendf(nil, "%dd", d/day), nil
	}
	text := time.Duration(d).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return []byte(text), nil
}
