package ui

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Text can be read on whatever it stands on, in light and in dark: WCAG asks for a contrast of
// 4.5.
func TestContrast(t *testing.T) {
	css, err := static.ReadFile("static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light := colorsOf(string(css))
	_, rest, _ := strings.Cut(string(css), "prefers-color-scheme: dark")
	schemes := map[string]map[string]float64{"light": light, "dark": colorsOf(rest)}
	for scheme, colors := range schemes {
		if len(colors) != len(light) || len(colors) < 15 {
			t.Errorf("%s has %d colors, light has %d", scheme, len(colors), len(light))
		}
		for _, pair := range []string{
			"ink back", "ink card", "ink fill", "soft back", "soft card", "soft fill", "accent back", "accent card", "accent fill", "accent-ink accent", "good back", "good fill",
			"bad back", "bad fill", "back bad", "warn warn-back", "warn fill", "bad bad-back", "ink good-back", "k0 fill", "k1 back", "k3 fill",
		} {
			text, on, _ := strings.Cut(pair, " ")
			least := 4.5
			if strings.HasPrefix(text, "k1") {
				least = 3 // in charts
			}
			a, b := colors[text], colors[on]
			if got := (max(a, b) + 0.05) / (min(a, b) + 0.05); got < least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, want %v", scheme, text, on, got, least)
			}
		}
	}
}

// colorsOf returns the relative luminance of the colors that the first rule of a style sheet
// names.
func colorsOf(css string) map[string]float64 {
	_, css, _ = strings.Cut(css, ":root {")
	css, _, _ = strings.Cut(css, "}")
	out := map[string]float64{}
	for _, found := range regexp.MustCompile(`--([\w-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
		sum := 0.0
		for i, share := range []float64{0.2126, 0.7152, 0.0722} {
			n, _ := strconv.ParseUint(found[2][2*i:2*i+2], 16, 8) // as the pattern says
			c := float64(n) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += share * c
		}
		out[found[1]] = sum
	}
	return out
}
