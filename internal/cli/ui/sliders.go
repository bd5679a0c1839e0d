package ui

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/config"
	"recollect/internal/memory"
)

// A slider is a setting that the user can try on the page about ranking.
type slider struct {
	Key        string // in config.toml
	Name, Help string
	Max, Step  float64
	Value      float64 // tried value
	Now        float64 // value in force
	Shipped    float64
}

// Changed reports whether the tried value differs from the one in force.
func (s slider) Changed() bool { return math.Abs(s.Value-s.Now) > 1e-9 }

// A sliderGroup has sliders and a heading.
type sliderGroup struct {
	Name, Help string
	Sliders    []slider
}

// Text formats a value.
func (s slider) Text(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
}

// sliderGroups returns the settings that can be tried, without values.
func sliderGroups() []sliderGroup {
	relevance := []slider{
		{Key: "sources.min_relevance", Name: "Required relevance", Help: "how likely a memory must be to bear on the prompt; sources that say something else themselves keep that", Max: 1, Step: 0.01},
		{Key: "recall.min_worth", Name: "Need", Help: "how likely a prompt needs something of earlier sessions for statements to be injected; 0 always", Max: 1, Step: 0.01},
		{Key: "recall.odds_ratio", Name: "Odds behind the best", Help: "what is so many times less likely than the best memory of another session is held back; 0 holds nothing back", Max: 50, Step: 1},
		{Key: "rank.prior_share", Name: "Share of everything else", Help: "most that everything but relevance takes off a score", Max: 1, Step: 0.01},
	}
	var parts, weights []slider
	for _, part := range [][2]string{
		{"weight", "Weight of the source"}, {"recency", "Age"}, {"frequency", "Use"}, {"importance", "Importance"}, {"project", "Same project"},
	} {
		parts = append(parts, slider{Key: "rank.bounded." + part[0], Name: part[1], Max: 1, Step: 0.05})
	}
	for _, src := range memory.Sources {
		name := strings.ToUpper(string(src[:1])) + string(src[1:])
		weights = append(weights, slider{Key: "sources." + string(src) + ".weight", Name: name, Max: 2, Step: 0.05})
	}
	return []sliderGroup{
		{"Relevance", "what it takes to be injected", relevance},
		{"Order", "what counts besides relevance, within its share; 0 leaves it out", parts},
		{"Sources", "weight of each kind of memory, from 0 to 2 (10 in config.toml)", weights},
	}
}

// readSliders returns the sliders with the values of a form, or those in force if the form
// lacks them.
func readSliders(form url.Values, now config.Config) ([]sliderGroup, error) {
	groups, shipped := sliderGroups(), config.Default()
	for g := range groups {
		for i := range groups[g].Sliders {
			s := &groups[g].Sliders[i]
			s.Now, s.Shipped = settingOf(now, s.Key), settingOf(shipped, s.Key)
			s.Value, s.Max = s.Now, max(s.Max, s.Now)
			text := form.Get(s.Key)
			if text == "" {
				continue
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || !(v >= 0 && v <= s.Max) {
				return nil, mistake{fmt.Errorf("%s = %q: must be a number from 0 to %v", s.Key, text, s.Max)}
			}
			s.Value = v
		}
	}
	return groups, nil
}

// changedSliders returns the sliders whose value differs from the one in force.
func changedSliders(groups []sliderGroup) []slider {
	var out []slider
	for _, g := range groups {
		for _, s := range g.Sliders {
			if s.Changed() {
				out = append(out, s)
			}
		}
	}
	return out
}

// valuesOf returns the values to write, by key.
func valuesOf(sliders []slider) map[string]any {
	out := map[string]any{}
	for _, s := range sliders {
		out[s.Key] = math.Round(s.Value*1000) / 1000
	}
	return out
}

func textOf(sliders []slider) string {
	var b strings.Builder
	for _, s := range sliders {
		fmt.Fprintf(&b, "%s = %s\n", s.Key, s.Text(s.Value))
	}
	return b.String()
}

// settingOf returns the value of the setting with this key.
func settingOf(c config.Config, key string) float64 {
	at := reflect.ValueOf(c)
	for _, name := range strings.Split(key, ".") {
		at = fieldOf(at, name)
	}
	return at.Float()
}

// fieldOf returns the field of a struct, or of an embedded one, that config.toml calls name.
func fieldOf(v reflect.Value, name string) reflect.Value {
	fields := reflect.VisibleFields(v.Type())
	i := slices.IndexFunc(fields, func(f reflect.StructField) bool { return f.Tag.Get("toml") == name })
	if i < 0 {
		panic(errors.New(name + " is no setting")) // a wrong key in sliderGroups, which a test finds
	}
	return v.FieldByIndex(fields[i].Index)
}
