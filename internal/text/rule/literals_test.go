package rule

import (
	"slices"
	"strings"
	"testing"
)

// No text is left out that matches, and rules are tried on few others.
func TestNeeded(t *testing.T) {
	texts := []string{
		"", "a", "A", "ok", "OK, go on", "bok", "oké", "always run the tests", "Always", "ALWAYS!", "hallways", "use tabs", "because", "re-use", "_use_", "reuse it",
		"größer", "GRÖSSER", "Größe 12", "ſo", "So ist es", "\u212aelvin", "kelvin", "KELVIN", "naïve", "NAÏVE", "\xff\xfe", "\ufffd", "x\x00y", "12:30", "x\nuse\ny", "go  to", "to go", "¿por qué?", "PORQUE",
	}
	for _, pattern := range []string{
		`use`, `\buse\b`, `^use\b`, `(?i)^(?:always|never) `, `(?i)(?:so|sí)\b`, `(?i)kelvin`, `(?i)^k`, `[Kk]elvin`, `(?i)[ks]o?`, `größ`, `(?i)größ`, `(?i)naïve$`, `^(?:ok|okay)?$`, `(?:ok)*`, `(?:ok)+`, `ok{0}`,
		`(?:a|b|use)?tabs`, `^.use`, `(?s)x.use`, `(?m)^use$`, `\Bse\b`, "\ufffd", `\x00`, `[^a]`, `[\x{80}-\x{10ffff}]`, `^[^a-z]`, `\d\d:\d\d`, `^(?:|use)`, `(?:go|run) {1,2}(?:to|the)`, `por ?qu[eé]`, `(?i)^¿?por`,
		`(?i)^(?:re-?)?use\b`, `^ſ`, `(?i)^ſ`, `always|hall`, `a\b|ways$`, `\bok\b.*\bgo\b`, `^(?i)(?:ok)(?:$|[^a-z])`,
	} {
		lazy := Lazy(pattern)
		trials := NewTrials([]*Rule{{Regexp: Lazy(`never matched`)}, {Regexp: Lazy(pattern)}})
		for _, text := range texts {
			if !lazy.re().MatchString(text) {
				continue
			}
			if !lazy.MatchString(text) {
				t.Errorf("%q does not match %q, which it does", pattern, text)
			}
			if !slices.Contains(slices.Collect(trials.Of(text)), 1) {
				t.Errorf("%q is not tried on %q, which it matches", pattern, text)
			}
		}
	}
	few := Lazy(`(?i)^(?:ok|please )?\b(?:use|write) `)
	for _, text := range []string{"", "because it was", "users", "9 reuse it", strings.Repeat("reuse ", 10)} {
		if !few.cannotMatch(text) {
			t.Errorf("tried on %q", text)
		}
	}
}
